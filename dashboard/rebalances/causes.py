"""The table of causes: how often, how long, worst member, advice, setting and its effect.

A click on a cause selects its rebalances.
"""

from collections.abc import Mapping
from typing import Any

from evenkeel.dashboard.names import visible
from evenkeel.dashboard.parts import table
from evenkeel.dashboard.rebalances import picture
from evenkeel.dashboard.rebalances.figure_look import colour_name
from evenkeel.dashboard.rebalances.loading.shown import LogView
from evenkeel.dashboard.rebalances.picture import Part
from evenkeel.dashboard.rebalances.words import (
    advice,
    paused_text,
    precise,
    seconds_text,
    would_be,
)
from evenkeel.dashboard.times import local
from evenkeel.data.rebalances.by_cause import RESTARTED, CauseRow, Setting
from evenkeel.data.rebalances.words import CAUSES, assumed_words, cause_words, setting_words
from evenkeel.data.text.formats import UNKNOWN, at_least, duration, exact
from evenkeel.data.text.names import elided

_HEADS = (
    "Cause",
    "count",
    "paused",
    "",
    "longest",
    "worst",
    "last",
    "Advice",
    "Setting",
    "would be",
)
_COLUMNS = [
    {
        "label": name,
        "over": "",
        "kind": name.lower().replace(" ", "-") or "bar",
        "heads": name == "Cause",
    }
    for name in _HEADS
]


def show(shown: LogView, part: Part) -> None:
    """Draw the table, longest pause first. The selected cause is highlighted."""
    most = max((row.paused or row.seconds or 0 for row in shown.rows), default=0) or 1
    rows = [{"id": row.kind, "cells": _cells(shown, row, most)} for row in shown.rows]
    data = {"columns": _COLUMNS, "rows": rows, "candidate": part.kind, "picks": True}
    table.show("Causes", "causes", data, key="causes", picked=picture.choose_cause)


def _cells(shown: LogView, row: CauseRow, most: float) -> list[Mapping[str, Any]]:
    look, (left, is_better) = CAUSES[row.kind].look, would_be(row)
    permitted = next(
        (
            shown.events[place].alternatives
            for place in row.places
            if shown.events[place].alternatives
        ),
        (),
    )
    help = (
        f"{row.ambiguous:,} of {row.count:,}: {cause_words(row.kind, permitted)}"
        if permitted and row.kind in CAUSES
        else ""
    )
    name = {
        "mark": look.glyph,
        "text": CAUSES[row.kind].short,
        "note": "?" if help else "",
        "title": help or "Show its rebalances",
    }
    return [
        name | {"className": colour_name(row.kind)},
        _count(row),
        {
            "text": paused_text(
                row.paused, row.seconds, (row.untimed if row.paused is None else row.unpaused) > 0
            )
        },
        {"bar": (row.paused or row.seconds or 0) / most},
        {"text": at_least(seconds_text(row.longest_ms), row.untimed > 0)},
        _worst(row),
        {"text": _last(shown, row.last)},
        {"text": advice(row)},
        _setting(row.saves) if row.saves else {},
        {"text": left, "tone": "better" if is_better else "quiet"},
    ]


def _worst(row: CauseRow) -> Mapping[str, str]:
    if row.worst is None:
        return {"text": UNKNOWN}
    is_all_at_once = row.kind == RESTARTED and row.worst[1] == 1
    if row.member_count > 1 and (is_all_at_once or row.worst[1] * row.member_count == row.count):
        return {"text": f"all {exact(row.member_count)}", "note": f"{row.worst[1]:,} each"}
    return {"text": visible(elided(row.worst[0], 14)), "note": f"{row.worst[1]:,}×"}


def _setting(saves: Setting) -> Mapping[str, str]:
    """Return the advised setting, with a note if its value is computed from an assumed timeout."""
    words = {"text": setting_words(saves.name, visible(elided(str(saves.value), 18)))}
    if saves.assumed_ms is None:
        return words
    more = duration((int(saves.value) - saves.assumed_ms) / 1000)
    why = (
        f"{saves.name} is unknown, so Kafka's default is assumed. If your value differs, raise it"
        f" by {more}."
    )
    return words | {"note": assumed_words(saves.assumed_ms), "title": why}


def _count(row: CauseRow) -> Mapping[str, str]:
    """Return the number of rebalances in which this cause came first.

    If it never came first: the number of rebalances in which it came after another cause.
    """
    if row.count:
        return {"text": exact(row.count), "className": "strong"}
    return {
        "text": f"in {exact(len(row.within))}",
        "title": "In these rebalances another cause came first",
    }


def _last(shown: LogView, at: int | None) -> str:
    if at is None:
        return UNKNOWN
    is_today = local(at / 1000).date() == local(shown.until / 1000).date()
    return precise(at) if is_today else f"{local(at / 1000):%a} {precise(at)}"
