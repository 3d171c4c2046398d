"""Both fits of every assignor in one picture: how even in partitions, how even in lag."""

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from evenkeel.assignors.compare.comparison import CURRENT, Row
from evenkeel.dashboard import theme
from evenkeel.dashboard.names import under
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.labels import (
    ABOVE,
    BELOW,
    LEFT,
    RIGHT,
    SIDES,
    Place,
    Side,
    Text,
    cover,
    placed,
    plain,
    ticks,
)
from evenkeel.dashboard.parts.loads import no_lag
from evenkeel.data.compare.answer import ComparisonResult
from evenkeel.data.text.formats import ratio
from evenkeel.data.text.names import elided

PARTITIONS, LAG = "Partitions, max ÷ mean", "Lag, max ÷ mean"
"""Names of the two fits."""


class Fit(NamedTuple):
    """The fit of an assignment: largest ÷ mean partitions of a member, largest ÷ mean lag; unknown
    is None.

    `no_lag` says why there is no lag to compare; it is empty if there is some.
    """

    name: str
    partitions: float | None
    lag: float | None
    no_lag: str = ""


class Point(NamedTuple):
    """One place on the scatter and the assignments there; `role` is current, candidate or other."""

    names: tuple[str, ...]
    partitions: float
    lag: float
    role: str


class Plot(NamedTuple):
    """Ranges of both axes, and the height in pixels."""

    xs: list[float]
    ys: list[float]
    height: int

    def place(self, point: Point) -> tuple[float, float]:
        """Return the place of a point: share of the width, pixels from below."""
        return (point.partitions - self.xs[0]) / (self.xs[1] - self.xs[0]), self.height * (
            point.lag - self.ys[0]
        ) / (self.ys[1] - self.ys[0])


def fit_of(row: Row) -> Fit:
    """Return the fit of an assignment; it is unknown if there is no answer."""
    if row.balance is None:
        return Fit(row.name, None, None)
    return Fit(
        row.name,
        row.balance.partitions_max_over_mean,
        row.balance.max_lag_share,
        no_lag(row.balance),
    )


def points(fits: Sequence[Fit], candidate: str) -> list[Point]:
    """Join fits that are equal to three decimals; leave out unknown ones."""
    places: dict[tuple[float, float], list[str]] = {}
    for fit in fits:
        if fit.partitions is not None and fit.lag is not None:
            places.setdefault((round(fit.partitions, 3), round(fit.lag, 3)), []).append(fit.name)
    current = fits[0].name if fits else ""
    roles = {current: "current", candidate: "candidate"}
    found = []
    for (x, y), names in places.items():
        special = [name for name in names if name in roles]
        found += [Point((name,), x, y, roles[name]) for name in special]
        others = tuple(name for name in names if name not in roles)
        if others:
            found.append(Point(others, x, y, "other"))
    return found


def finding(fits: Sequence[Fit], candidate: str) -> str:
    """Say in one sentence what the scatter shows."""
    chosen = next((fit for fit in fits if fit.name == candidate), None)
    if not fits or chosen is None or chosen.lag is None or fits[0].lag is None:
        return "Partitions and lag, largest over mean: unknown for this group."
    now = fits[0]
    lag = f"{ratio(now.lag)} now to {ratio(chosen.lag)} {under(candidate)}"
    return f"Largest over mean lag goes from {lag}, partitions from {ratio(now.partitions)} to {ratio(chosen.partitions)}."


_LEAST_HEIGHT, _MOST_HEIGHT, _HEAD, _ROW, _TOP = 220, 640, 64, 28, 26


def fit_scatter(fits: Sequence[Fit], candidate: str) -> go.Figure:
    """Draw a point for each distinct place and an arrow from the first fit to the candidate, as
    high as the table of these assignors.
    """
    without = next((fit.no_lag for fit in fits if fit.no_lag), "lag is unknown")
    return _drawn(
        points(fits, candidate),
        without,
        min(max(_LEAST_HEIGHT, _HEAD + _ROW * len(fits)), _MOST_HEIGHT),
    )


