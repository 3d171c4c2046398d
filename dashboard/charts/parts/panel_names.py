"""Names of topics above their panels of tiles: in a line if each has room, else written upwards."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.numbers.tiles import REVOKED, Tiles
from evenkeel.dashboard.charts.parts import axis_names, frame
from evenkeel.dashboard.charts.parts.text_width import text_width
from evenkeel.data.words.formats import exact


class PanelNames(NamedTuple):
    """Texts for `layout.annotations`, and their height in pixels."""

    notes: list[dict]
    height: int


def panel_names(tiles: Tiles, topics: Sequence[str]) -> PanelNames:
    """Return the name of each topic and the partitions in its panel after the change; nothing if tiles are not in panels."""
    starts = list(tiles.topic_start.values())
    named = [
        (axis_names.cut(topics[topic]), exact(int(((tiles.topic == topic) & (tiles.kind != REVOKED)).sum()))) for topic in tiles.topic_start
    ]
    lengths = [text_width(f"{name} {held}", bold=True) for name, held in named]
    places = _places(starts, lengths, axis_names.WIDTH / max(tiles.width, 1))
    turned = any(place + length > after for (place, after), length in zip(pairwise(places), lengths, strict=False))
    last = len(starts) - 1
    notes = []
    for number, ((name, held), start) in enumerate(zip(named, starts, strict=True)):
        at_end = number == last and not turned and places[number] < start * axis_names.WIDTH / tiles.width
        look = {"textangle": -90} if turned else {"xanchor": "right"} if at_end else {}
        x = tiles.width if at_end else start
        notes.append(
            frame.note(f"<b>{frame.plain(name)}</b> {held}", x, 1, yref="paper", yshift=6, yanchor="bottom", color=theme.INK) | look
        )
    return PanelNames(notes, 8 + round(max(lengths)) if turned else axis_names.NAMES)


def _places(starts: Sequence[float], lengths: Sequence[float], unit: float) -> list[float]:
    """Return the left ends of the names in pixels: those of their panels, and for the last name at most so far right that it fits."""
    places = [start * unit for start in starts]
    return [*places[:-1], max(min(places[-1], axis_names.WIDTH - lengths[-1]), 0)] if places else []
