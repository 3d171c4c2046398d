"""Both fits of every assignor on one picture: how even in partitions, how even in lag."""

from collections.abc import Sequence

import plotly.graph_objects as go

from dashboard import theme
from dashboard.charts import frame
from dashboard.charts.fits import Fit, Point, points
from dashboard.charts.ticks import ticks

_LEAST_HEIGHT = 220
_HEAD, _ROW = 64, 28
_NEAR = 0.08


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
    _add_names(figure, found, xs, ys)
    figure.update_xaxes(frame.value_axis(ticks(xs[1], xs[0], 5, whole=False), range=xs, title_text="Partitions, max ÷ mean", title_standoff=4))
    figure.update_yaxes(frame.value_axis(ticks(ys[1], ys[0], 5, whole=False), range=ys))
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


def _add_names(figure: go.Figure, found: Sequence[Point], xs: list[float], ys: list[float]) -> None:
    lag = {point.role: point.lag for point in found}
    for names, point in _labels([point for point in found if point.role == "other"], xs, ys):
        left = point.partitions > xs[0] + 0.7 * (xs[1] - xs[0])
        side = {"xanchor": "right" if left else "left", "align": "right" if left else "left", "xshift": -11 if left else 11}
        frame.label(figure, names, point.partitions, point.lag, color=theme.INK, size=12, **side)
    for point in found:
        if point.role != "other":
            # Above or below the mark, away from the arrow.
            above = point.role == ("current" if lag.get("current", 0) >= lag.get("candidate", 0) else "candidate")
            frame.label(
                figure,
                frame.plain(point.names[0]),
                point.partitions,
                point.lag,
                color=_MARKS[point.role][2],
                size=12,
                xanchor="center",
                yshift=15 if above else -15,
            )


def _labels(others: Sequence[Point], xs: list[float], ys: list[float]) -> list[tuple[str, Point]]:
    """Join the names of points that are too close for a line each."""
    joined: list[tuple[list[str], Point]] = []
    for point in sorted(others, key=lambda one: -one.lag):
        names, first = joined[-1] if joined else ([], None)
        if first and first.lag - point.lag < _NEAR * (ys[1] - ys[0]) and abs(first.partitions - point.partitions) < 0.1 * (xs[1] - xs[0]):
            names += point.names
        else:
            joined.append((list(point.names), point))
    return [(", ".join(map(frame.plain, names)), point) for names, point in joined]
