"""The look of bars of loads: short and hollow where a member is idle, hatched over twice the fair share."""

from collections.abc import Iterable

import numpy as np

from evenkeel.dashboard import theme

_IDLE_SHARE = 0.013
"""Length of an idle member's bar: a share of the highest value."""


def bar_lengths(values: np.ndarray, idle: np.ndarray, high: float) -> np.ndarray:
    """Return the length of each bar; that of an idle member can be seen too."""
    return np.where(idle, high * _IDLE_SHARE, values)


def load_marker(color: str, idle: Iterable[bool], over: Iterable[bool]) -> dict:
    """Return plotly's marker for a bar of each member."""
    is_idle = list(idle)
    return {
        "color": [theme.PAPER if one else color for one in is_idle],
        "cornerradius": 2,
        "line": {"color": color, "width": [1.4 if one else 0 for one in is_idle]},
        "pattern": {
            "shape": ["/" if one else "" for one in over],
            "fillmode": "overlay",
            # One color: plotly looks for the contrast of it, and an idle bar has no pattern.
            "bgcolor": color,
            "fgcolor": theme.PAPER,
            "fgopacity": 0.55,
            "size": 6,
            "solidity": 0.25,
        },
    }
