"""Figures ready to be sent: drawn once for all sessions that look at the same."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import plotly.graph_objects as go
from plotly.basedatatypes import BaseFigure

from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.plugins import plugin_settings
from evenkeel.dashboard.view import View


class Ready(BaseFigure):
    """A figure as the dictionary that Streamlit asks figures for: to make it takes longer than all else of a page."""

    def __init__(self, figure: go.Figure):
        self._made = figure.to_dict()

    @property
    def layout(self) -> dict[str, Any]:
        """The layout, for those who place something beside the figure."""
        return self._made["layout"]

    def to_dict(self) -> dict[str, Any]:
        """Return the same dictionary each time; Streamlit only reads it."""
        return self._made


def figure(view: View, chosen: Sequence[str], draw: Callable[..., go.Figure], *args: Any) -> Ready:
    """Return what `draw` makes of `args`, which must follow from the view and from what is `chosen` of it."""
    settings = tuple(each for each in args if isinstance(each, (str, int, float)))
    return ALL.get((draw, view.opened, view.waiting, tuple(chosen), settings, plugin_settings()), partial(_drawn, draw, args))


def _drawn(draw: Callable[..., go.Figure], args: Sequence[Any]) -> Ready:
    return Ready(draw(*args))
