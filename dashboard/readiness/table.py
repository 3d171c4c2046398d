"""A table of a cluster's groups by verdict, worst verdict first, with a few groups for each
verdict. One row can be open, with the restarts of its group, settings and order.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evenkeel.dashboard.parts import table
from evenkeel.dashboard.readiness.tables import key
from evenkeel.dashboard.shell.component import component
from evenkeel.data.readiness.answer import Ready
from evenkeel.data.readiness.columns import PEOPLE

_component = component("readiness", table.FILE, Path(__file__).with_name("inside.js"))
_COLUMNS = [column for column in PEOPLE if column.title]


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
        Each has `verdict`, `rows` and `more`. `more` is the line about hidden groups, None if no
        group is hidden.
    opened : mapping or None
        Data of the open row.
    act : callable
        Function that is called with a request and its argument: `open` with a group or None, `fold`
        with a verdict, `whatif` with a group.
    """
    keys = [column.label or column.key for column in _COLUMNS]
    columns = [
        {"key": key, "kind": key, "label": column.title, "over": "", "heads": key == "group"}
        for key, column in zip(keys, _COLUMNS, strict=True)
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
        _row(group, opened if opened and opened["id"] == key(group) else None)
        for group in section["rows"]
    ]
    return (
        [*rows, {"fold": section["more"] | {"id": section["verdict"]}}] if section["more"] else rows
    )


def _row(group: Ready, opened: Mapping[str, Any] | None) -> dict[str, Any]:
    return {
        "id": key(group),
        "kind": group.judged.verdict.value,
        "isOpen": opened is not None,
        "inside": opened,
        "cells": [column.cell_of(group) for column in _COLUMNS],
    }
