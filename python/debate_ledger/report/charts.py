"""Specifications of the charts, without data: the page fills in the rows that its filters leave.

Colours are those of Okabe and Ito, which stay apart for every common kind of colour blindness; what a colour says, a shape, a position or a
text says too.
"""

from __future__ import annotations

import altair as alt

BLUE, ORANGE, GREEN, VERMILLION, PURPLE, SKY, YELLOW, BLACK, GREY = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000", "#8A8A8A",
)  # fmt: skip
#: Cells in the order in which they stand in a bar, each with its colour.
CELLS = {
    "preserved": BLUE, "collapse": VERMILLION, "correction": GREEN, "unrepaired": GREY, "undecided, then right": SKY,
    "undefined": "#D9D9D9",
}  # fmt: skip
ONSETS = ["round 1", "round 2", "round 3", "round 4", "later", "no recorded round"]
RECIPES = {"gradient descent": BLUE, "scikit-learn": VERMILLION}
FEATURES = ["before debate", "and round 1", "and rounds 2 and 3"]
LAST_FEATURES_IN_TWO_LINES = "datum.label === 'and rounds 2 and 3' ? ['and rounds', '2 and 3'] : datum.label"
#: Drawn for families in the order of the data; families beyond the eighth share colours, but not with the same shape.
FAMILY_COLOURS = [BLUE, VERMILLION, GREEN, PURPLE, BLACK, SKY, ORANGE, GREY]
STAR = "M0,-1L.3,-.3L1,-.3L.45,.15L.65,.9L0,.45L-.65,.9L-.45,.15L-1,-.3L-.3,-.3Z"
FAMILY_SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left", "triangle-right", STAR]


def _rows(name: str = "rows") -> alt.NamedData:
    return alt.NamedData(name=name)


def _model_axis() -> alt.Y:
    return alt.Y("model:N", title=None, sort=None)


def _scale(colours: dict[str, str]) -> alt.Scale:
    return alt.Scale(domain=list(colours), range=list(colours.values()))


def ledger() -> alt.Chart:
    """Rows: model, cell, order, n, n_debates, share (0 to 1)."""
    return (
        alt.Chart(_rows())
        .mark_bar(stroke="white", strokeWidth=1)
        .encode(
            y=_model_axis(),
            x=alt.X("share:Q", title="share of the model's debates", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
            color=alt.Color("cell:N", title="cell", scale=_scale(CELLS)),
            order=alt.Order("order:Q"),
            tooltip=["model:N", "cell:N", "n:Q", "n_debates:Q", alt.Tooltip("share:Q", format=".2%")],
        )
        .properties(height=alt.Step(24))
    )


def flows() -> alt.LayerChart:
    """Rows: model, flow (collapse or correction), rate, lower, upper (0 to 1), n, of."""
    colours = {"collapse": VERMILLION, "correction": GREEN}
    base = alt.Chart(_rows()).encode(y=_model_axis(), yOffset=alt.YOffset("flow:N", scale=alt.Scale(domain=list(colours))))
    colour = alt.Color("flow:N", title="rate and 95 % Wilson interval", scale=_scale(colours))
    rate = alt.X("lower:Q", title="share of the debates that could flow", axis=alt.Axis(format="%"))
    shape = alt.Shape(
        "flow:N", title="rate and 95 % Wilson interval", scale=alt.Scale(domain=list(colours), range=["circle", "triangle-up"])
    )
    bars = base.mark_rule(strokeWidth=2).encode(x=rate, x2="upper:Q", color=colour)
    points = base.mark_point(filled=True, size=70, opacity=1).encode(
        x="rate:Q",
        color=colour,
        shape=shape,
        tooltip=[
            "model:N", "flow:N", "n:Q", "of:Q", alt.Tooltip("rate:Q", format=".2%"), alt.Tooltip("lower:Q", format=".2%"),
            alt.Tooltip("upper:Q", format=".2%"),
        ],
    )  # fmt: skip
    return alt.layer(bars, points).properties(height=alt.Step(15))


def onsets() -> alt.LayerChart:
    """Rows: model, onset (of ONSETS), n, n_collapse, start, middle and end of the stretch, label, total (at the last), is_dark."""
    # From dark to light, so that the order shows without hue; grey where there is no round.
    colours = dict(zip(ONSETS, ["#08306b", "#2171b5", "#6baed6", "#c6dbef", "#e8f1fa", "#8A8A8A"], strict=True))
    base = alt.Chart(_rows()).encode(y=_model_axis())
    bars = base.mark_bar(stroke="#444", strokeWidth=0.5).encode(
        x=alt.X("start:Q", title="collapses", axis=alt.Axis(tickMinStep=1, format="d")),
        x2="end:Q",
        color=alt.Color("onset:N", title="the majority broke in", scale=_scale(colours), sort=ONSETS),
        tooltip=["model:N", "onset:N", "n:Q", "n_collapse:Q"],
    )
    labels = base.mark_text(fontSize=11).encode(
        x="middle:Q", text="label:N", color=alt.condition("datum.is_dark", alt.value("white"), alt.value("#1a1a1a"))
    )
    totals = base.mark_text(align="left", dx=5, fontSize=11).encode(x="end:Q", text="total:N")
    return alt.layer(bars, labels, totals).properties(height=alt.Step(24))


def screen() -> alt.LayerChart:
    """Rows: model, family, flip_rate (0 to 1), collapse_percent, is_shown, above and below (its label, on one side)."""
    base = alt.Chart(_rows()).encode(
        x=alt.X("flip_rate:Q", title="flip rate under probes", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False, padding=45)),
        y=alt.Y("collapse_percent:Q", title="conditional collapse, %"),
    )
    points = base.mark_point(filled=True, size=90).encode(
        color=alt.Color("family:N", scale=alt.Scale(range=FAMILY_COLOURS), sort=None),
        shape=alt.Shape("family:N", scale=alt.Scale(range=FAMILY_SHAPES), sort=None),
        opacity=alt.condition("datum.is_shown", alt.value(1), alt.value(0.2)),
        tooltip=[
            "model:N", "family:N", alt.Tooltip("flip_rate:Q", format=".3f"), alt.Tooltip("collapse_percent:Q", format=".2f"),
            "n_collapse:Q", "n_initial_correct:Q",
        ],
    )  # fmt: skip
    above, below = (
        base.mark_text(align="left", dx=7, dy=dy, fontSize=11, color="#333").encode(text=text)
        for text, dy in (("above:N", -7), ("below:N", 7))
    )
    return alt.layer(points, above, below).properties(height=320)