def fits_of_comparison(compared: ComparisonResult, candidate: str | None = None) -> go.Figure:
    """Draw a comparison outside the page; `candidate`: else the answer to look at first, else the
    last.
    """
    rows = [
        answer if isinstance(answer, Row) else answer.row for answer in compared.answers.values()
    ]
    if compared.result is not None:
        now = compared.change(CURRENT)
        rows.insert(0, Row(CURRENT) if now is None else Row(CURRENT, now.assigned, now.balance))
    return fit_scatter(list(map(fit_of, rows)), candidate or compared.first)


_MARKS = {
    "other": ("circle-open", 10, theme.MUTED),
    "candidate": ("diamond", 13, theme.CANDIDATE),
    "current": ("square", 13, theme.CURRENT),
}
_OVER = {"xref": "paper", "yref": "paper", "yshift": 4, "yanchor": "bottom"}
_GLYPHS = {"candidate": "◆", "current": "■"}


def _drawn(found: Sequence[Point], without: str, height: int) -> go.Figure:
    figure = frame.figure(height, top=_TOP, bottom=frame.TITLED)
    if not found:
        text = f"{without.capitalize()}:<br>nothing to compare partitions with."
        frame.label(figure, text, 0.5, 0.5, xref="paper", yref="paper", xanchor="center")
        figure.update_xaxes(visible=False)
        figure.update_yaxes(visible=False)
        return figure
    xs, ys = _range([point.partitions for point in found]), _range([point.lag for point in found])
    across, upwards = ticks(xs[1], xs[0], 5, whole=False), ticks(ys[1], ys[0], 5, whole=False)
    figure.add_traces(
        [_marks(role, [point for point in found if point.role == role]) for role in _MARKS]
    )
    plot = Plot(xs, ys, height - _TOP - frame.TITLED)
    figure.update_layout(
        margin_l=labels.margin(upwards[1]),
        shapes=_even_lines(xs, ys),
        annotations=[*_arrow(found), *_names(found, plot), frame.note(LAG, 0, 1, **_OVER)],
        xaxis=frame.value_axis(across, range=xs, title_text=PARTITIONS, title_standoff=4),
        yaxis=frame.value_axis(upwards, range=ys),
    )
    return figure


def _marks(role: str, here: Sequence[Point]) -> go.Scatter:
    symbol, size, color = _MARKS[role]
    return go.Scatter(
        x=[point.partitions for point in here],
        y=[point.lag for point in here],
        name=role,
        mode="markers",
        marker={
            "symbol": symbol,
            "size": size,
            "color": color,
            "line": {"width": 1.6, "color": color},
        },
        text=[plain(", ".join(point.names)) for point in here],
        hovertemplate="<b>%{text}</b><br>partitions %{x:.3f}<br>lag %{y:.3f}<extra></extra>",
        cliponaxis=False,
    )


def _range(values: Sequence[float]) -> list[float]:
    span = max(max(values) - 1, 0.1)
    return [1 - 0.09 * span, 1 + 1.2 * span]


def _even_lines(xs: list[float], ys: list[float]) -> list[dict]:
    line = {
        "type": "line",
        "line": {"color": theme.MUTED, "width": 1.2, "dash": "dot"},
        "layer": "below",
    }
    return [
        line | {"x0": 1, "x1": 1, "y0": ys[0], "y1": ys[1]},
        line | {"y0": 1, "y1": 1, "x0": xs[0], "x1": xs[1]},
    ]


def _arrow(found: Sequence[Point]) -> list[dict]:
    ends = {point.role: point for point in found}
    start, end = ends.get("current"), ends.get("candidate")
    if not (start and end and (start.partitions, start.lag) != (end.partitions, end.lag)):
        return []
    tail = {
        "ax": start.partitions,
        "ay": start.lag,
        "axref": "x",
        "ayref": "y",
        "standoff": 9,
        "startstandoff": 9,
    }
    return [
        tail
        | {
            "x": end.partitions,
            "y": end.lag,
            "text": "",
            "arrowhead": 2,
            "arrowwidth": 1.3,
            "arrowcolor": theme.MUTED,
        }
    ]


