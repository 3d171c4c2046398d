"""Where the browser draws the texts, marks and arrow of a scatter, worked out for one width of the
plot.
"""

import re
from html import unescape
from typing import NamedTuple

import numpy as np

from evenkeel.dashboard.parts.text_width import text_width

LINE_SHARE = 1.3
"""Height of a line over the size of its letters, as plotly has it."""


class Box(NamedTuple):
    """Pixels from the left and from below."""

    left: float
    bottom: float
    right: float
    top: float

    def covers(self, other) -> bool:
        """Tell whether both have a point in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.bottom < other.top
            and other.bottom < self.top
        )


class Plot:
    """The plot of a figure, `width` pixels wide."""

    def __init__(self, figure, width):
        self.layout, self.traces, self.width = figure.layout, figure.data, width
        self.height = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b

    def at(self, x, y, paper=False):
        """Return the pixels of a place."""
        if paper:
            return x * self.width, y * self.height
        (left, right), (low, high) = self.layout.xaxis.range, self.layout.yaxis.range
        return self.width * (x - left) / (right - left), self.height * (y - low) / (high - low)

    def box(self, note) -> Box:
        """Return the box of a text."""
        lines = [unescape(re.sub("<[^>]*>", "", line)) for line in note.text.split("<br>")]
        wide, high = (
            max(text_width(line, note.font.size) for line in lines),
            LINE_SHARE * note.font.size * len(lines),
        )
        x, y = self.at(note.x, note.y, note.xref == "paper")
        x, y = x + (note.xshift or 0), y + (note.yshift or 0)
        left = x - wide * {"left": 0, "center": 0.5, "right": 1}[note.xanchor]
        bottom = y - high * {"bottom": 0, "middle": 0.5, "top": 1}[note.yanchor or "middle"]
        return Box(left, bottom, left + wide, bottom + high)

    def marks(self) -> list[Box]:
        """Return the boxes of all marks."""
        sized = [
            (self.at(*place), trace.marker.size / 2)
            for trace in self.traces
            for place in zip(trace.x, trace.y, strict=True)
        ]
        return [Box(x - half, y - half, x + half, y + half) for (x, y), half in sized]

    def arrow(self) -> list[tuple[float, float]]:
        """Return points along the arrow, if there is one."""
        ends = [
            (self.at(note.ax, note.ay), self.at(note.x, note.y))
            for note in self.layout.annotations
            if note.arrowhead
        ]
        return [tuple(point) for start, end in ends for point in np.linspace(start, end, 200)]
