"use strict";
// Filters, tables and the slider of the report. Data become text by textContent only, never markup.
(() => {
  const content = JSON.parse(document.getElementById("content").textContent);
  const data = Object.fromEntries(Object.entries(content.data).map(([name, { columns, rows }]) =>
    [name, rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])))]));
  const $ = (id) => document.getElementById(id);
  const DASH = "–";
  const CELLS = ["preserved", "collapse", "correction", "unrepaired", "undecided_correct", "undefined"];
  const CELL_TEXT = {
    preserved: "preserved: right, and still right", collapse: "collapse: right, then wrong", correction: "correction: wrong, then right",
    unrepaired: "unrepaired: wrong, and still wrong", undecided_correct: "undecided, then right", undefined: "undefined: in no cell",
  };

  // ---- text and numbers
  const count = (n) => (n === null || n === undefined ? DASH : Number(n).toLocaleString("en"));
  const fixed = (x, digits) => (x === null || x === undefined ? DASH : x.toFixed(digits).replace(/^-(?=[0.]*$)/, ""));
  const signed = (x, digits) => (fixed(x, digits) === DASH ? DASH : (Number(fixed(x, digits)) > 0 ? "+" : "") + (digits ? fixed(x, digits) : count(x)).replace("-", "−"));
  const percent = (x, digits = 2) => (x === null || x === undefined ? DASH : `${fixed(100 * x, digits)} %`);
  const interval = (lower, upper) => (lower === null || lower === undefined ? "" : ` [${fixed(100 * lower, 2)}, ${fixed(100 * upper, 2)}]`);
  const range = (lower, upper, digits) => (lower === null ? DASH : `[${signed(lower, digits)}, ${signed(upper, digits)}]`);
  const sum = (rows, key) => rows.reduce((total, row) => total + (row[key] ?? 0), 0);
  const pValue = (p) => (p === null ? DASH : p < 0.0001 ? p.toExponential(1) : p.toFixed(4));
  const many = (n, what) => `${count(n)} ${n === 1 ? what : what.endsWith("y") ? `${what.slice(0, -1)}ies` : `${what}s`}`;
  // A printed number of many digits is cut to six; what is no number stays.
  const short = (text) => (text !== null && text.length > 10 && Number.isFinite(Number(text)) ? Number(Number(text).toPrecision(6)).toString() : text);
  // More than one word of the data beside each other, as one text.
  const some = (names, n = 6) => names.slice(0, n).join(", ") + (names.length > n ? ` and ${names.length - n} more` : "");
  const unique = (values) => [...new Set(values)];

  // ---- elements
  const element = (tag, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
    return made;
  };
  const put = (id, ...children) => $(id).replaceChildren(...children);
  const note = (text) => element("p", { className: "empty" }, text);
  // columns: [heading, function of a row, "number" or "text"]
  const table = (caption, rows, columns, { empty = "Nothing to show for this choice.", rowClass = () => "" } = {}) => {
    if (!rows.length) return note(empty);
    const head = element("tr", {}, ...columns.map(([heading, , kind]) => element("th", { scope: "col", className: kind || "text" }, heading)));
    const body = rows.map((row) => element("tr", { className: rowClass(row) }, ...columns.map(([, value, kind]) => {
      const shown = value(row);
      return element("td", { className: kind || "text" }, shown === null || shown === undefined || shown === "" ? DASH : shown);
    })));
    const made = element("table", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...body));
    return element("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: caption }, made);
  };

  // ---- what the filters leave
  const choice = () => ({ cohort: $("cohort").value, model: $("model").value, rule: $("rule").value });
  const cohortRow = (name) => data.cohorts.find((row) => row.cohort === name);
  const ofChoice = (rows, { cohort, model, rule }, { byModel = true, byRule = true } = {}) => rows.filter((row) =>
    row.cohort === cohort && (!byRule || row.coding_rule === rule) && (!byModel || !model || row.model === model));
  const options = (select, values, chosen) => {
    select.replaceChildren(...values.map(([value, text]) => element("option", { value, selected: value === chosen }, text)));
  };
  const chosenText = ({ cohort, model, rule }, { byRule = true } = {}) => {
    const row = cohortRow(cohort);
    return `Cohort ${cohort}${row.is_invented ? " (invented, no result)" : ""}, ${model || "all models"}${byRule ? `, rule ${rule}, end: ${row.endpoint === "last" ? "the last round" : row.endpoint.replace(/^r(?=[0-9])/, "round ")}` : ""}.`;
  };
  function fillCohorts() {
    options($("cohort"), data.cohorts.map((row) => [row.cohort, row.cohort + (row.is_invented ? " (invented, no result)" : "")]), data.cohorts[0]?.cohort);
  }
  function fillFromCohort() {
    const { cohort } = choice();
    const rows = data.transitions.filter((row) => row.cohort === cohort);
    const models = unique([...rows, ...data.rule_sensitivity.filter((row) => row.cohort === cohort)].map((row) => row.model)).sort();
    options($("model"), [["", "all models"], ...models.map((name) => [name, name])], "");
    const own = cohortRow(cohort)?.coding_rule;
    const rules = unique(rows.map((row) => row.coding_rule)).sort();
    options($("rule"), rules.map((name) => [name, name + (name === own ? " (the cohort's own)" : "")]), rules.includes(own) ? own : rules[0]);
    fillPoints();
  }
  const pointSet = (row) => JSON.stringify([row.cohort, row.alpha_definition]);
  function fillPoints() {
    const { cohort } = choice();
    const sets = unique(data.screen_points.map(pointSet));
    const isInvented = (set) => cohortRow(JSON.parse(set)[0])?.is_invented;
    const mine = sets.find((set) => JSON.parse(set)[0] === cohort);
    options($("points"), sets.map((set) => {
      const [name, definition] = JSON.parse(set);
      return [set, `${name}${isInvented(set) ? " (invented, no result)" : ""}${definition === "as published" ? "" : `, ${definition}`}`];
    }), mine ?? sets[0]);
  }

  // ---- charts
  const views = new Map();
  // Scales keep the values that are there, in the order of the data or of the specification, each with its own colour and shape.
  function fitScales(node, present) {
    if (Array.isArray(node)) node.forEach((part) => fitScales(part, present));
    else if (node && typeof node === "object") {
      for (const channel of ["color", "shape", "yOffset"]) {
        const encoding = node.encoding?.[channel];
        const values = present[encoding?.field];
        if (!values) continue;
        const scale = (encoding.scale ??= {});
        const paired = Array.isArray(scale.domain) && Array.isArray(scale.range);
        const kept = paired ? scale.domain.map((value, i) => [value, scale.range[i]]).filter(([value]) => values.includes(value)) : null;
        scale.domain = kept ? kept.map(([value]) => value) : values;
        if (kept) scale.range = kept.map(([, shown]) => shown);
      }
      for (const key of ["layer", "spec"]) if (node[key]) fitScales(node[key], present);
    }
  }
  // Bands of a fixed height, as a height: Vega-Lite warns of a step beside a width that follows the page.
  function fitHeight(spec, rows) {
    if (!spec.height?.step) return;
    const encoding = [spec, ...(spec.layer ?? [])].map((part) => part.encoding).find((found) => found?.y);
    const bands = (channel) => (encoding[channel] ? unique(rows.map((row) => row[encoding[channel].field])).length : 1);
    spec.height = spec.height.step * bands("y") * bands("yOffset") + (encoding.yOffset ? 6 * bands("y") : 0);
  }
  const SCALED = ["cell", "onset", "effect", "family", "policy", "coding_rule"];
  async function chart(id, datasets, description, empty = "Nothing to draw for this choice.") {
    const host = $(id);
    views.get(id)?.finalize();
    views.delete(id);
    if (!datasets.rows.length) {
      host.replaceChildren(note(empty));
      return;
    }
    const narrow = host.clientWidth < 520;
    const spec = structuredClone(content.specs[id]);
    spec.datasets = datasets;
    spec.description = description;
    fitScales(spec, Object.fromEntries(SCALED.map((field) => [field, unique(datasets.rows.map((row) => row[field]).filter((value) => value !== undefined))])
      .filter(([, values]) => values.length)));
    fitHeight(spec, datasets.rows);
    spec.config.axisY = { labelLimit: narrow ? 125 : 220, ...(narrow ? { labelFontSize: 11 } : {}) };
    spec.config.axisXQuantitative = { tickCount: narrow ? 4 : 8 };
    if (narrow) Object.assign(spec.config.legend, { columns: 2, labelLimit: Math.round(host.clientWidth / 2) - 70 });
    const made = element("div", { style: "width: 100%" });
    host.replaceChildren(made);
    // Expressions are interpreted, so that no text is ever compiled to a script; addresses are not loaded.
    views.set(id, await vegaEmbed(made, spec, { mode: "vega-lite", renderer: "svg", actions: false, ast: true }));
  }

  // ---- sections
  function summary(now) {
    const row = cohortRow(now.cohort);
    const rows = ofChoice(data.transitions, now);
    const [right, wrong, lost, repaired] = ["n_initial_correct", "n_initial_wrong", "n_collapse", "n_correction"].map((key) => sum(rows, key));
    const [undecided, settled, end] = ["n_initial_undecided", "n_undecided_correct", "n_final_correct"].map((key) => sum(rows, key));
    $("invented").hidden = !row.is_invented;
    put("summary", rows.length
      ? `${chosenText(now)} ${count(sum(rows, "n_debates"))} debates: ${count(right)} started right, and debate lost ${count(lost)} of them` +
        ` (${right ? percent(lost / right) : "no rate"}); ${count(wrong)} started wrong, and debate repaired ${count(repaired)} (${wrong ? percent(repaired / wrong) : "no rate"}).` +
        (undecided ? ` ${count(undecided)} started undecided, and ${count(settled)} of them ended right.` : "") +
        ` The sign of the effect: ${signed(end - right, 0)} right answers.`
      : `${chosenText(now)} No debate can be coded by this rule.`);
    const rule = data.coding_rules.find((found) => found.coding_rule === now.rule);
    put("rule-text", [row.description, rule && `Coding rule ${rule.coding_rule}: ${rule.description}`].filter(Boolean).join(" "));
  }
  // Counts with their names, zeros and unknown ones left out.
  const UNDEFINED = { no_gold: "no key", no_initial: "no start", no_final: "no end", tie: "tied", unread: "unread" };
  const named = (pairs) => pairs.filter(([n]) => n > 0).map(([n, name]) => `${count(n)} ${name}`).join(", ");
  const resting = (rows, of) => named([[sum(rows, `n_${of}_unread`), "on an unread panel"], [sum(rows, `n_${of}_by_tie`), "on a tie"]]);
  async function ledger(now) {
    const rows = ofChoice(data.transitions, now);
    const cells = rows.flatMap((row) => CELLS.map((cell, order) => ({
      model: row.model, cell: cell.replace("_correct", ", then right"), order, n: row[`n_${cell}`] ?? 0, n_debates: row.n_debates, share: (row[`n_${cell}`] ?? 0) / row.n_debates,
    })).filter((cell) => cell.n > 0));
    await chart("ledger", { rows: cells }, "Bars: share of each model's debates that were preserved, collapsed, corrected or left unrepaired");
    put("ledger-caption", `${chosenText(now)} n = ${many(sum(rows, "n_debates"), "debate")} of ${many(rows.length, "model")}; ${count(sum(rows, "n_undefined"))} of them undefined` +
      `${((why) => (why ? ` (${why})` : ""))(named(Object.entries(UNDEFINED).map(([key, name]) => [sum(rows, `n_undefined_${key}`), name])))}.` +
      ["collapse", "correction"].map((of) => ((what) => (what ? ` Of ${many(sum(rows, `n_${of}`), of)} rest ${what}.` : ""))(resting(rows, of))).join(""));
    const cell = (row, name) => element("td", { className: name }, element("b", {}, count(row[`n_${name}`])), name);
    put("ledger-cells", ...rows.map((row) => element("table", {},
      element("caption", {}, `${row.model} (${count(row.n_debates)} debates)`),
      element("thead", {}, element("tr", {}, element("td"), element("th", { scope: "col" }, "ended right"), element("th", { scope: "col" }, "ended wrong"))),
      element("tbody", {},
        element("tr", {}, element("th", { scope: "row" }, `started right: ${count(row.n_initial_correct)}`), cell(row, "preserved"), cell(row, "collapse")),
        element("tr", {}, element("th", { scope: "row" }, `started wrong: ${count(row.n_initial_wrong)}`), cell(row, "correction"), cell(row, "unrepaired")),
        ...(row.n_initial_undecided ? [element("tr", {}, element("th", { scope: "row" }, `started undecided: ${count(row.n_initial_undecided)}`),
          element("td", {}, element("b", {}, count(row.n_undecided_correct)), "undecided, then right"), element("td", {}, "the others are among the unrepaired"))] : [])))));
    const open = rows.filter((row) => row.is_sign_unread);
    put("ledger-sign", open.length ? `± The sign of corrections minus collapses rests on panels that were not read: ${some(open.map((row) => `${row.model} (${signed(row.net_corrections, 0)}, once read from ${signed(row.net_corrections_lower, 0)} to ${signed(row.net_corrections_upper, 0)})`))}.` : "");
    const losing = data.parse_losses.filter((row) => row.cohort === now.cohort && (!now.model || row.model === now.model));
    const lanes = unique(losing.map((row) => JSON.stringify([row.lane, row.profile]))).map((key) => losing.filter((row) => JSON.stringify([row.lane, row.profile]) === key));
    put("ledger-losses", lanes.length ? `Answers that could not be read grow with the rounds, and every such loss can look like a collapse: ${some(lanes.map((of) =>
      `${of[0].lane}, ${of[0].profile} (${of.map((row) => `round ${row.round}: ${percent(row.unparsed_rate, 1)}`).join(", ")}; p = ${pValue(of[0].trend_p)})`))}.` : "");
    const missing = ofChoice(data.rule_sensitivity, now).filter((row) => row.unavailable_reason);
    put("ledger-missing", missing.length ? `Not shown, since this rule cannot code them: ${some(missing.map((row) => `${row.model} (${row.unavailable_reason})`))}.` : "");
    put("ledger-table", table("Counts per model", rows, [
      ["model", (r) => r.model], ["family", (r) => r.family], ["debates", (r) => count(r.n_debates), "number"], ["started right", (r) => count(r.n_initial_correct), "number"],
      ["started wrong", (r) => count(r.n_initial_wrong), "number"], ["started undecided", (r) => count(r.n_initial_undecided), "number"],
      ...CELLS.map((name) => [name.replace("_correct", ", then right"), (r) => count(r[`n_${name}`]), "number"]),
      ...["collapse", "correction"].flatMap((name) => [[`${name}s on an unread panel`, (r) => count(r[`n_${name}_unread`]), "number"], [`${name}s on a tie`, (r) => count(r[`n_${name}_by_tie`]), "number"]]),
      ["corrections − collapses", (r) => signed(r.net_corrections, 0) + (r.is_sign_unread ? " ±" : ""), "number"],
    ]));
  }
  async function flows(now) {
    const rows = ofChoice(data.transitions, now);
    const points = rows.flatMap((row) => ["collapse", "correction"].map((flow) => ({
      model: row.model, flow, rate: row[`conditional_${flow}`], lower: row[`conditional_${flow}_ci_lower`], upper: row[`conditional_${flow}_ci_upper`],
      n: row[`n_${flow}`], of: row[`conditional_${flow}_n`],
    })).filter((point) => point.rate !== null));
    await chart("flows", { rows: points }, "Points with intervals: conditional collapse and conditional correction of each model");
    put("flows-caption", `${chosenText(now)} Collapses of ${count(sum(rows, "conditional_collapse_n"))} right starts, corrections of ${count(sum(rows, "conditional_correction_n"))} wrong ones.`);
    const rate = (flow) => (r) => percent(r[`conditional_${flow}`]) + interval(r[`conditional_${flow}_ci_lower`], r[`conditional_${flow}_ci_upper`]);
    put("flows-table", table("Rates with 95 % Wilson intervals", rows, [
      ["model", (r) => r.model], ["collapses of right starts", (r) => `${count(r.n_collapse)} of ${count(r.conditional_collapse_n)}`, "number"], ["conditional collapse", rate("collapse"), "number"],
      ["corrections of wrong starts", (r) => `${count(r.n_correction)} of ${count(r.conditional_correction_n)}`, "number"], ["conditional correction", rate("correction"), "number"],
    ]));
  }
  const onsetName = (round) => (round === null ? "no recorded round" : round > 4 ? "later" : `round ${round}`);
  async function onsets(now) {
    const rows = ofChoice(data.onsets, now);
    const stretches = unique(rows.map((row) => row.model)).flatMap((model) => {
      const merged = new Map();
      for (const row of rows) if (row.model === model && row.n_onset > 0) merged.set(onsetName(row.onset_round), (merged.get(onsetName(row.onset_round)) ?? 0) + row.n_onset);
      const total = sum([...merged.values()].map((n) => ({ n })), "n");
      let start = 0;
      return [...merged].map(([onset, n]) => ({ model, onset, n, n_collapse: total, start, end: (start += n), middle: start - n / 2, is_dark: onset === "round 1" || onset === "round 2" }));
    });
    // A count is written where its stretch has room for it.
    const longest = Math.max(1, ...stretches.map((row) => row.end));
    stretches.forEach((row) => { row.total = row.end === row.n_collapse ? count(row.end) : ""; });
    for (const row of stretches) row.label = row.n / longest > 0.05 ? count(row.n) : "";
    await chart("onsets", { rows: stretches }, "Stacked bars: collapses of each model by the round in which the majority broke", "No debate collapsed here.");
    put("onsets-caption", `${chosenText(now)} n = ${many(sum(rows, "n_onset"), "collapse")}; the number behind a bar is the model's.`);
    put("onsets-table", table("Collapses by onset", rows, [
      ["model", (r) => r.model], ["onset", (r) => (r.onset_round === null ? "no recorded round" : `round ${r.onset_round}`)], ["collapses with this onset", (r) => count(r.n_onset), "number"],
      ["round unread", (r) => count(r.n_onset_unread), "number"], ["round tied", (r) => count(r.n_onset_by_tie), "number"],
      ["of all collapses", (r) => count(r.n_collapse), "number"], ["share", (r) => percent(r.onset_share, 1), "number"], ["debates that held the round", (r) => count(r.n_debates_with_round), "number"],
    ], { empty: "No debate collapsed here." }));
  }
  async function screen(now) {
    const set = $("points").value;
    const rows = data.screen_points.filter((row) => pointSet(row) === set);
    const tests = data.screen_tests.filter((row) => pointSet(row) === set);
    const wide = $("screen").clientWidth > 640;
    const anyShown = !now.model || rows.some((row) => row.model === now.model);
    const points = rows.map((row) => ({ ...row, is_shown: !now.model || !anyShown || row.model === now.model, label: (wide && rows.length <= 16) || row.model === now.model ? row.model : "" }));
    // From the top: a label goes below its point where one above would meet the label of a neighbour.
    const [width, height] = ["flip_rate", "collapse_percent"].map((key) => Math.max(...rows.map((row) => row[key])) - Math.min(...rows.map((row) => row[key])) || 1);
    [...points].sort((a, b) => b.collapse_percent - a.collapse_percent).forEach((point, i, sorted) => {
      const near = (other) => Math.abs(other.flip_rate - point.flip_rate) < 0.12 * width && Math.abs(other.collapse_percent - point.collapse_percent) < 0.06 * height;
      const isBelow = sorted.slice(0, i).some((other) => other.above && near(other));
      Object.assign(point, { above: isBelow ? "" : point.label, below: isBelow ? point.label : "" });
    });
    const whole = tests.find((row) => row.level === "model");
    await chart("screen", { rows: points }, "Scatter plot: flip rate under probes against conditional collapse, one point per model, by family", "No model of this set has both a flip rate and a ledger.");
    if (!rows.length) {
      put("screen-caption", "No set of models has probes and debates.");
      put("screen-tests");
      put("screen-table");
      return;
    }
    const [name, definition] = JSON.parse(set);
    const own = cohortRow(name);
    put("screen-caption", `${name}${own?.is_invented ? " (invented, no result)" : ""}: ${many(rows.length, "model")} of ${many(unique(rows.map((row) => row.family)).length, "family")}; flip rate: ${definition}.` +
      (whole && whole.rho !== null ? ` Models: ρ = ${fixed(whole.rho, 3)}, ${whole.permutation_method === "exact" ? "exact " : ""}p = ${pValue(whole.p_two_sided)}.` : "") +
      (own ? ` Coded by the cohort's own rule, ${own.coding_rule}.` : " Values as the study printed them.") +
      (name === now.cohort ? "" : ` The chosen cohort is ${now.cohort}; this set is another one.`) + (now.model && anyShown ? ` ${now.model} is drawn strongly; ρ is about all points.` : ""));
    put("screen-tests", table("Rank correlation of flip rate and conditional collapse", tests, [
      ["points are", (r) => (r.level === "model" ? "models" : `families (${r.level.replace("family ", "")})`)], ["points", (r) => count(r.rho_n), "number"], ["ρ", (r) => fixed(r.rho, 3), "number"],
      ["p, two-sided", (r) => pValue(r.p_two_sided), "number"], ["orders as extreme", (r) => (r.n_orders === null ? DASH : `${count(r.n_two_sided)} of ${count(r.n_orders)}`), "number"],
      ["how", (r) => (r.permutation_method === "exact" ? "exact: every order counted" : r.permutation_method === null ? r.reason : `${r.permutation_method}: orders drawn`), "long"],
    ], { empty: "Not tested." }));
    put("screen-table", table("Points", rows, [
      ["model", (r) => r.model], ["family", (r) => r.family], ["flip rate", (r) => fixed(r.flip_rate, 4), "number"], ["conditional collapse, %", (r) => fixed(r.collapse_percent, 2), "number"],
      ["collapses", (r) => count(r.n_collapse), "number"], ["right starts", (r) => count(r.n_initial_correct), "number"],
    ]));
  }
  async function aucs(now) {
    const own = cohortRow(now.cohort).coding_rule;
    const otherRule = `These models are fitted under the cohort's own rule, ${own}; there are none for ${now.rule}.`;
    const all = data.aucs.filter((row) => row.cohort === now.cohort && row.coding_rule === now.rule && row.scope === (now.model || "all"));
    const rows = all.filter((row) => row.auc !== null);
    const reasons = unique(all.map((row) => row.reason).filter(Boolean));
    const hasRule = data.aucs.some((row) => row.cohort === now.cohort && row.coding_rule === now.rule);
    await chart("aucs", { rows }, "Lines: AUC with what is known before debate, after round 1, after rounds 2 and 3",
      hasRule ? `No AUC: ${some(reasons) || "none was computed"}.` : otherRule);
    put("aucs-caption", rows.length ? `${chosenText(now)} n = ${count(rows[0].auc_n)} debates, ${count(rows[0].n_collapse)} of them collapses.` : "");
    put("aucs-table", table("AUC of the out-of-fold scores", all, [
      ["recipe", (r) => r.recipe], ["what is known", (r) => r.features], ["AUC", (r) => fixed(r.auc, 5), "number"], ["debates", (r) => count(r.auc_n), "number"],
      ["collapses", (r) => count(r.n_collapse), "number"], ["why none", (r) => r.reason, "long"],
    ], { empty: otherRule }));
    const steps = ofChoice(data.auc_steps, now, { byModel: false });
    const drawn = steps.filter((row) => row.auc_difference !== null && !now.model).map((row) => ({ ...row, lower: row.question_lower ?? row.auc_difference, upper: row.question_upper ?? row.auc_difference }));
    await chart("auc_steps", { rows: drawn, zero: [{ zero: 0 }] }, "Points with intervals: what each further round adds to the AUC",
      now.model ? "Steps are computed for the whole cohort only: choose all models." : hasRule ? `No steps: ${some(unique(steps.map((row) => row.reason).filter(Boolean))) || "none were computed"}.` : otherRule);
    put("auc_steps-caption", drawn.length ? `n = ${count(drawn[0].n_debates)} debates of ${count(drawn[0].n_questions)} questions and ${count(drawn[0].n_models)} models; ${count(drawn[0].n_draws)} resamples.` : "");
    put("auc_steps-table", table("What each step adds (whole cohort)", now.model ? [] : steps, [
      ["recipe", (r) => r.recipe], ["step", (r) => r.step], ["AUC added", (r) => signed(r.auc_difference, 4), "number"], ["95 %, questions drawn", (r) => range(r.question_lower, r.question_upper, 4), "number"],
      ["95 %, questions and models drawn", (r) => range(r.question_and_model_lower, r.question_and_model_upper, 4), "number"], ["why none", (r) => r.reason, "long"],
    ]));
  }

  // Counts of each policy for the chosen models. saved and thrown decide its utility; null where the published counts do not tell them.
  function policies(now) {
    if (now.model) {
      return ofChoice(data.replay_by_model, now).map((row) => ({
        ...row, lost: row.source === "gate" ? row.n_thrown_away : row.n_lost, n_gained: row.source === "gate" ? 0 : null, n_broken: row.source === "gate" ? 0 : null,
        saved: row.n_thrown_away === null ? null : row.n_prevented, thrown: row.n_thrown_away, reason: null,
      }));
    }
    return ofChoice(data.replay, now, { byModel: false }).map((row) => (row.reason !== null && row.n_prevented === null ? { ...row, saved: null, thrown: null } : {
      ...row, lost: row.n_lost + row.n_lost_undecided, saved: row.n_prevented - row.n_broken, thrown: row.n_lost + row.n_lost_undecided - row.n_gained,
    }));
  }
  async function replay(now) {
    const all = policies(now);
    const rows = all.filter((row) => row.n_prevented !== null).sort((a, b) => b.net - a.net || (a.policy < b.policy ? -1 : 1));
    const bars = rows.flatMap((row) => {
      const right = row.n_prevented + (row.n_gained ?? 0);
      const left = row.lost + (row.n_broken ?? 0);
      const of = { policy: row.policy + (row.is_deployable ? "" : " (bound)") + (row.is_exploratory ? " (in-sample)" : ""), n_debates: row.n_debates };
      return [
        { ...of, effect: "prevented", n: row.n_prevented, start: 0, end: row.n_prevented, side: 1, label: count(right), label_at: right },
        { ...of, effect: "lost", n: row.lost, start: 0, end: -row.lost, side: -1, label: count(left), label_at: -left },
        ...(row.n_gained ? [{ ...of, effect: "gained", n: row.n_gained, start: row.n_prevented, end: right, side: 0 }] : []),
        ...(row.n_broken ? [{ ...of, effect: "broken", n: row.n_broken, start: -row.lost, end: -left, side: 0 }] : []),
      ];
    });
    await chart("replay", { rows: bars, zero: [{ zero: 0 }] }, "Diverging bars: collapses that each policy prevents, right, and corrections that it throws away, left", "No policy could be scored here.");
    const sizes = unique(rows.map((row) => row.n_debates)).sort((a, b) => a - b);
    put("replay-caption", rows.length ? `${chosenText(now)} Debates decided: ${sizes.length === 1 ? count(sizes[0]) : `${count(sizes[0])} to ${count(sizes.at(-1))}, by policy`}.` : "");
    put("replay-table", table("Policies on saved debates", rows, [
      ["policy", (r) => r.policy], ["debates decided", (r) => count(r.n_debates), "number"], ["not decided", (r) => count(r.n_undecidable), "number"], ["acted on", (r) => count(r.n_fired), "number"],
      ["collapses prevented", (r) => count(r.n_prevented), "number"], ["corrections lost", (r) => count(r.lost), "number"], ["gained", (r) => count(r.n_gained), "number"],
      ["broken", (r) => count(r.n_broken), "number"], ["net right answers", (r) => signed(r.net, 0), "number"],
    ], { empty: "No policy could be scored here." }));
    const known = data.gates.filter((gate) => all.some((row) => row.policy === gate.policy));
    put("replay-gates", ...(known.length ? [element("details", {}, element("summary", {}, "What each policy does"),
      table("Policies; one that is not here is the reader's own", known, [["policy", (r) => r.policy], ["when it puts the first majority back", (r) => r.description, "long"]]))] : []));
    const unscored = all.filter((row) => row.n_prevented === null);
    put("replay-unscored", ...(unscored.length ? [element("details", {}, element("summary", {}, `Policies that could not be scored: ${unscored.length}`),
      table("Not scored", unscored, [["policy", (r) => r.policy], ["why", (r) => r.reason, "long"]]))] : []));
  }

  // ---- the slider
  let ranked = [];
  const isComparable = (row) => row.saved !== null && row.is_deployable && !row.is_exploratory && row.n_undecidable === 0 && row.n_answered === row.n_debates && row.n_answered > 0;
  const utilityOf = (row, ratio) => (100 * (ratio * row.saved - row.thrown)) / row.n_answered;
  // Where the line through the ratios crosses 0, if it does above ratio 0.
  const flipOf = (row) => (row.saved !== 0 && row.thrown / row.saved > 0 ? row.thrown / row.saved : null);
  function signText(row) {
    const flip = flipOf(row);
    if (flip !== null) return row.saved > 0 ? `pays above ${fixed(flip, 3)}` : `pays below ${fixed(flip, 3)}`;
    if (row.saved === 0 && row.thrown === 0) return "changes nothing";
    if (row.saved >= 0 && row.thrown <= 0) return row.thrown === 0 ? "pays above 0" : "pays at every ratio";
    return "pays at none";
  }
  const whyApart = (row) => {
    if (row.n_prevented === null) return row.reason;
    if (row.n_answered === 0) return "answers no debate";
    const reasons = [];
    if (!row.is_deployable) reasons.push("looks at the outcome: a bound that nobody can deploy");
    if (row.is_exploratory) reasons.push("learned on the debates that it is scored on");
    if (row.n_undecidable > 0 || row.n_answered !== row.n_debates) reasons.push(`answers ${count(row.n_answered)} of ${count(row.n_debates + row.n_undecidable)} debates`);
    if (row.saved === null) reasons.push("breaks preserved debates, which are not counted per model");
    return reasons.join("; ");
  };
  const ratioNow = () => Number($("ratio").value);
  function ranking() {
    const ratio = ratioNow();
    $("ratio-out").value = ratio.toFixed(1);
    $("ratio").setAttribute("aria-valuetext", `a prevented collapse is worth ${ratio.toFixed(1)} lost corrections`);
    // Equal utilities share a rank; standard debate has no counts to add up and is 0.
    const rows = [...ranked.map((row) => ({ ...row, utility: utilityOf(row, ratio) })), { policy: "standard debate", isStandard: true, utility: 0 }]
      .sort((a, b) => b.utility - a.utility || (b.isStandard ? 1 : 0) - (a.isStandard ? 1 : 0) || (a.policy < b.policy ? -1 : 1));
    for (const row of rows) row.rank = 1 + rows.filter((other) => other.utility > row.utility).length;
    put("ranking", ranked.length ? table(`Policies at ratio ${ratio.toFixed(1)}`, rows, [
      ["rank", (r) => r.rank, "number"], ["policy", (r) => (r.isStandard ? "standard debate (no policy)" : r.policy)], ["net utility, points", (r) => signed(r.utility, 3), "number"],
      ["prevented", (r) => (r.isStandard ? DASH : count(r.n_prevented)), "number"], ["lost", (r) => (r.isStandard ? DASH : count(r.lost)), "number"],
      ["debates", (r) => (r.isStandard ? DASH : count(r.n_answered)), "number"], ["sign", (r) => (r.isStandard ? "0 by definition" : signText(r)), "text sign"],
    ], { rowClass: (r) => (r.isStandard ? "standard" : "") }) : note("No policy that can be deployed answers every debate here."));
    [...$("ranking").querySelectorAll("tbody tr")].forEach((tr, i) => { tr.dataset.policy = rows[i].policy; tr.dataset.utility = rows[i].utility; tr.dataset.rank = rows[i].rank; });
    const better = rows.filter((row) => row.utility > 0);
    put("ranking-summary", !ranked.length ? "" : better.length
      ? `At ${ratio.toFixed(1)}, ${better.length} of ${ranked.length} policies beat standard debate; ${better[0].policy} leads with ${signed(better[0].utility, 3)} points.`
      : `At ${ratio.toFixed(1)}, none of ${ranked.length} policies beats standard debate.`);
  }
  async function utility(now) {
    const all = policies(now);
    ranked = all.filter(isComparable);
    const ends = [0, 10];
    const rows = ranked.flatMap((row) => ends.map((ratio) => ({ policy: row.policy, ratio, utility: utilityOf(row, ratio) })));
    const flips = ranked.map((row) => ({ policy: row.policy, ratio: flipOf(row) })).filter((row) => row.ratio !== null && row.ratio <= 10);
    ranking();
    await chart("utility", { rows, flips, zero: [{ zero: 0 }], marker: [{ ratio: ratioNow() }] },
      "Lines: net utility of each policy over the worth of a prevented collapse; a point marks where its sign flips", "No policy that can be deployed answers every debate here.");
    put("utility-caption", ranked.length ? `${chosenText(now)} n = ${count(ranked[0].n_answered)} debates. A point is where a policy's sign flips; above the line it beats standard debate. The dashed line is the slider.` : "");
    const apart = all.filter((row) => !isComparable(row));
    put("unranked", ...(apart.length ? [element("details", {}, element("summary", {}, `Not ranked: ${many(apart.length, "policy")}`), table("Not ranked, and why", apart, [
      ["policy", (r) => r.policy], ["why", whyApart, "long"], ["prevented", (r) => count(r.n_prevented), "number"], ["lost", (r) => count(r.lost), "number"],
      ["sign", (r) => (r.saved === null ? DASH : signText(r))],
    ]))] : []));
  }

  async function sensitivity(now) {
    const rows = ofChoice(data.rule_sensitivity, now, { byRule: false });
    const points = rows.filter((row) => row.conditional_collapse !== null).map((row) => ({
      model: row.model, coding_rule: row.coding_rule, rate: row.conditional_collapse, lower: row.conditional_collapse_ci_lower, upper: row.conditional_collapse_ci_upper,
      n: row.n_collapse, of: row.conditional_collapse_n, is_selected: row.coding_rule === now.rule,
    }));
    await chart("sensitivity", { rows: points }, "Points with intervals: conditional collapse of each model under each coding rule");
    const missing = rows.filter((row) => row.unavailable_reason);
    put("sensitivity-caption", `${chosenText(now, { byRule: false })} The rule of the filter, ${now.rule}, is drawn strongly. ${missing.length} of ${rows.length} pairs of model and rule have no number.`);
    put("sensitivity-table", table("Conditional collapse under each rule", rows, [
      ["model", (r) => r.model], ["rule", (r) => r.coding_rule + (r.is_cohort_rule ? " (the cohort's own)" : "")], ["debates", (r) => count(r.n_debates), "number"], ["undefined", (r) => count(r.n_undefined), "number"],
      ["collapses", (r) => (r.n_collapse === null ? DASH : `${count(r.n_collapse)} of ${count(r.conditional_collapse_n)}`), "number"],
      ["conditional collapse", (r) => percent(r.conditional_collapse) + interval(r.conditional_collapse_ci_lower, r.conditional_collapse_ci_upper), "number"],
      ["corrections", (r) => (r.n_correction === null ? DASH : `${count(r.n_correction)} of ${count(r.conditional_correction_n)}`), "number"], ["why none", (r) => r.unavailable_reason, "long"],
    ]));
    put("rules-table", table("Coding rules", data.coding_rules, [["rule", (r) => r.coding_rule], ["what it does", (r) => r.description, "long"]]));
  }
  function audit(now) {
    const [total] = data.landed;
    if (total) {
      put("landed", `All cohorts: ${count(total.n_files_landed)} files with ${count(total.n_lines)} lines landed: ${count(total.n_debate_lines)} of debates, ${count(total.n_probe_lines)} of probes, ` +
        `${count(total.n_action_lines)} of actions, ${count(total.n_evaluation_lines + total.n_audit_record_lines)} of the verifier audit, ${count(total.n_rejected_lines)} rejected, ${count(total.n_header_lines + total.n_blank_lines)} headers and blank lines. ` +
        `${count(total.n_files_skipped)} files were skipped, ${count(total.n_files_unreadable)} could not be read.`);
      put("made-of", `Debate ledger ${total.ledger_version}; SHA-256 of the input: ${total.input_sha256}.`);
    }
    const inSome = new Set(data.file_models.map((row) => row.file_key));
    const inChoice = new Set(data.file_models.filter((row) => row.cohort === now.cohort && (!now.model || row.model === now.model)).map((row) => row.file_key));
    const screened = data.parser.filter((row) => row.cohort === now.cohort && (!now.model || row.model === now.model));
    for (const row of screened) inChoice.add(row.file_key);
    // Files in no cohort (probes that screen nothing, actions) stand beside the cohorts that are invented, or are not, as they are.
    const isShown = (row) => inChoice.has(row.file_key) || (!inSome.has(row.file_key) && row.is_invented === cohortRow(now.cohort).is_invented);
    const place = (key) => (inChoice.has(key) ? now.cohort : "in no cohort");
    const files = data.files.filter(isShown);
    const capped = data.files.length && data.files[0].n_files > data.files.length ? ` The list holds ${count(data.files.length)} of ${count(data.files[0].n_files)} files: those with trouble first.` : "";
    put("files-table", table("Files of this choice, and files in no cohort", files, [
      ["file", (r) => r.file, "long"], ["in", (r) => place(r.file_key) + (r.is_invented ? " (invented)" : "")], ["status", (r) => r.status + (r.reason ? `: ${r.reason}` : "")], ["shape", (r) => r.dialects], ["lines", (r) => count(r.n_lines), "number"],
      ["debates", (r) => count(r.n_debate_lines), "number"], ["probes", (r) => count(r.n_probe_lines), "number"], ["rejected", (r) => count(r.n_rejected_lines), "number"],
      ["headers, blank", (r) => count(r.n_header_and_blank_lines), "number"],
    ], { empty: "No file belongs to this choice." }), ...(capped ? [element("p", { className: "small" }, capped)] : []));
    const byRounds = (text) => Object.entries(JSON.parse(text)).map(([held, n]) => `${held}: ${count(n)}`).join(", ") || "none";
    const compared = (row, name) => (row[`n_${name}`] === 0 ? DASH : `${byRounds(row[`${name}_rounds`])}` + (row[`${name}_test`] === null ? "; not comparable" : `; ${row[`${name}_test`]}, p = ${pValue(row[`${name}_p`])}${row[`${name}_p`] < 0.05 ? ": they differ" : ""}`));
    const lossShare = (n, of) => `${count(n)} (${percent(n / of, 1)})`;
    put("losses-table", table("Imported debates of this cohort", data.import_losses.filter((row) => row.cohort === now.cohort), [
      ["files", (r) => count(r.n_files), "number"], ["debates", (r) => count(r.n_debates), "number"], ["lost", (r) => lossShare(r.n_lost, r.n_debates), "number"], ["rejected", (r) => count(r.n_rejected), "number"], ["key unread", (r) => count(r.n_key_unread), "number"],
      ["key not stated", (r) => lossShare(r.n_not_stated, r.n_debates), "number"], ["kept by rounds held", (r) => byRounds(r.kept_rounds), "long"], ["lost by rounds held", (r) => compared(r, "lost"), "long"], ["not stated by rounds held", (r) => compared(r, "not_stated"), "long"],
    ], { empty: "No file of this cohort has a receipt of ledger import." }),
      ...data.receipts.map((row) => element("p", { className: "small" }, `Receipt of ${row.file_key}: ${row.problem}.`)));
    const rejected = data.rejected.filter(isShown);
    const listed = sum(data.rejected, "n");
    put("rejected-table", table("Rejected, by file and reason", rejected, [
      ["file", (r) => r.file, "long"], ["part", (r) => r.part ?? "whole line"], ["reason and way out", (r) => r.reason, "long"], ["lines", (r) => count(r.n), "number"], ["first at line", (r) => count(r.first_line), "number"],
    ], { empty: "Nothing was rejected in the files of this choice." }), ...(data.rejected.length && data.rejected[0].n_all > listed
      ? [element("p", { className: "small" }, `${count(data.rejected[0].n_all - listed)} more are in the table rejected_lines.`)] : []));
    const agents = data.agents.filter(isShown);
    put("agents-table", table("Names that earlier rounds do not know", agents, [
      ["file", (r) => r.file_key, "long"], ["problem", (r) => r.problem], ["name", (r) => r.agent], ["may be", (r) => r.proposed_agent], ["debates", (r) => `${count(r.n_debates)} of ${count(r.n_file_debates)}`, "number"],
      ["flips not counted in", (r) => count(r.n_debates_uncounted), "number"],
    ], { empty: "Every name is known in the files of this choice." }), ...(data.agents.length && data.agents[0].n_all > data.agents.length
      ? [element("p", { className: "small" }, `${count(data.agents[0].n_all - data.agents.length)} more are in the table unmatched_agents.`)] : []));
    const lanes = data.parser.filter((row) => (row.cohort === now.cohort && (!now.model || row.model === now.model)) || (row.cohort === null && isShown(row)));
    put("parser-table", table("Probe replies by lane", lanes, [
      ["lane", (r) => r.lane + (r.is_invented ? " (invented)" : "")], ["screens", (r) => r.cohort ?? "no cohort"], ["replies", (r) => count(r.n_replies), "number"], ["unparsed", (r) => count(r.n_unparsed), "number"],
      ["share unparsed", (r) => percent(r.none_rate, 1), "number"], ["flip rate, unparsed is no flip", (r) => fixed(r.flip_rate_none_as_no_flip, 3), "number"], ["flip rate, unparsed is a flip", (r) => fixed(r.flip_rate_none_as_flip, 3), "number"],
    ], { empty: "No probe replies belong to this choice." }));
  }
  const COMES_BACK = ["exact", "rounds to published"];
  function reproduction() {
    const wanted = $("status").value;
    const rows = data.reproduction.filter((row) => wanted === "all" || (wanted === "trouble" ? !COMES_BACK.includes(row.status) : row.status === wanted));
    put("reproduction-table", table(`Printed quantities: ${rows.length} of ${data.reproduction.length}`, rows, [
      ["study", (r) => r.study], ["statistic", (r) => r.statistic], ["what", (r) => r.description, "long"], ["section", (r) => r.paper_section], ["quantity", (r) => r.quantity], ["n", (r) => r.n, "number"], ["published", (r) => short(r.published), "number"],
      ["recomputed", (r) => (r.recomputed === null ? DASH : short(r.recomputed.toPrecision(15))), "number"], ["status", (r) => r.status], ["reason", (r) => r.reason, "long"],
    ], { empty: "No published statistic is known here." }));
  }
  function reproductionOnce() {
    const statuses = unique(data.reproduction.map((row) => row.status)).sort();
    const number = (status) => data.reproduction.filter((row) => row.status === status).length;
    options($("status"), [["trouble", "what does not come back"], ["all", "everything"], ...statuses.map((status) => [status, `${status} (${number(status)})`])], "trouble");
    put("reproduction-summary", table("Statistics by what became of them", data.reproduction_summary, [
      ["study", (r) => r.study], ["statistics", (r) => count(r.n_statistics), "number"], ["reproduced", (r) => count(r.n_reproduced), "number"], ["but for an interval", (r) => count(r.n_value_reproduced_only), "number"],
      ["differ", (r) => count(r.n_differ), "number"], ["inputs unpublished", (r) => count(r.n_inputs_unpublished), "number"], ["not attempted", (r) => count(r.n_not_attempted), "number"],
      ["printed quantities", (r) => count(r.n_quantities), "number"], ["of them reproduced", (r) => count(r.n_quantities_reproduced), "number"],
    ], { empty: "No published statistic is known here." }));
    reproduction();
  }

  // The state of a round under a rule: the ends as the ledger has them, the rounds between by what the rule decides by.
  function stateOf(round, example, rule) {
    if (round.round === 0) return example.initial_state;
    if (round.round === example.end_round) return example.final_state;
    const undecided = rule.undecided_panel === "wrong" ? "wrong" : "undecided";
    const known = round.n_asked !== null;
    if (rule.panel_decision === "agreement" && round.agreement_counting_unparsed !== null && Math.abs(round.agreement_counting_unparsed - 1 / 3) < 1e-6) return "undecided";
    const isRight = { alphabetical: round.alphabetical_correct, plurality: round.plurality_correct, normalised: round.normalised_correct }[rule.panel_decision] ?? (rule.panel_decision === "stored" || rule.panel_decision === "agreement" ? round.stored_correct : null);
    if (isRight === null) return known && rule.panel_decision !== "stored" ? undecided : null;
    return isRight ? "right" : "wrong";
  }
  const SIGNS = { right: "✓ right", wrong: "✗ wrong", undecided: "? undecided" };
  function examples(now) {
    const rule = data.coding_rules.find((row) => row.coding_rule === now.rule);
    const found = data.examples.filter((row) => row.cohort === now.cohort && row.coding_rule === now.rule && row.drawn_of_model === (now.model || null))
      .sort((a, b) => CELLS.indexOf(a.cell) - CELLS.indexOf(b.cell));
    if (!found.length) {
      const tooMany = unique(data.transitions.filter((row) => row.cohort === now.cohort).map((row) => row.model)).length > content.limits.examples;
      put("examples", note(now.model && tooMany ? `Cohorts of more than ${content.limits.examples} models have examples of the cohort only: choose all models.` : "No debate has a cell under this choice."));
      return;
    }
    put("examples", ...found.map((example) => {
      const rounds = data.example_rounds.filter((row) => row.cohort === example.cohort && row.debate_key === example.debate_key);
      const votes = (r) => (r.n_asked === null ? DASH : `${count(r.n_leading)} of ${count(r.n_asked)}${r.n_leaders > 1 ? ", tie" : ""}${r.n_parsed < r.n_asked ? `, ${r.n_asked - r.n_parsed} unparsed` : ""}`);
      const caption = `Rounds of ${example.debate_key}`;
      const state = (r) => {
        const value = stateOf(r, example, rule);
        return value === null ? DASH : element("span", { className: `state-${value}` }, SIGNS[value] + (value === "wrong" && example.onset_round === r.round ? ", onset" : ""));
      };
      return element("article", { className: `example ${example.cell}` },
        element("h3", {}, CELL_TEXT[example.cell] ?? example.cell),
        element("p", { className: "small" }, `${example.model}, question ${example.question_id ?? DASH}, answer key ${example.correct_label ?? DASH}. Drawn from ${many(example.n_debates_in_cell, "debate")} in this cell.` +
          (example.undefined_reason ? ` Undefined: ${example.undefined_reason.replace("_", " ")}.` : "")),
        table(caption, rounds, [
          ["round", (r) => r.round + (r.round === example.end_round ? " (end)" : ""), "number"], ["state", state],
          ...(rounds.some((r) => r.n_asked !== null) ? [["majority", (r) => (rule.panel_decision === "normalised" ? r.normalised_majority : r.majority) ?? r.stored_majority], ["votes", votes, "text votes"], ["on the key", (r) => count(r.n_correct), "number"]] : []),
          ["largest group", (r) => (r.agreement_counting_unparsed === null ? DASH : percent(r.agreement_counting_unparsed, 0)), "number"],
        ], { empty: `No round is on record: ${example.initial_state ?? DASH} at the start, ${example.final_state ?? DASH} at the end.` }));
    }));
  }

  // ---- drawing, one choice after the other
  let generation = 0;
  let queue = Promise.resolve();
  async function draw(mine) {
    const now = choice();
    const sections = [summary, ledger, flows, onsets, screen, aucs, replay, utility, sensitivity, audit, examples];
    for (const section of sections) {
      if (mine !== generation) return;
      await section(now);
    }
    document.body.dataset.state = "ready";
  }
  const failed = (error) => {
    document.body.dataset.state = "failed";
    console.error(error);
  };
  function redraw() {
    const mine = ++generation;
    document.body.dataset.state = "drawing";
    queue = queue.then(() => draw(mine)).catch(failed);
  }
  document.querySelectorAll("main section[id]").forEach((section) => {
    const title = section.querySelector("h2");
    title.id = `${section.id}-title`;
    section.setAttribute("aria-labelledby", title.id);
    $("contents").append(element("li", {}, element("a", { href: `#${section.id}` }, title.textContent)));
  });
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  $("cohort").addEventListener("change", () => { fillFromCohort(); redraw(); });
  $("model").addEventListener("change", redraw);
  $("rule").addEventListener("change", redraw);
  $("points").addEventListener("change", () => { queue = queue.then(() => screen(choice())).catch(failed); });
  $("status").addEventListener("change", reproduction);
  $("ratio").addEventListener("input", () => {
    ranking();
    const view = views.get("utility")?.view;
    if (view) view.data("marker", [{ ratio: ratioNow() }]).runAsync();
  });
  // A phone that is turned gets charts for its new width.
  let narrowBefore = window.innerWidth < 560;
  window.addEventListener("resize", () => {
    const narrow = window.innerWidth < 560;
    if (narrow !== narrowBefore) redraw();
    narrowBefore = narrow;
  });
  if (!data.cohorts.length) {
    put("summary", "No debates have landed: put a file of debates into the data folder and build the ledger again.");
    reproductionOnce();
    return;
  }
  fillCohorts();
  fillFromCohort();
  reproductionOnce();
  redraw();
})();
