"""What crosses all panels: rebalances and gaps."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.history.ownership import Burst
from evenkeel.assignors.history.pictures import MemberLags
from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.parts import frame
from evenkeel.dashboard.charts.timeline.flags import ASIDE
from evenkeel.dashboard.charts.timeline.time_axis import milliseconds

_LEAST_ROOM = 0.035
"""Share of the axis that a count of rebalances takes."""

_LEAST_GAP = 0.02
"""Share of the axis from which a gap has words."""


def add_rebalances(figure: go.Figure, bursts: Sequence[Burst], length: float, flags: Sequence[float] = ()) -> None:
    """Draw a dotted line for each burst, with how many rebalances it has; without the number where another is too near.

    `flags`: times at which flags stand; a number beside one steps aside.
    """
    last, line = -np.inf, {"color": theme.INK, "width": 1, "dash": "dot"}
    times, panels = [milliseconds(burst.first) for burst in bursts], ("y domain", "y2 domain")
    lines = [
        {"type": "line", "xref": "x", "yref": panel, "x0": x, "x1": x, "y0": 0, "y1": 1, "line": line} for x in times for panel in panels
    ]
    # All at once: hundreds, one by one, take longer than the rest of the figure.
    figure.layout.shapes += tuple(lines)
    for burst, x in zip(bursts, times, strict=True):
        if burst.first - last > _LEAST_ROOM * length:
            place = _beside(burst.first, flags, length)
            frame.label(figure, f"↻ {len(burst.rows)}", x, 1, yref="paper", yanchor="bottom", color=theme.INK, **place)
            last = burst.first


def _beside(time: float, flags: Sequence[float], length: float) -> dict:
    """Return where the number of a burst stands: in the middle, or to the side of a flag that covers it."""
    near = [flag for flag in flags if abs(flag - time) < _LEAST_ROOM * length]
    if not near:
        return {"xanchor": "center"}
    return {"xanchor": "left", "xshift": ASIDE} if time >= near[0] else {"xanchor": "right", "xshift": -ASIDE}


def add_gaps(figure: go.Figure, lags: MemberLags, length: float) -> None:
    """Write into each wide gap that nothing was read."""
    for row in np.flatnonzero(np.diff(lags.stretch)).tolist():
        first, last = lags.time[row], lags.time[row + 1]
        if last - first > _LEAST_GAP * length:
            middle = milliseconds((first + last) / 2)
            for panel in ("y domain", "y2 domain"):
                frame.label(figure, "no reading", middle, 0.5, yref=panel, textangle=-90, xanchor="center", yanchor="middle")