def aucs() -> alt.LayerChart:
    """Rows: features, recipe, auc, auc_n, n_collapse."""
    base = alt.Chart(_rows()).encode(
        x=alt.X(
            "features:N",
            title="what the model knows",
            sort=FEATURES,
            axis=alt.Axis(labelAngle=0, labelLimit=130, labelExpr=LAST_FEATURES_IN_TWO_LINES),
        ),
        y=alt.Y("auc:Q", title="AUC (0.5: a coin, 1: perfect)", scale=alt.Scale(zero=False, nice=True)),
        color=alt.Color("recipe:N", scale=_scale(RECIPES)),
    )
    lines = base.mark_line(strokeWidth=2).encode(
        strokeDash=alt.StrokeDash("recipe:N", scale=alt.Scale(domain=list(RECIPES), range=[[1, 0], [6, 4]]))
    )
    points = base.mark_point(filled=True, size=80, opacity=1).encode(
        shape=alt.Shape("recipe:N", scale=alt.Scale(domain=list(RECIPES), range=["circle", "square"])),
        tooltip=["features:N", "recipe:N", alt.Tooltip("auc:Q", format=".4f"), "auc_n:Q", "n_collapse:Q"],
    )
    labels = base.mark_text(dy=-12, fontSize=11).encode(text=alt.Text("auc:Q", format=".3f"), color=alt.value("#1a1a1a"))
    return alt.layer(lines, points, labels).properties(height=280)


def auc_steps() -> alt.LayerChart:
    """Rows: step, recipe, auc_difference, lower, upper."""
    base = alt.Chart(_rows()).encode(
        y=alt.Y("step:N", title=None, sort=FEATURES), yOffset=alt.YOffset("recipe:N", scale=alt.Scale(domain=list(RECIPES)))
    )
    colour = alt.Color("recipe:N", scale=_scale(RECIPES))
    zero = alt.Chart(_rows("zero")).mark_rule(strokeDash=[4, 3], color="#555").encode(x="zero:Q")
    bars = base.mark_rule(strokeWidth=2).encode(x=alt.X("lower:Q", title="AUC added (95 %, questions drawn)"), x2="upper:Q", color=colour)
    points = base.mark_point(filled=True, size=70, opacity=1).encode(
        x="auc_difference:Q",
        color=colour,
        shape=alt.Shape("recipe:N", scale=alt.Scale(domain=list(RECIPES), range=["circle", "square"])),
        tooltip=["step:N", "recipe:N", alt.Tooltip("auc_difference:Q", format=".4f")],
    )
    return alt.layer(zero, bars, points).properties(height=alt.Step(18))


