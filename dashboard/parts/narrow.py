"""Change a figure so that its names, texts and scales fit into a narrow window."""

import re
from collections.abc import Sequence
from copy import deepcopy
from html import unescape
from numbers import Real
from typing import Any

from evenkeel.dashboard.parts.labels import plain
from evenkeel.dashboard.parts.text_width import text_width
from evenkeel.data.text.names import elided

MOST = 640
"""Largest width of a narrow window, in pixels."""

_BESIDE = 28
"""Pixels of the window outside the page, left and right together."""

_SAFE = 6
"""Spare pixels, because the browser's letters may be wider than computed."""

_NAMES, _LEAST_LETTERS, _AIR, _LINE = 96, 6, 14, 1.3
"""Left margin and shortest name (letters), gap in pixels, and line height as a multiple of the font
size.
"""

Layout = dict[str, Any]


def fitted(layout: Layout, window: int) -> Layout:
    """Return a copy of a figure's layout that fits a window of this width in pixels.

    Names left of the plot are shortened, axes have fewer texts, and other texts are moved or
    wrapped.
    """
    layout, width = deepcopy(layout), window - _BESIDE - _SAFE
    margin = layout["margin"]
    margin["l"] = min(margin["l"], _cut_names(layout, margin["l"]))
    plot = width - margin["l"] - margin["r"]
    for axis in _axes(layout, "xaxis"):
        _thin_out(axis, plot)
    # Lowest text first: if a text needs more lines, all texts above it move up.
    rise = 0.0
    for note in sorted(layout.get("annotations", ()), key=lambda note: note.get("yshift", 0)):
        is_above = note.get("yref") == "paper" and note["y"] == 1
        if is_above:
            note["yshift"] = note.get("yshift", 0) + rise
        more = _fit(note, layout, width, plot)
        rise += more if is_above else 0
    margin["t"] += rise
    layout["height"] += rise
    return layout


def _axes(layout: Layout, kind: str) -> list[Layout]:
    return [axis for key, axis in layout.items() if key.startswith(kind) and axis.get("ticktext")]


def _cut_names(layout: Layout, room: float) -> int:
    """Shorten the names left of the plot; return the new left margin in pixels."""
    texts = [axis["ticktext"] for axis in _axes(layout, "yaxis")]
    if room > _NAMES + _AIR:
        for axis in _axes(layout, "yaxis"):
            axis["ticktext"] = [_cut(text) for text in axis["ticktext"]]
        texts = [axis["ticktext"] for axis in _axes(layout, "yaxis")]
    return _AIR + round(max((_wide(text, 11) for each in texts for text in each), default=room))


def _cut(text: str) -> str:
    name, letters = unescape(text), len(text)
    while text_width(elided(name, letters)) > _NAMES and letters > _LEAST_LETTERS:
        letters -= 1
    return plain(elided(name, letters))


def _wide(text: str, size: float) -> float:
    lines = re.sub(r"<(?!br>)[^>]*>", "", text).split("<br>")
    return max(text_width(unescape(line), size, bold="<b>" in text) for line in lines)


def _thin_out(axis: Layout, plot: float) -> None:
    """Remove axis texts that would overlap the text before them or extend beyond the figure."""
    if axis.get("tickangle") == -90 or axis.get("visible") is False or not _has_scale(axis):
        return
    labels: list[tuple[float, str]] = []
    end = float("-inf")
    for value, text in zip(axis["tickvals"], axis["ticktext"], strict=True):
        middle = _share(axis, value) * plot
        half = _wide(text, axis["tickfont"]["size"]) / 2 if "tickfont" in axis else 0
        if middle - half > end and middle + half <= plot + _SAFE:
            labels.append((value, text))
            end = middle + half + _AIR / 2
    axis["tickvals"] = tuple(value for value, _ in labels)
    axis["ticktext"] = tuple(text for _, text in labels)


def _has_scale(axis: Layout) -> bool:
    """Return whether the axis has a range of two different numbers."""
    ends = axis.get("range") or ()
    return len(set(ends)) == 2 and all(isinstance(end, Real) for end in ends)


def _share(axis: Layout, value: float) -> float:
    """Return the position of a value as a share of the plot's width."""
    (first, last), (left, right) = axis["range"], axis.get("domain", (0, 1))
    return float(left + (value - first) / (last - first) * (right - left))


def _fit(note: Layout, layout: Layout, width: float, plot: float) -> float:
    """Wrap a text and move it so that it is inside the figure; return the pixels that its new lines
    add.
    """
    is_at_plot = note.get("xref") == "paper" and note["x"] == 0 and note.get("xshift", 0) <= 0
    if is_at_plot and note.get("xanchor") == "left":
        note["xshift"] = -layout["margin"]["l"]
    left = _left(note, layout, plot)
    if left is None or note.get("textangle"):
        return 0.0
    size, before = note["font"]["size"], note["text"].count("<br>")
    if _wide(note["text"], size) > width:
        note["text"] = "<br>".join(_wrapped(note["text"], size, width))
        note.setdefault("align", "left")
    long = _wide(note["text"], size)
    start = left - long * {"left": 0.0, "center": 0.5, "right": 1.0}.get(
        note.get("xanchor", ""), 0.5
    )
    moved = min(max(start, 0.0), max(width - long, 0.0)) - start
    if abs(moved) > 1:
        note["xshift"] = note.get("xshift", 0) + moved
    return (note["text"].count("<br>") - before) * size * _LINE


def _left(note: Layout, layout: Layout, plot: float) -> float | None:
    """Return the pixels from the figure's left side to the point where the text is anchored.

    None if unknown.
    """
    ref = note.get("xref", "x")
    if ref == "paper":
        share = note["x"]
    else:
        axis = layout.get(f"xaxis{ref[1:]}", {})
        if not _has_scale(axis):
            return None
        share = _share(axis, note["x"])
    return float(layout["margin"]["l"] + share * plot + note.get("xshift", 0))


def _wrapped(text: str, size: float, width: float) -> Sequence[str]:
    """Break a text into lines: a legend between its entries, other texts between words.

    An HTML tag is never broken.
    """
    gap = "   " if "   " in text else " "
    lines: list[str] = []
    for part in re.split(gap + r"(?![^<]*>)", text):
        longer = gap.join([*lines[-1:], part])
        if lines and _wide(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines
