"""A panel of loads: its value axis, title and fair-share lines, and the legend of both assignments."""

from collections.abc import Sequence

import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.numbers.loads import Panel, fair_shares
from evenkeel.dashboard.charts.parts import frame
from evenkeel.dashboard.charts.parts.fair_lines import add_fair_lines
from evenkeel.dashboard.charts.parts.ticks import ticks


def add_value_panel(figure: go.Figure, panel: Panel, axes: tuple[str, str], limits: Sequence[float], ticks_most: int, layer: str) -> None:
    """Draw everything of a panel but its marks; `axes`: the names of its value axis in traces and in the layout."""
    axis, axis_name = axes
    add_fair_lines(figure, fair_shares(*panel.loads), axis, panel, layer)
    look = {"range": limits, "domain": panel.domain, "anchor": "y", "fixedrange": True, "zeroline": False}
    figure.update_layout({axis_name: frame.value_axis(ticks(panel.high, most=ticks_most), **look)})
    frame.title(figure, panel.title, panel.unit, x=panel.domain[0], shift=16)


def side_marks(panel: Panel, candidate: str, glyph: str) -> list[tuple[str, str, str]]:
    """Return the legend of the assignments that a panel shows; `glyph` is that of the candidate."""
    marks = (("■", theme.CURRENT, "current"), (glyph, theme.CANDIDATE, candidate))
    return [mark for mark, load in zip(marks, panel.loads, strict=True) if load]