def replay() -> alt.LayerChart:
    """Rows: policy, effect, start, end (left of 0: lost), n, n_debates, label, label_at, align."""
    colours = {"prevented": BLUE, "gained": SKY, "lost": VERMILLION, "broken": ORANGE}
    base = alt.Chart(_rows()).encode(y=alt.Y("policy:N", title=None, sort=None))
    bars = base.mark_bar().encode(
        x=alt.X(
            "start:Q",
            title="← thrown away · debates · saved →",
            axis=alt.Axis(labelExpr="format(abs(datum.value), ',')"),
            scale=alt.Scale(padding=30),
        ),
        x2="end:Q",
        color=alt.Color("effect:N", scale=_scale(colours), title="under the policy"),
        tooltip=["policy:N", "effect:N", "n:Q", "n_debates:Q"],
    )
    zero = alt.Chart(_rows("zero")).mark_rule(color="#1a1a1a").encode(x="zero:Q")
    left = base.transform_filter("datum.side < 0").mark_text(align="right", dx=-4, fontSize=11).encode(x="label_at:Q", text="label:N")
    right = base.transform_filter("datum.side > 0").mark_text(align="left", dx=4, fontSize=11).encode(x="label_at:Q", text="label:N")
    return alt.layer(bars, zero, left, right).properties(height=alt.Step(26))


def utility() -> alt.LayerChart:
    """Rows: policy, ratio, utility (two points of each line); flips: policy, ratio; marker: ratio; zero: zero."""
    colour = alt.Color("policy:N", scale=alt.Scale(range=FAMILY_COLOURS), sort=None)
    lines = (
        alt.Chart(_rows())
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("ratio:Q", title="worth of a prevented collapse", scale=alt.Scale(domain=[0, 10])),
            y=alt.Y("utility:Q", title="net utility, points of 100 debates"),
            color=colour,
            tooltip=["policy:N"],
        )
    )
    zero = alt.Chart(_rows("zero")).mark_rule(color="#1a1a1a").encode(y="zero:Q")
    flips = (
        alt.Chart(_rows("flips"))
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x="ratio:Q",
            y=alt.YDatum(0),
            color=colour,
            shape=alt.Shape("policy:N", scale=alt.Scale(range=FAMILY_SHAPES), sort=None),
            tooltip=["policy:N", alt.Tooltip("ratio:Q", format=".3f", title="sign flips at")],
        )
    )
    marker = alt.Chart(_rows("marker")).mark_rule(strokeDash=[5, 3], strokeWidth=2, color="#1a1a1a").encode(x="ratio:Q")
    return alt.layer(zero, lines, flips, marker).properties(height=300)


def sensitivity() -> alt.LayerChart:
    """Rows: model, coding_rule, rate, lower, upper (0 to 1), n, of, is_selected."""
    base = alt.Chart(_rows()).encode(
        y=_model_axis(),
        yOffset=alt.YOffset("coding_rule:N"),
        opacity=alt.condition("datum.is_selected", alt.value(1), alt.value(0.55)),
    )
    colour = alt.Color("coding_rule:N", title="coding rule", scale=alt.Scale(range=FAMILY_COLOURS))
    bars = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("lower:Q", title="conditional collapse, 95 % interval", axis=alt.Axis(format="%")), x2="upper:Q", color=colour
    )
    points = base.mark_point(filled=True, size=60).encode(
        x="rate:Q",
        color=colour,
        shape=alt.Shape("coding_rule:N", title="coding rule", scale=alt.Scale(range=FAMILY_SHAPES)),
        tooltip=["model:N", "coding_rule:N", "n:Q", "of:Q", alt.Tooltip("rate:Q", format=".2%")],
    )
    return alt.layer(bars, points).properties(height=alt.Step(13))


def specs() -> dict[str, dict]:
    """Vega-Lite specifications by name, as wide as their place, for rows that the page supplies."""
    charts = {
        "ledger": ledger(), "flows": flows(), "onsets": onsets(), "screen": screen(), "aucs": aucs(), "auc_steps": auc_steps(),
        "replay": replay(), "utility": utility(), "sensitivity": sensitivity(),
    }  # fmt: skip
    found = {}
    for name, chart in charts.items():
        with_place = chart.properties(width="container", autosize=alt.AutoSizeParams(type="fit-x", contains="padding")).configure(
            font="system-ui, sans-serif",
            axis=alt.AxisConfig(
                labelFontSize=12,
                titleFontSize=12,
                titleFontWeight="normal",
                labelColor="#1a1a1a",
                titleColor="#1a1a1a",
                gridColor="#e3e3e3",
            ),
            legend=alt.LegendConfig(orient="top", labelFontSize=12, titleFontSize=12, titleFontWeight="normal", labelLimit=220, columns=4),
            view=alt.ViewConfig(stroke=None),
        )
        spec = with_place.to_dict()
        # The page names no address, not even that of the schema: the embedding is told the language.
        del spec["$schema"]
        found[name] = spec
    return found
