"""Both fits of every assignor on one picture: how even in partitions, how even in lag."""

import textwrap
from collections.abc import Sequence

import plotly.graph_objects as go

from dashboard import theme
from dashboard.charts import frame, name_room
from dashboard.charts.fits import Fit, Point, points
from dashboard.charts.labels import ABOVE, BELOW, LINE, placed
from dashboard.charts.ticks import ticks

_LEAST_HEIGHT, _HEAD, _ROW = 220, 64, 28
_NOMINAL_WIDTH = 280
_LINE_LETTERS = 22
_MARGINS = 66


def fit_scatter(fits: Sequence[Fit], candidate: str) -> go.Figure:
    """Draw one point for each distinct place, as high as the table of these assignors; an arrow goes from the first fit, the current one, to the candidate."""
    return _drawn(points(fits, candidate), max(_LEAST_HEIGHT, _HEAD + _ROW * len(fits)))


_MARKS = {"other": ("circle-open", 10, theme.MUTED), "candidate": ("diamond", 13, theme.CANDIDATE), "current": ("square", 13, theme.CURRENT)}


def _drawn(found: Sequence[Point], height: int) -> go.Figure:
    figure = frame.figure(height, top=26)
    if not found:
        frame.label(figure, "Without lags there is nothing to weigh against partition counts.", 0.5, 0.5, xref="paper", yref="paper", xanchor="center")
        figure.update_xaxes(visible=False)
        figure.update_yaxes(visible=False)
        return figure
    xs, ys = _range([point.partitions for point in found]), _range([point.lag for point in found])
    across, upwards = ticks(xs[1], xs[0], 5, whole=False), ticks(ys[1], ys[0], 5, whole=False)
    figure.update_layout(margin={"l": name_room.margin(upwards[1]), "b": frame.TITLED})
    for role, (symbol, size, color) in _MARKS.items():
        here = [point for point in found if point.role == role]
        figure.add_scatter(
            x=[point.partitions for point in here],
            y=[point.lag for point in here],
            name=role,
            mode="markers",
            marker={"symbol": symbol, "size": size, "color": color, "line": {"width": 1.6, "color": color}},
            text=[frame.plain(", ".join(point.names)) for point in here],
            hovertemplate="<b>%{text}</b><br>partitions %{x:.3f}<br>lag %{y:.3f}<extra></extra>",
            cliponaxis=False,
        )
    _add_even_lines(figure, xs, ys)
    _add_arrow(figure, found)
    _add_names(figure, found, xs, ys, height)
    figure.update_xaxes(frame.value_axis(across, range=xs, title_text="Partitions, max ÷ mean", title_standoff=4))
    figure.update_yaxes(frame.value_axis(upwards, range=ys))
    frame.label(figure, "Lag, max ÷ mean", 0, 1, xref="paper", yref="paper", yshift=16)
    return figure


def _range(values: Sequence[float]) -> list[float]:
    span = max(max(values) - 1, 0.1)
    return [1 - 0.09 * span, 1 + 1.2 * span]


def _add_even_lines(figure: go.Figure, xs: list[float], ys: list[float]) -> None:
    line = {"color": theme.MUTED, "width": 1.2, "dash": "dot"}
    figure.add_shape(type="line", x0=1, x1=1, y0=ys[0], y1=ys[1], line=line, layer="below")
    figure.add_shape(type="line", y0=1, y1=1, x0=xs[0], x1=xs[1], line=line, layer="below")
    frame.label(figure, "even in both", xs[1], 1, xanchor="right", yanchor="bottom", size=frame.SMALLEST)


def _add_arrow(figure: go.Figure, found: Sequence[Point]) -> None:
    ends = {point.role: point for point in found}
    start, end = ends.get("current"), ends.get("candidate")
    if start and end and (start.partitions, start.lag) != (end.partitions, end.lag):
        tail = {"ax": start.partitions, "ay": start.lag, "axref": "x", "ayref": "y"}
        figure.add_annotation(x=end.partitions, y=end.lag, **tail, text="", arrowhead=2, arrowwidth=1.3, arrowcolor=theme.MUTED, standoff=9, startstandoff=9)


def _add_names(figure: go.Figure, found: Sequence[Point], xs: list[float], ys: list[float], height: int) -> None:
    joined = _joined(sorted(found, key=lambda point: (point.role == "other", -point.lag)), xs, ys, height)
    lag = {point.role: point.lag for point in found}
    # Above or below the mark, away from the arrow.
    upper = "current" if lag.get("current", 0) >= lag.get("candidate", 0) else "candidate"
    wanted = [None if point.role == "other" else ABOVE if point.role == upper else BELOW for point, _ in joined]
    marks = [_pixels(point, xs, ys, height) for point, _ in joined]
    ends = {point.role: mark for (point, _), mark in zip(joined, marks, strict=True) if point.role != "other"}
    arrow = [(ends["current"], ends["candidate"])] if len(ends) == 2 else []
    places = placed(marks, [_lines(names) for _, names in joined], wanted, _NOMINAL_WIDTH, arrow)
    for (point, names), place in zip(joined, places, strict=True):
        color = theme.INK if point.role == "other" else _MARKS[point.role][2]
        align = "center" if place.xanchor == "center" else place.xanchor
        shift = {"xshift": place.right, "yshift": place.up, "xanchor": place.xanchor, "align": align}
        frame.label(figure, "<br>".join(map(frame.plain, _lines(names))), point.partitions, point.lag, color=color, size=12, **shift)


def _pixels(point: Point, xs: list[float], ys: list[float], height: int) -> tuple[float, float]:
    return _NOMINAL_WIDTH * (point.partitions - xs[0]) / (xs[1] - xs[0]), (height - _MARGINS) * (point.lag - ys[0]) / (ys[1] - ys[0])


def _joined(points: Sequence[Point], xs: list[float], ys: list[float], height: int) -> list[tuple[Point, list[str]]]:
    """Give marks of others that cover each other one text together."""
    joined: list[tuple[Point, list[str]]] = []
    for point in points:
        x, y = _pixels(point, xs, ys, height)
        near = (names for other, names in joined if other.role == point.role == "other" and _covers(_pixels(other, xs, ys, height), (x, y)))
        names = next(near, None)
        if names is None:
            joined.append((point, list(point.names)))
        else:
            names += point.names
    return joined


def _covers(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return abs(one[0] - other[0]) < LINE and abs(one[1] - other[1]) < LINE


def _lines(names: Sequence[str]) -> tuple[str, ...]:
    """Put names into lines of some 22 letters."""
    return tuple(textwrap.wrap(", ".join(names), _LINE_LETTERS, break_long_words=False, break_on_hyphens=False))
