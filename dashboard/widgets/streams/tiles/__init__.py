"""Who holds what: instances and threads as rows, tasks as tiles; the mouse on a tile shows all copies of its task."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from dashboard.tables.streams.tiles import Instance

_HERE = Path(__file__).parent
_FILES = {kind: (_HERE / f"tiles.{kind}").read_text() for kind in ("html", "css", "js")}
_tiles = st.components.v2.component("evenkeel.task_tiles", **_FILES)


def show(instances: Sequence[Instance], heads: dict[str, tuple[str, str]], label: str) -> None:
    """Draw the rows; `heads`: name and note of each column that is shown."""
    _tiles(
        key="task-tiles",
        data={
            "label": label,
            "columns": [{"key": key, "name": name, "note": note} for key, (name, note) in heads.items()],
            "instances": [_plain(each) for each in instances],
        },
    )


def _plain(instance: Instance) -> dict:
    threads = [
        {"name": thread.name, "tiles": {column: [tile._asdict() for tile in tiles] for column, tiles in thread.tiles.items()}}
        for thread in instance.threads
    ]
    return {"name": instance.name, "note": instance.note, "threads": threads}