def _names(found: Sequence[Point], plot: Plot) -> list[dict]:
    """Return all names; the two that are compared stand above the plot if there is no place beside
    their marks.
    """
    names = named(found, plot)
    texts = [
        ("<br>".join(map(plain, place.lines)), point, place) for point, place in names if place
    ]
    notes = [
        frame.note(text, point.partitions, point.lag, **_look(point.role, place))
        for text, point, place in texts
    ]
    marks = [
        (_GLYPHS[point.role], _MARKS[point.role][2], point.names[0])
        for point, place in names
        if not place and point.role in _GLYPHS
    ]
    return notes + [frame.note(frame.glyphs(marks), 1, 1, xanchor="right", **_OVER)] * bool(marks)


def _look(role: str, place) -> dict:
    size, color = (
        (frame.SMALLEST, theme.MUTED)
        if role == EVEN
        else (12, _MARKS[role][2] if role in _GLYPHS else theme.INK)
    )
    at = {
        "xshift": place.right,
        "yshift": place.up,
        "xanchor": place.xanchor,
        "yanchor": "middle",
        "align": place.xanchor,
    }
    return at | {"color": color, "size": size}


# The places of names on the scatter of fits.


EVEN = "even"
"""The role of the words at the point where both are even."""

_LINE_LETTERS, _NAME_LETTERS, _MOST_STACKED = (22, 30), 28, 3


def named(found: Sequence[Point], plot: Plot) -> list[tuple[Point, Place | None]]:
    """Place the names of the current assignment, of the candidate, of the others (the longest texts
    first), and the words for both even.

    Others that cover each other in a plot of usual width share one text: all their names, or the
    first and the number of the rest. A text without a free place has None: the hover names its
    marks.
    """
    joined = _joined(
        sorted(
            found,
            key=lambda point: (
                point.role != "current",
                point.role != "candidate",
                -len(point.names),
                point.lag,
            ),
        ),
        plot,
    )
    texts = [
        Text(*plot.place(point), _shapes(point.names), _sides(point, found)) for point in joined
    ]
    corner = Point(("even in both",), plot.xs[1], 1.0, EVEN)
    ends = {point.role: plot.place(point) for point in found}
    arrow = (
        (ends["current"], ends["candidate"]) if {"current", "candidate"} <= ends.keys() else None
    )
    places = placed(
        [*texts, Text(*plot.place(corner), [corner.names], _CORNER)],
        list(map(plot.place, found)),
        plot.height,
        arrow,
    )
    return list(zip([*joined, corner], places, strict=True))


_CORNER = (Side(-1, 0.5), Side(-1, -0.5))


def _sides(point: Point, found: Sequence[Point]) -> Sequence[Side]:
    """Return the sides to try: above or below first for the ends of the arrow, away from it."""
    if point.role == "other":
        return SIDES
    other = next((one for one in found if one.role not in ("other", point.role)), point)
    first, second = (ABOVE, BELOW) if point.lag >= other.lag else (BELOW, ABOVE)
    return (first, LEFT, RIGHT, second, *SIDES[4:])


def _joined(found: Sequence[Point], plot: Plot) -> list[Point]:
    joined: list[Point] = []
    for point in found:
        near = (
            place
            for place, other in enumerate(joined)
            if other.role == point.role == "other" and cover(plot.place(other), plot.place(point))
        )
        place = next(near, None)
        if place is None:
            joined.append(point)
        else:
            joined[place] = joined[place]._replace(names=(*joined[place].names, *point.names))
    return joined


def _shapes(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the texts to try: a line for each name, all names wrapped, all in one line, the first
    and the number of the rest.
    """
    cut = [elided(name, _NAME_LETTERS) for name in names]
    text = ", ".join(cut)
    wrapped = [
        tuple(textwrap.wrap(text, letters, break_long_words=False, break_on_hyphens=False))
        for letters in _LINE_LETTERS
    ]
    stacked = [tuple(cut)] * (1 < len(cut) <= _MOST_STACKED)
    return [*stacked, *wrapped, (text,), *[(f"{cut[0]} + {len(cut) - 1}",)] * (len(cut) > 1)]
