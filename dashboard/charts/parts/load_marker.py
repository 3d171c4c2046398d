"""The look of bars of loads: hollow where a member is idle, hatched over twice the fair share."""

from collections.abc import Iterable

from dashboard import theme


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
