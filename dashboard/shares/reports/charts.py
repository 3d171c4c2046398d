"""Figures of a report as SVG without scripts; figures with light colours for notebooks.

Only lines, marks, bars and texts on axes with a fixed range are supported: the figures of a report
have nothing else.
"""

import json
import re
from collections.abc import Iterator
from html import escape
from html.parser import HTMLParser
from math import isfinite
from typing import Any, NamedTuple

import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.names import visible

_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_BASELINES = {"bottom": -0.3, "middle": 0.35, "top": 1.0}
"""Distance of a text line below its anchor, as a fraction of its size."""

_STANDOFF = 6
"""Pixels between an axis and its words. On the page, the template sets this distance."""

_SHAPES = {
    "square": "M-1-1H1V1H-1Z",
    "diamond": "M0-1.3L1.3 0L0 1.3L-1.3 0Z",
    "circle": "M-1 0A1 1 0 1 0 1 0A1 1 0 1 0-1 0Z",
    "line-ns": "M0-1.4V1.4",
}
"""Shapes of marks for a half size of 1."""


def svg(figure: go.Figure, width: int) -> str:
    """Return a figure as SVG, `width` pixels wide."""
    return "".join(_Picture(figure, width).parts())


class _Scale(NamedTuple):
    """An axis of the picture: its first and last pixel, and the values at these two pixels."""

    pixels: tuple[float, float]
    values: tuple[float, float]

    def at(self, value: float) -> float:
        """Return the pixel at which a value is drawn."""
        (first, last), (low, high) = self.pixels, self.values
        return first + (last - first) * (value - low) / (high - low)

    def share(self, part: float) -> float:
        """Return the pixel at a fraction (0 to 1) of the axis."""
        return self.pixels[0] + (self.pixels[1] - self.pixels[0]) * part


