"""Who holds what: instances and threads as rows, tasks as tiles; the mouse on a tile shows all copies of its task.

Of a large application each instance is one row with counts, and those without moves are folded.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from evenkeel.dashboard.tables.task_tiles import Instance, InstanceRow, Tile
from evenkeel.data.words.formats import count

_HERE = Path(__file__).parent
_FILES = {kind: (_HERE / f"tiles.{kind}").read_text() for kind in ("html", "css", "js")}
_tiles = st.components.v2.component("evenkeel.task_tiles", **_FILES)

Heads = Mapping[str, tuple[str, str]]
"""Name and note of each column that is shown."""


def show(instances: Sequence[Instance], heads: Heads, label: str) -> None:
    """Draw a tile for everything."""
    rows = [
        {"name": row.name, "note": row.note, "lines": [{"name": thread.name, "cells": _cells(thread.tiles)} for thread in row.threads]}
        for row in instances
    ]
    _draw([{"title": "", "is_open": True, "instances": rows}], heads, label)


def show_rows(rows: Sequence[InstanceRow], heads: Heads, label: str) -> None:
    """Draw a row for each instance; those without moves are folded."""
    moving, resting = ([_plain(row) for row in rows if bool(row.moves) == moves] for moves in (True, False))
    parts = [{"title": "", "is_open": True, "instances": moving}] if moving else []
    words = f"{count(len(resting), 'instance')} without moves"
    _draw([*parts, *([{"title": words, "is_open": not moving, "instances": resting}] if resting else [])], heads, label)


def _draw(parts: Sequence[dict], heads: Heads, label: str) -> None:
    columns = [{"key": key, "name": name, "note": note} for key, (name, note) in heads.items()]
    _tiles(key="task-tiles", data={"label": label, "columns": columns, "parts": list(parts)})


def _plain(row: InstanceRow) -> dict:
    cells = {key: {"count": cell.count, "note": cell.note, "tiles": _dicts(cell.tiles)} for key, cell in row.cells.items()}
    return {"name": row.name, "note": row.note, "lines": [{"name": "", "cells": cells}]}


def _cells(tiles: Mapping[str, Sequence[Tile]]) -> dict:
    return {key: {"count": "", "note": "", "tiles": _dicts(column)} for key, column in tiles.items()}


def _dicts(tiles: Sequence[Tile]) -> list[dict]:
    return [tile._asdict() for tile in tiles]
