"""Both fits of every assignor in one picture: how even in partitions, how even in lag."""

from collections.abc import Sequence

import plotly.graph_objects as go

from evenkeel.assignors.figures.comparison import CURRENT, Row
from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.numbers.fits import LAG, PARTITIONS, Fit, Point, fit_of, points
from evenkeel.dashboard.charts.parts import axis_names, frame
from evenkeel.dashboard.charts.parts.fit_names import EVEN, Plot, named
from evenkeel.dashboard.charts.parts.ticks import ticks
from evenkeel.data.commands.answers.compared import Compared

_LEAST_HEIGHT, _MOST_HEIGHT, _HEAD, _ROW, _TOP = 220, 640, 64, 28, 26


def fit_scatter(fits: Sequence[Fit], candidate: str) -> go.Figure:
    """Draw a point for each distinct place and an arrow from the first fit to the candidate, as high as the table of these assignors."""
    without = next((fit.no_lag for fit in fits if fit.no_lag), "lag is unknown")
    return _drawn(points(fits, candidate), without, min(max(_LEAST_HEIGHT, _HEAD + _ROW * len(fits)), _MOST_HEIGHT))


def fits_of_comparison(compared: Compared, candidate: str | None = None) -> go.Figure:
    """Draw a comparison outside the page; `candidate`: else the answer to look at first, else the last."""
    rows = [answer if isinstance(answer, Row) else answer.row for answer in compared.answers.values()]
    if compared.result is not None:
        now = compared.change(CURRENT)
        rows.insert(0, Row(CURRENT) if now is None else Row(CURRENT, now.assigned, now.balance))
    return fit_scatter(list(map(fit_of, rows)), candidate or compared.advised.first or rows[-1].name)


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
    figure.add_traces([_marks(role, [point for point in found if point.role == role]) for role in _MARKS])
    plot = Plot(xs, ys, height - _TOP - frame.TITLED)
    figure.update_layout(
        margin_l=axis_names.margin(upwards[1]),
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
        marker={"symbol": symbol, "size": size, "color": color, "line": {"width": 1.6, "color": color}},
        text=[frame.plain(", ".join(point.names)) for point in here],
        hovertemplate="<b>%{text}</b><br>partitions %{x:.3f}<br>lag %{y:.3f}<extra></extra>",
        cliponaxis=False,
    )


def _range(values: Sequence[float]) -> list[float]:
    span = max(max(values) - 1, 0.1)
    return [1 - 0.09 * span, 1 + 1.2 * span]


def _even_lines(xs: list[float], ys: list[float]) -> list[dict]:
    line = {"type": "line", "line": {"color": theme.MUTED, "width": 1.2, "dash": "dot"}, "layer": "below"}
    return [line | {"x0": 1, "x1": 1, "y0": ys[0], "y1": ys[1]}, line | {"y0": 1, "y1": 1, "x0": xs[0], "x1": xs[1]}]


def _arrow(found: Sequence[Point]) -> list[dict]:
    ends = {point.role: point for point in found}
    start, end = ends.get("current"), ends.get("candidate")
    if not (start and end and (start.partitions, start.lag) != (end.partitions, end.lag)):
        return []
    tail = {"ax": start.partitions, "ay": start.lag, "axref": "x", "ayref": "y", "standoff": 9, "startstandoff": 9}
    return [tail | {"x": end.partitions, "y": end.lag, "text": "", "arrowhead": 2, "arrowwidth": 1.3, "arrowcolor": theme.MUTED}]


def _names(found: Sequence[Point], plot: Plot) -> list[dict]:
    """Return all names; the two that are compared stand above the plot if there is no place beside their marks."""
    names = named(found, plot)
    texts = [("<br>".join(map(frame.plain, place.lines)), point, place) for point, place in names if place]
    notes = [frame.note(text, point.partitions, point.lag, **_look(point.role, place)) for text, point, place in texts]
    marks = [(_GLYPHS[point.role], _MARKS[point.role][2], point.names[0]) for point, place in names if not place and point.role in _GLYPHS]
    return notes + [frame.note(frame.glyphs(marks), 1, 1, xanchor="right", **_OVER)] * bool(marks)


def _look(role: str, place) -> dict:
    size, color = (frame.SMALLEST, theme.MUTED) if role == EVEN else (12, _MARKS[role][2] if role in _GLYPHS else theme.INK)
    at = {"xshift": place.right, "yshift": place.up, "xanchor": place.xanchor, "yanchor": "middle", "align": place.xanchor}
    return at | {"color": color, "size": size}
