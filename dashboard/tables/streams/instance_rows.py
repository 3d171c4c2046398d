"""A large application: a row for each instance with counts by role, and tiles for what moves or is filled alone."""

from collections.abc import Sequence
from typing import NamedTuple

from evenkeel.dashboard.tables.streams.tiles import ACTIVE, STANDBY, STATELESS, WARMUP, Instance, Tile
from evenkeel.data.words.formats import exact

MOST_INSTANCES, MOST_TILES = 30, 300
"""More than either are rows."""

_MOST_SHOWN = 6
_AT_REST = ("active", "standby", "behind", "stateless")


class Cell(NamedTuple):
    """`count` of the role, a note, and the tiles that are shown."""

    count: str
    note: str
    tiles: list[Tile]


class InstanceRow(NamedTuple):
    """`moves`: tiles that are not at rest."""

    name: str
    note: str
    moves: int
    cells: dict[str, Cell]


def is_large(instances: Sequence[Instance]) -> bool:
    """Tell whether tiles for everything would be too many."""
    tiles = sum(len(column) for each in instances for thread in each.threads for column in thread.tiles.values())
    return len(instances) > MOST_INSTANCES or tiles > MOST_TILES


def instance_rows(instances: Sequence[Instance]) -> list[InstanceRow]:
    """Return a row for each instance, those with most moves first."""
    return sorted(map(_row, instances), key=lambda row: (-row.moves, row.name))


def _row(instance: Instance) -> InstanceRow:
    columns = {key: [tile for thread in instance.threads for tile in thread.tiles[key]] for key in (ACTIVE, STANDBY, WARMUP, STATELESS)}
    return InstanceRow(instance.name, instance.note, instance.moves, {key: _cell(key, tiles) for key, tiles in columns.items()})


def _cell(column: str, tiles: Sequence[Tile]) -> Cell:
    shown = [tile for tile in tiles if tile.kind not in _AT_REST]
    held = sum(tile.kind not in ("left", "waits") for tile in tiles)
    behind = sum(tile.kind == "behind" for tile in tiles)
    hidden = len(shown) - _MOST_SHOWN
    notes = [f"{exact(behind)} behind"] * bool(behind) + [f"+{exact(hidden)} more"] * (hidden > 0)
    return Cell("" if column == WARMUP else exact(held) if held else "", ", ".join(notes), shown[:_MOST_SHOWN])