class _Picture:
    """A figure that is drawn as SVG."""

    def __init__(self, figure: go.Figure, width: int) -> None:
        self.figure, self.layout, self.width = figure, figure.layout, width
        margin, self.height = self.layout.margin, self.layout.height
        self.x = _Scale((margin.l, width - margin.r), (0, 1))
        self.y = _Scale((self.height - margin.b, margin.t), (0, 1))

    def parts(self) -> Iterator[str]:
        """Yield the SVG elements, from back to front."""
        size = f'viewBox="0 0 {self.width} {self.height}"'
        font = (
            'font-family="Source Sans, sans-serif" style="display:block;width:100%;white-space:pre"'
        )
        yield f'<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" {size} {font}>'
        yield from (self._shape(shape) for shape in self.layout.shapes)
        for name in filter(re.compile("[xy]axis").match, self.layout):
            axis = self.layout[name]
            if axis.tickvals is not None and axis.visible is not False:
                yield from self._ticks(name, axis)
        for trace in self.figure.data:
            yield from self._bars(trace) if trace.type == "bar" else self._scatter(trace)
        yield from (self._note(note) for note in self.layout.annotations)
        yield "</svg>"

    def _scale(self, name: str) -> _Scale:
        whole, axis = getattr(self, name[0]), self.layout[f"{name[0]}axis{name[1:]}"]
        low, high = axis.domain or (0, 1)
        return _Scale((whole.share(low), whole.share(high)), tuple(axis.range))

    def _place(self, ref: str, value: float) -> float:
        """Return the pixel of a value.

        `ref`: plotly's reference to an axis; with `domain`, the value is a fraction of the axis.
        """
        name, _, domain = ref.partition(" ")
        return self._scale(name).share(value) if domain else self._scale(name).at(value)

    def _across(self, ref: str | None, value: float) -> float:
        return self.x.at(value) if ref == "paper" else self._place(ref or "x", value)

    def _down(self, ref: str | None, value: float) -> float:
        return self.y.at(value) if ref == "paper" else self._place(ref or "y", value)

    def _shape(self, shape: Any) -> str:
        left, right = (self._across(shape.xref, value) for value in (shape.x0, shape.x1))
        top, bottom = sorted(self._down(shape.yref, value) for value in (shape.y0, shape.y1))
        if shape.type == "line":
            return _line((left, top, right, bottom), shape.line.color, shape.line.width, "5 4")
        return _rect(left, top, right - left, bottom - top, shape.fillcolor)

    def _ticks(self, name: str, axis: Any) -> Iterator[str]:
        own, is_value = self._scale(name.replace("axis", "")), name.startswith("x")
        other = axis.anchor or ("y" if is_value else "x") + name[5:]
        low, high = self._scale(other).pixels
        size, color = axis.tickfont.size or 11, axis.tickfont.color
        for value, text in zip(axis.tickvals, axis.ticktext, strict=True):
            at = own.at(value)
            if axis.showgrid:
                ends = (at, high, at, low) if is_value else (low, at, high, at)
                yield _line(ends, axis.gridcolor, 1)
            if is_value:
                yield _text(text, at, low + _STANDOFF + size, size, color, "center")
            else:
                yield _text(text, low - _STANDOFF, at + size * 0.35, size, color, "right")

    def _bars(self, trace: Any) -> Iterator[str]:
        x, y, marker = (
            self._scale(trace.xaxis or "x"),
            self._scale(trace.yaxis or "y"),
            trace.marker,
        )
        widths = marker.line.width or [0] * len(trace.x)
        hatched = (marker.pattern.shape if marker.pattern.shape else None) or [""] * len(trace.x)
        rows = zip(trace.x, trace.y, marker.color, widths, hatched, strict=True)
        for value, place, color, edge, hatch in rows:
            if not isfinite(value):
                continue
            ends = (place + trace.offset, place + trace.offset + trace.width)
            top, bottom = sorted(map(y.at, ends))
            box = x.at(0), top, x.at(value) - x.at(0), bottom - top
            yield _rect(*box, color, 2, marker.line.color if edge else None, edge)
            if hatch:
                yield from _hatch(*box)

    def _scatter(self, trace: Any) -> Iterator[str]:
        x, y = self._scale(trace.xaxis or "x"), self._scale(trace.yaxis or "y")
        points = [
            (x.at(across), y.at(down)) if isfinite(across) and isfinite(down) else None
            for across, down in zip(trace.x, trace.y, strict=True)
        ]
        if "lines" in trace.mode:
            for start, end in zip(points, points[1:], strict=False):
                if start and end:
                    yield _line((*start, *end), trace.line.color, trace.line.width)
        texts = trace.text if trace.mode == "text" else [""] * len(points)
        for point, text in zip(points, texts, strict=True):
            if point is None:
                continue
            if trace.mode == "text":
                font, side = trace.textfont, trace.textposition.split()[1]
                anchor = {"left": "right", "right": "left"}.get(side, side)
                yield _text(
                    text, point[0], point[1] + font.size * 0.35, font.size, font.color, anchor
                )
            else:
                yield _mark(trace.marker, *point)

    def _note(self, note: Any) -> str:
        across = self._across(note.xref, note.x) + (note.xshift or 0)
        down = self._down(note.yref, note.y) - (note.yshift or 0)
        size = note.font.size
        baseline = _BASELINES[note.yanchor if note.yanchor in _BASELINES else "middle"]
        behind = note.bgcolor and _colour(note.bgcolor)
        return _text(
            note.text, across, down + size * baseline, size, note.font.color, note.xanchor, behind
        )


def _mark(marker: Any, x: float, y: float) -> str:
    edge, half = marker.line, marker.size / 2
    fill = _colour(marker.color) if marker.color else "none"
    stroke = f' stroke="{_colour(edge.color)}" stroke-width="{edge.width}"' if edge.color else ""
    return (
        f'<path transform="translate({x:.1f} {y:.1f}) scale({half:g})" fill="{fill}"{stroke}'
        f' vector-effect="non-scaling-stroke" d="{_SHAPES[marker.symbol]}"/>'
    )


