"""The groups of a cluster by verdict, the worst first; a few of each, and one row open with its
restarts, settings and order.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evenkeel.dashboard.parts import table
from evenkeel.dashboard.shell.component import component
from evenkeel.data.text.formats import UNKNOWN

_component = component("readiness", table.FILE, Path(__file__).with_name("inside.js"))
_COLUMNS = (
    ("verdict", "Verdict"),
    ("group", "Group"),
    ("members", "Members, clients"),
    ("assignor", "Assignor"),
    ("why", "Why"),
    ("moves", "moves"),
    ("pairs", "pairs lost"),
    ("racks", "racks"),
    ("pause", "pause"),
    ("order", "Order"),
)


def show(
    sections: Sequence[Mapping[str, Any]],
    opened: Mapping[str, Any] | None,
    none: str,
    act: Callable[[str, Any], None],
) -> None:
    """Draw the table.

    Parameters
    ----------
    sections : sequence of mapping
        `verdict`, `rows`, and `more`: what is folded below them, None if nothing is.
    opened : mapping or None
        What the open row shows.
    act : callable
        Gets what was asked for: `open` with a group or None, `fold` with a verdict, `whatif` with a
        group.
    """
    columns = [
        {"key": key, "kind": key, "label": label, "over": "", "heads": key == "group"}
        for key, label in _COLUMNS
    ]
    rows = [row for section in sections for row in _rows(section, opened)]
    table.show(
        "Groups, worst first",
        "readiness",
        {"columns": columns, "rows": rows, "picks": True, "isTree": True, "none": none},
        key="readiness-table",
        component=_component,
        picked=lambda group: act("open", group),
        folded=lambda verdict: act("fold", verdict),
        walked=lambda group: act("whatif", group),
    )


def _rows(section: Mapping[str, Any], opened: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    rows = [
        _row(entry, opened if opened and opened["id"] == entry["id"] else None)
        for entry in section["rows"]
    ]
    return (
        [*rows, {"fold": section["more"] | {"id": section["verdict"]}}] if section["more"] else rows
    )


def _row(entry: Mapping[str, Any], opened: Mapping[str, Any] | None) -> dict[str, Any]:
    cells = {
        "verdict": {"kind": entry["verdict"], "text": entry["word"]},
        "group": {"text": entry["name"], "note": entry["note"]},
        "members": {
            "text": entry["members"],
            "note": f"· {entry['clients']}" if entry["clients"] else "",
        },
    }
    values = [
        cells.get(key) or {"text": entry[key], "tone": "quiet" if entry[key] == UNKNOWN else ""}
        for key, _ in _COLUMNS
    ]
    cut = [
        cell if key == "verdict" else cell | {"title": cell["text"]}
        for cell, (key, _) in zip(values, _COLUMNS, strict=True)
    ]
    return {
        "id": entry["id"],
        "kind": entry["verdict"],
        "isOpen": opened is not None,
        "inside": opened,
        "cells": cut,
    }
