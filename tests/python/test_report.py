"""The report: loads nothing, runs no name of the data, and its figures in a browser have the values of the published file."""

import base64
import hashlib
import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import pytest
from conftest import ROOT, Ledger
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from debate_ledger.report import data, write_report

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver") or "/usr/bin/chromedriver"
#: Where screenshots go; they are looked at, not compared.
SHOTS = ROOT / "target" / "report"
CHARTS = {"ledger", "flows", "onsets", "screen", "aucs", "auc_steps", "replay", "utility", "sensitivity"}
CELLS = ("preserved", "collapse", "correction", "unrepaired", "undecided_correct", "undefined")
HOSTILE = """</script><img src=x onerror="window.harmed = 1"><!--'"&lt;{{sql:landed}}\u2028"""


@pytest.fixture(scope="module")
def report(shipped: Ledger, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report") / "deep" / "report.html"
    assert write_report(shipped.published, out) == out
    return out


class Tags(HTMLParser):
    """Every start tag with its attributes, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, text: str) -> None:
        if self.tags and self.tags[-1][0] in ("script", "style"):
            self.texts.append((self.tags[-1][0], text))


def content_of(report: Path) -> dict:
    found = re.search(r'<script type="application/json" id="content">(.*?)</script>', report.read_text(encoding="utf-8"), re.DOTALL)
    return json.loads(found[1])


def rows_of(report: Path, name: str) -> list[dict]:
    found = content_of(report)["data"][name]
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]


# ---- the page as text


def test_the_page_loads_nothing(report: Path) -> None:
    parsed = Tags(report.read_text(encoding="utf-8"))
    for tag, attributes in parsed.tags:
        for name in ("src", "href", "srcset", "action", "data", "poster", "background", "formaction", "ping"):
            address = attributes.get(name)
            assert address is None or address.startswith(("#", "data:")), (tag, name, address)
        assert not (tag == "meta" and attributes.get("http-equiv", "").lower() == "refresh")
    styles = "".join(text for kind, text in parsed.texts if kind == "style")
    assert styles and not re.search(r"url\(|@import", styles)


def test_the_policy_of_the_page_allows_its_scripts_and_nothing_else(report: Path) -> None:
    parsed = Tags(report.read_text(encoding="utf-8"))
    policy = next(a["content"] for tag, a in parsed.tags if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy")
    allowed = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert allowed["default-src"] == "'none'"
    scripts = [
        text for (tag, a), text in zip([t for t in parsed.tags if t[0] == "script"], scripts_of(report), strict=True) if "type" not in a
    ]
    hashes = {"'sha256-" + base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() + "'" for s in scripts}
    assert set(allowed["script-src"].split()) == hashes and len(hashes) == 2


def scripts_of(report: Path) -> list[str]:
    return re.findall(r"<script[^>]*>(.*?)</script>", report.read_text(encoding="utf-8"), re.DOTALL)


def test_every_printed_query_gives_the_data_of_its_figure(shipped: Ledger, report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    printed = {unescape(sql) for sql in re.findall(r"<pre tabindex=0><code>(.*?)</code></pre>", text, re.DOTALL)}
    content = content_of(report)["data"]
    texts = data.queries()
    # The cohorts fill the filter and belong to no figure.
    assert printed == {sql for name, sql in texts.items() if name != "cohorts"}
    for name, sql in texts.items():
        assert json.loads(json.dumps(shipped.query(sql))) == content[name]["rows"], name


def test_the_report_is_the_same_twice_and_small(shipped: Ledger, report: Path, tmp_path: Path) -> None:
    began = time.monotonic()
    again = write_report(shipped.published, tmp_path / "again.html")
    assert time.monotonic() - began < 20
    assert again.read_bytes() == report.read_bytes()
    assert len(report.read_bytes()) < 2_000_000
    # An old report is replaced, and nothing is left beside it.
    write_report(shipped.published, again)
    assert list(tmp_path.iterdir()) == [again]


def test_an_example_is_the_debate_with_the_smallest_md5_of_its_cell(shipped: Ledger, report: Path) -> None:
    cells: dict[tuple, list[str]] = {}
    for cohort, rule, cell, model, key in shipped.query(
        """
        select cohort, coding_rule, cell, model, debate_key from debates
        where endpoint = (select any_value(l.endpoint) from cohort_lanes as l where l.cohort = debates.cohort)
        """
    ):
        cells.setdefault((cohort, rule, None, cell), []).append(key)
        cells.setdefault((cohort, rule, model, cell), []).append(key)
    examples = rows_of(report, "examples")
    drawn = {(e["cohort"], e["coding_rule"], e["drawn_of_model"], e["cell"]): (e["debate_key"], e["n_debates_in_cell"]) for e in examples}
    assert drawn == {cell: (min(keys, key=lambda k: hashlib.md5(k.encode()).hexdigest()), len(keys)) for cell, keys in cells.items()}
    assert {cell for cohort, rule, model, cell in drawn if (cohort, model) == ("primary", None)} >= {
        "preserved",
        "collapse",
        "correction",
        "unrepaired",
    }


def test_a_file_of_another_version_or_none_is_an_error_and_writes_nothing(shipped: Ledger, tmp_path: Path) -> None:
    with pytest.raises(duckdb.IOException):
        write_report(tmp_path / "none.duckdb", tmp_path / "report.html")
    old = tmp_path / "old.duckdb"
    with duckdb.connect(str(old)) as con:
        con.execute("create table transitions as select 1 as n_debates")
    with pytest.raises(duckdb.Error):
        write_report(old, tmp_path / "report.html")
    assert list(tmp_path.glob("*.html")) == []


# ---- the page in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    if not CHROMIUM or not Path(DRIVER).exists():
        print("no chromium or no chromedriver: the report is not opened in a browser")
        pytest.skip(
            "no chromium or no chromedriver on this machine (Debian: chromium, chromium-driver): the report is not opened in a browser"
        )
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
        "--disable-sync", "--no-first-run", "--hide-scrollbars", "--window-size=1200,900",
    ):  # fmt: skip
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


def wait(browser: webdriver.Chrome) -> None:
    """Until the charts are drawn; nothing may be on the console then."""
    WebDriverWait(browser, 60, 0.05).until(lambda b: b.execute_script("return document.body.dataset.state") in ("ready", "failed"))
    assert browser.get_log("browser") == []
    assert browser.execute_script("return document.body.dataset.state") == "ready"


@pytest.fixture
def opened(browser: webdriver.Chrome, report: Path) -> webdriver.Chrome:
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.get(report.as_uri())
    wait(browser)
    return browser


def choices(browser: webdriver.Chrome, filter_id: str) -> list[str]:
    script = "return [...document.getElementById(arguments[0]).options].map((option) => option.value)"
    return browser.execute_script(script, filter_id)


def choose(browser: webdriver.Chrome, filter_id: str, value: str) -> None:
    # By place: a hostile value cannot be written as a selector.
    Select(browser.find_element(By.ID, filter_id)).select_by_index(choices(browser, filter_id).index(value))
    wait(browser)


def cells_of(browser: webdriver.Chrome, table_id: str) -> list[list[str]]:
    """Texts of the rows of a table, also where it is folded away."""
    script = "return [...document.querySelectorAll(arguments[0])].map((row) => [...row.children].map((cell) => cell.textContent))"
    return browser.execute_script(script, f"#{table_id} tbody tr")


def drawn(browser: webdriver.Chrome, chart: str, kind: str) -> int:
    return browser.execute_script("return document.querySelectorAll(arguments[0]).length", f"#{chart} svg [aria-roledescription='{kind}']")


def number(text: str) -> float | None:
    """The value of a cell; a mark behind it says that unread panels could change its sign."""
    return None if text == "–" else float(text.removesuffix(" ±").replace(",", "").replace("−", "-"))


def screenshot(browser: webdriver.Chrome, name: str, width: int) -> Path:
    """The whole page at a width, as an image."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    )
    time.sleep(0.5)
    wait(browser)
    height = browser.execute_script("return document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    taken = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    SHOTS.mkdir(parents=True, exist_ok=True)
    path = SHOTS / name
    path.write_bytes(base64.b64decode(taken["data"]))
    return path


def test_the_page_draws_every_chart_without_a_word_on_the_console(opened: webdriver.Chrome) -> None:
    charts = opened.execute_script("return [...document.querySelectorAll('.chart')].map((c) => [c.id, c.querySelectorAll('svg').length])")
    assert dict(charts) == dict.fromkeys(CHARTS, 1)
    # Every chart says in words what it is.
    script = "return [...document.querySelectorAll('.chart svg')].map((s) => s.closest('[aria-label]').getAttribute('aria-label'))"
    labels = opened.execute_script(script)
    assert len([text for text in labels if text and len(text) > 20]) == len(CHARTS)
    assert "253" in opened.find_element(By.ID, "summary").text and "816" in opened.find_element(By.ID, "summary").text


@pytest.mark.parametrize("name, width", [("desktop.png", 1200), ("phone.png", 390)])
def test_the_page_fits_a_desk_and_a_phone(opened: webdriver.Chrome, name: str, width: int) -> None:
    path = screenshot(opened, name, width)
    assert path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size > 50_000
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width
    # No drawing is wider than its place.
    wide = "return [...document.querySelectorAll('.chart svg')].filter((s) => s.getBoundingClientRect().right > innerWidth).length"
    assert opened.execute_script(wide) == 0


def test_the_page_prints(opened: webdriver.Chrome) -> None:
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert opened.execute_script("return getComputedStyle(document.querySelector('.filters')).position") == "static"
        assert opened.execute_script("return getComputedStyle(document.querySelector('details.sql')).display") == "none"
        printed = base64.b64decode(opened.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
        assert printed.startswith(b"%PDF") and len(re.findall(rb"/Type\s*/Page\b", printed)) >= 3
        (SHOTS / "report.pdf").parent.mkdir(parents=True, exist_ok=True)
        (SHOTS / "report.pdf").write_bytes(printed)
    finally:
        opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def expected_ranking(shipped: Ledger, cohort: str, rule: str, ratio: float) -> list[tuple[str, float, int]]:
    """Policy, net utility and rank, standard debate among them, best first."""
    rows = shipped.query(
        """
        select policy, n_prevented, n_broken, n_lost, n_lost_undecided, n_gained, n_answered from replay
        where cohort = ? and coding_rule = ? and is_deployable and not is_exploratory and n_undecidable = 0 and n_answered = n_debates
            and n_answered > 0
        """,
        cohort, rule,
    )  # fmt: skip
    utility = {
        policy: 100 * (ratio * (prevented - broken) - (lost + lost_undecided - gained)) / answered
        for policy, prevented, broken, lost, lost_undecided, gained, answered in rows
    }
    utility["standard debate"] = 0.0
    ranked = sorted(utility.items(), key=lambda item: -item[1])
    return [(policy, value, 1 + sum(other > value for other in utility.values())) for policy, value in ranked]


def test_the_slider_is_reached_by_tab_and_ranks_by_the_right_values(shipped: Ledger, opened: webdriver.Chrome) -> None:
    opened.find_element(By.CSS_SELECTOR, "body").send_keys(Keys.TAB)
    assert opened.switch_to.active_element.get_attribute("class") == "skip"
    seen = []
    for _ in range(200):
        active = opened.switch_to.active_element
        seen.append(active.get_attribute("id"))
        if seen[-1] == "ratio":
            break
        active.send_keys(Keys.TAB)
    assert seen[-1] == "ratio" and {"cohort", "model", "rule", "points"} <= set(seen)
    assert opened.execute_script("return getComputedStyle(document.activeElement).outlineStyle") != "none"
    slider = opened.switch_to.active_element
    of_rows = "return [...document.querySelectorAll('#ranking tbody tr')].map((r) => r.dataset)"
    for keys, ratio in ((Keys.HOME + Keys.ARROW_RIGHT * 10, 1.0), (Keys.ARROW_RIGHT * 20, 3.0), (Keys.END, 10.0), (Keys.HOME, 0.0)):
        slider.send_keys(keys)
        assert opened.find_element(By.ID, "ratio-out").text == f"{ratio:.1f}"
        rows = [(r["policy"], float(r["utility"]), int(r["rank"])) for r in opened.execute_script(of_rows)]
        expected = expected_ranking(shipped, "primary", "stored", ratio)
        assert len(expected) > 3
        assert {(policy, rank) for policy, _, rank in rows} == {(policy, rank) for policy, _, rank in expected}
        assert [value for _, value, _ in rows] == pytest.approx([value for _, value, _ in expected])
        # What is written is what was computed.
        shown = {row[1].split(" (")[0]: (number(row[0]), number(row[2])) for row in cells_of(opened, "ranking")}
        assert shown == {policy: (rank, pytest.approx(value, abs=5.1e-4)) for policy, value, rank in expected}
        # The rule of the chart stands where the slider does.
        better = [policy for policy, value, _ in expected if value > 0]
        assert opened.find_element(By.ID, "ranking-summary").text.startswith(
            f"At {ratio:.1f}, {len(better)} of" if better else f"At {ratio:.1f}, none of"
        )
    # At a ratio of the published ladder, the utilities are the ladder's.
    slider.send_keys(Keys.HOME + Keys.ARROW_RIGHT * 20)
    ladder = dict(
        shipped.query(
            """
            select policy, net_utility_points from weight_ladder
            where cohort = 'primary' and coding_rule = 'stored' and weight_ratio = 2 and utility_rank is not null
            """
        )
    )
    rows = {r["policy"]: float(r["utility"]) for r in opened.execute_script(of_rows)}
    assert {policy: value for policy, value in rows.items() if policy != "standard debate"} == pytest.approx(ladder) and ladder


def test_the_marker_of_the_chart_follows_the_slider(opened: webdriver.Chrome) -> None:
    place = """
        const marks = [...document.querySelectorAll("#utility svg [aria-roledescription='rule mark']")];
        return Math.max(...marks.map((m) => m.getBoundingClientRect()).filter((r) => r.height > 50).map((r) => r.left))
    """
    at_one = opened.execute_script(place)
    slider = opened.find_element(By.ID, "ratio")
    slider.send_keys(Keys.END)
    WebDriverWait(opened, 10).until(lambda b: b.execute_script(place) > at_one + 100)


def test_the_sign_flips_where_the_table_says(shipped: Ledger, opened: webdriver.Chrome) -> None:
    flips = dict(shipped.query("select policy, break_even_weight from replay where cohort = 'primary' and coding_rule = 'stored'"))
    rows = {row[1]: row[-1] for row in cells_of(opened, "ranking") if not row[1].startswith("standard debate")}
    assert rows == {policy: f"pays above {flips[policy]:.3f}" for policy in rows} and len(rows) > 2
    # What cannot be deployed or answers only some debates has no rank, and says why.
    apart = {row[0]: row[1] for row in cells_of(opened, "unranked")}
    assert "looks at the outcome" in apart["perfect_gate"]
    assert set(apart) | set(rows) == set(flips) and not set(apart) & set(rows)


def test_the_filters_act_on_the_figures(shipped: Ledger, opened: webdriver.Chrome) -> None:
    cohorts = choices(opened, "cohort")
    assert cohorts[0] == "primary" and "samples" in cohorts
    assert not opened.find_element(By.ID, "invented").is_displayed()
    for cohort in ("samples", "primary"):
        choose(opened, "cohort", cohort)
        assert opened.find_element(By.ID, "invented").is_displayed() == (cohort == "samples")
        assert ("invented, no result" in opened.find_element(By.ID, "ledger-caption").text) == (cohort == "samples")
        rules = choices(opened, "rule")
        assert rules == [
            r
            for (r,) in shipped.query(
                "select distinct coding_rule from transitions where cohort = ? and endpoint = 'last' order by 1", cohort
            )
        ]
        for rule in rules:
            choose(opened, "rule", rule)
            check_ledger(shipped, opened, cohort, "", rule)
        choose(opened, "rule", "stored")
        models = [m for (m,) in shipped.query("select distinct model from transitions where cohort = ? order by 1", cohort)]
        for model in models[:3]:
            choose(opened, "model", model)
            check_ledger(shipped, opened, cohort, model, "stored")


def check_ledger(shipped: Ledger, browser: webdriver.Chrome, cohort: str, model: str, rule: str) -> None:
    """Numbers and marks of the figures are those of the published tables."""
    of = "where cohort = ? and coding_rule = ? and endpoint = 'last' and (model = ? or ? = '')"
    rows = shipped.query(
        f"""
        select model, n_debates, n_initial_correct, n_initial_wrong, {", ".join("n_" + cell for cell in CELLS)},
            n_collapse_unread, n_collapse_by_tie, n_correction_unread, n_correction_by_tie, net_corrections
        from transitions
        {of} order by 1
        """,
        cohort, rule, model, model,
    )  # fmt: skip
    shown = [[row[0], *(number(cell) for cell in [*row[2:5], *row[6:]])] for row in cells_of(browser, "ledger-table")]
    assert shown == [list(row) for row in rows]
    assert drawn(browser, "ledger", "bar") == sum(n > 0 for row in rows for n in row[4 : 4 + len(CELLS)])
    assert len(browser.find_elements(By.CSS_SELECTOR, "#ledger-cells table")) == len(rows)
    # Ends minus starts, which undecided starts that end right are part of.
    ((change, undecided),) = shipped.query(
        f"select sum(n_final_correct) - sum(n_initial_correct), sum(n_initial_undecided) from transitions {of}", cohort, rule, model, model
    )
    summary = browser.find_element(By.ID, "summary").text
    if rows:
        (shown_change,) = re.findall(r"sign of the effect: (\S+) right answers", summary)
        assert int(shown_change.replace("−", "-").replace(",", "")) == change, summary
        assert ("started undecided" in summary) == (undecided > 0)
        n_rows = len(browser.find_elements(By.XPATH, "//div[@id='ledger-cells']//th[starts-with(., 'started undecided')]"))
        assert n_rows == sum(
            n > 0 for (n,) in shipped.query(f"select n_initial_undecided from transitions {of}", cohort, rule, model, model)
        )
    rates = shipped.query(
        f"select count(conditional_collapse) + count(conditional_correction) from transitions {of}", cohort, rule, model, model
    )
    assert drawn(browser, "flows", "point") == rates[0][0]
    onsets = shipped.query(f"select sum(n_onset), count(distinct model) from onsets {of}", cohort, rule, model, model)[0]
    assert sum(number(row[2]) for row in cells_of(browser, "onsets-table") if len(row) > 2) == (onsets[0] or 0)
    table, columns = ("replay_by_model", "n_prevented, n_lost") if model else ("replay", "n_prevented, n_lost + n_lost_undecided")
    policies = shipped.query(
        f"select policy, {columns} from {table} where cohort = ? and coding_rule = ? and n_prevented is not null"
        + (" and model = ?" if model else ""),
        *([cohort, rule, model] if model else [cohort, rule]),
    )
    # Per model, an undecided start that a gate throws away is part of its net only.
    assert {(r[0], number(r[4]), number(r[5])) for r in cells_of(browser, "replay-table") if len(r) > 5} == set(policies)
    numbers = shipped.query(
        f"select model, n_collapse from rule_sensitivity {of}",
        cohort, rule, model, model,
    )  # fmt: skip
    in_table = {r[0]: number(r[4].split(" of ")[0]) for r in cells_of(browser, "sensitivity-table") if r[1].split(" (")[0] == rule}
    assert in_table == dict(numbers)
    if model:
        # Of one model: what a policy throws away is what it prevents less its net, where it breaks nothing.
        ranked = dict(
            shipped.query(
                """
                select by_model.policy, 100.0 * by_model.net / by_model.n_answered from replay_by_model as by_model
                inner join replay using (cohort, coding_rule, policy)
                where by_model.cohort = ? and by_model.coding_rule = ? and by_model.model = ? and by_model.is_deployable
                    and not replay.is_exploratory and replay.n_broken = 0
                    and by_model.n_undecidable = 0 and by_model.n_answered = by_model.n_debates
                """,
                cohort, rule, model,
            )
        )  # fmt: skip
    else:
        ranked = {policy: value for policy, value, _ in expected_ranking(shipped, cohort, rule, 1.0) if policy != "standard debate"}
    shown_ranks = {row[1]: number(row[2]) for row in cells_of(browser, "ranking") if not row[1].startswith("standard debate")}
    assert shown_ranks == pytest.approx(ranked, abs=5.1e-4)
    # Everything else stands apart, and nothing twice.
    apart = [row[0] for row in cells_of(browser, "unranked")]
    known = shipped.query(
        f"select policy from {table} where cohort = ? and coding_rule = ?" + (" and model = ?" if model else ""),
        *([cohort, rule, model] if model else [cohort, rule]),
    )
    assert sorted([*apart, *ranked]) == sorted(policy for (policy,) in known)
    cells = {c for (c,) in shipped.query(f"select distinct cell from debates {of}", cohort, rule, model, model)}
    classes = browser.execute_script("return [...document.querySelectorAll('.example')].map((e) => e.className.split(' ')[1])")
    assert set(classes) == cells and len(classes) == len(cells)


def test_the_screen_shows_each_set_with_its_exact_p(shipped: Ledger, opened: webdriver.Chrome) -> None:
    sets = choices(opened, "points")
    assert any(json.loads(s)[0].startswith("published") for s in sets)
    for chosen in sets:
        cohort, definition = json.loads(chosen)
        Select(opened.find_element(By.ID, "points")).select_by_value(chosen)
        tests = shipped.query(
            """
            select level, rho, p_two_sided from associations
            where cohort = ? and alpha_definition = ? and predictor = 'alpha_tot' and outcome = 'conditional_collapse_percent'
                and controls is null and grouping = 'families' and selection_kind = 'all'
            """,
            cohort, definition,
        )  # fmt: skip
        points = shipped.one(
            """
            select count(*) from (select model from association_points where cohort = ? and alpha_definition = ?
                and variable in ('alpha_tot', 'conditional_collapse_percent') group by model having count(*) = 2)
            """,
            cohort, definition,
        )  # fmt: skip
        WebDriverWait(opened, 20).until(lambda b, c=cohort: b.find_element(By.ID, "screen-caption").text.startswith(c))
        WebDriverWait(opened, 20).until(lambda b, n=points: drawn(b, "screen", "point") == n)
        rho = {row[0]: (number(row[2]), number(row[3])) for row in cells_of(opened, "screen-tests")}
        assert sorted(v[0] for v in rho.values() if v[0] is not None) == pytest.approx(
            sorted(r for _, r, _ in tests if r is not None), abs=5.1e-4
        )
        assert sorted(v[1] for v in rho.values() if v[1] is not None) == pytest.approx(
            sorted(p for _, _, p in tests if p is not None), rel=0.06, abs=5.1e-5
        )
    assert opened.get_log("browser") == []


def test_the_example_of_a_collapse_shows_its_rounds(shipped: Ledger, opened: webdriver.Chrome) -> None:
    choose(opened, "cohort", "samples")
    choose(opened, "rule", "undecided_is_wrong")
    rounds = opened.execute_script(
        """
        const texts = (row) => [...row.children].map((cell) => cell.textContent);
        return [...document.querySelectorAll(".example")].map((example) =>
            [example.querySelector("caption").textContent, [...example.querySelectorAll("tbody tr")].map(texts)])
        """
    )
    assert rounds
    for caption, rows in rounds:
        key = caption.removeprefix("Rounds of ")
        published = shipped.query(
            """
            select round, majority, n_correct, n_leaders, plurality_correct from debate_rounds
            where debate_key = ? and cohort = 'samples' order by round
            """,
            key,
        )
        assert [number(row[0].split(" ")[0]) for row in rows] == [r[0] for r in published]
        assert [number(row[4]) for row in rows] == [r[2] for r in published]
        for row, (_, majority, _, leaders, is_right) in zip(rows, published, strict=True):
            assert majority is None or row[2] == majority
            assert (leaders is not None and leaders > 1) == ("tie" in row[3])
            if is_right is not None:
                assert row[1].startswith("✓ right" if is_right else "✗ wrong")


def altered(shipped: Ledger, tmp_path: Path, alter: Callable[[duckdb.DuckDBPyConnection, str, list[str]], None]) -> Path:
    """A copy of the published file whose tables were altered one by one (connection, table, text columns), and its report."""
    copy = Path(shutil.copy(shipped.published, tmp_path / "ledger.duckdb"))
    with duckdb.connect(str(copy)) as con:
        for (table,) in con.execute("select table_name from duckdb_tables() where schema_name = 'main'").fetchall():
            columns = con.execute(
                "select column_name from duckdb_columns() where table_name = ? and data_type = 'VARCHAR'", [table]
            ).fetchall()
            alter(con, table, [column for (column,) in columns])
    return write_report(copy, tmp_path / "report.html")


NAMES = {
    "cohort",
    "model",
    "family",
    "policy",
    "question_id",
    "file",
    "reason",
    "lane",
    "description",
    "correct_label",
    "majority",
    "unavailable_reason",
}


def test_names_that_look_like_markup_stay_text(shipped: Ledger, browser: webdriver.Chrome, tmp_path: Path) -> None:
    def poison(con: duckdb.DuckDBPyConnection, table: str, columns: list[str]) -> None:
        for column in NAMES & set(columns):
            con.execute(f'update "{table}" set "{column}" = "{column}" || ?', [HOSTILE])

    hostile = altered(shipped, tmp_path, poison)
    assert len(scripts_of(hostile)) == 3
    browser.get(hostile.as_uri())
    wait(browser)
    cohorts = choices(browser, "cohort")
    assert "primary" + HOSTILE in cohorts
    for cohort in cohorts:
        choose(browser, "cohort", cohort)
        models = choices(browser, "model")
        assert models[1].endswith(HOSTILE)
        choose(browser, "model", models[1])
        assert HOSTILE in browser.execute_script("return document.querySelector('#ledger-table td').textContent")
        # The tooltip is the one place that the charts' own code fills with markup.
        bar = browser.find_element(By.CSS_SELECTOR, "#ledger svg [aria-roledescription='bar']")
        ActionChains(browser).move_to_element(bar).perform()
        tip = WebDriverWait(browser, 10).until(
            lambda b: b.find_element(By.CSS_SELECTOR, "#vg-tooltip-element.visible").get_attribute("textContent")
        )
        assert "<img src=x onerror=" in tip
        assert browser.execute_script("return [document.images.length, document.scripts.length, window.harmed ?? null]") == [0, 3, None]
    assert browser.get_log("browser") == []


def test_a_ledger_without_debates_says_so(shipped: Ledger, browser: webdriver.Chrome, tmp_path: Path) -> None:
    empty = altered(shipped, tmp_path, lambda con, table, columns: con.execute(f'delete from "{table}"'))
    browser.get(empty.as_uri())
    assert "No debates have landed" in browser.find_element(By.ID, "summary").text
    assert browser.get_log("browser") == []