def _line(ends: tuple[float, ...], color: str, width: float, dash: str = "") -> str:
    path = "M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*ends)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{path}" stroke="{_colour(color)}" stroke-width="{width:g}"{dashes}/>'


def _rect(
    x: float,
    y: float,
    width: float,
    height: float,
    color: str,
    radius: int = 0,
    edge: str | None = None,
    thick: float = 0,
) -> str:
    stroke = f' stroke="{_colour(edge)}" stroke-width="{thick:g}"' if edge else ""
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place} rx="{radius}" fill="{_colour(color)}"{stroke}/>'


def _hatch(x: float, y: float, width: float, height: float) -> Iterator[str]:
    strokes = "".join(
        f"M{x + at:.1f} {y + height:.1f}l{height:.1f}-{height:.1f}"
        for at in range(1, max(0, int(width - height)), 6)
    )
    yield f'<path d="{strokes}" stroke="{_colour(theme.PAPER)}" stroke-width="1.5" opacity=".55"/>'


def _text(
    markup: str,
    x: float,
    y: float,
    size: float,
    color: str,
    anchor: str,
    behind: str | None = None,
) -> str:
    halo = f' stroke="{behind}" stroke-width="3" paint-order="stroke"' if behind else ""
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{_ANCHORS[anchor]}"'
    return f'<text {place} fill="{_colour(color)}"{halo}>{_spans(markup)}</text>'


def _colour(placeholder: str) -> str:
    """Return the light theme's colour for a colour placeholder."""
    return escape(theme.light_colours().get(placeholder, placeholder))


def _spans(markup: str) -> str:
    """Return plotly's markup as SVG: bold and coloured words are kept, other elements are
    removed.
    """
    spans = _Spans()
    spans.feed(markup)
    spans.close()
    return "".join(spans.parts)


class _Spans(HTMLParser):
    """Converts plotly's markup to SVG."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Start a span."""
        if tag == "b":
            self.parts.append('<tspan font-weight="600">')
        elif tag == "br":
            self.parts.append(" ")
        elif tag == "span":
            color = (dict(attrs).get("style") or "").removeprefix("color:").strip()
            self.parts.append(f'<tspan fill="{_colour(color)}">')

    def handle_endtag(self, tag: str) -> None:
        """Close a span."""
        if tag in ("b", "span"):
            self.parts.append("</tspan>")

    def handle_data(self, data: str) -> None:
        """Add text."""
        self.parts.append(escape(visible(data)))


# For notebooks: the same figure with plotly's own script.


# With the page's template, a figure would wait for colours that only the page has.
_NO_TEMPLATE = "none"
_STYLE = re.compile(r"(?<=[\"' ;])color: ?(#[0-9A-Fa-f]{6})")


def light(figure: go.Figure) -> go.Figure:
    """Return a copy of a figure with the light theme's colours, instead of placeholders."""
    drawn = go.Figure(_coloured(json.loads(figure.to_json())), skip_invalid=False)
    paper = theme.light_colours()[theme.PAPER]
    drawn.update_layout(
        template=_NO_TEMPLATE,
        paper_bgcolor=paper,
        plot_bgcolor=paper,
        font_family="Source Sans, sans-serif",
    )
    return drawn.update_xaxes(ticklabelstandoff=_STANDOFF).update_yaxes(ticklabelstandoff=_STANDOFF)


def _coloured(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _coloured(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_coloured(each) for each in value]
    return _in_light(value) if isinstance(value, str) and "#" in value else value


def _in_light(text: str) -> str:
    colours = theme.light_colours()
    # A name may look like a colour. Texts of figures are escaped, so no name can look like a style.
    return colours.get(text) or _STYLE.sub(
        lambda match: f"color:{colours.get(match[1], match[1])}", text
    )
