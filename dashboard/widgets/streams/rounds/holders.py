"""The tiles of one round with their heading."""

from html import escape

import numpy as np
import streamlit as st

from evenkeel.assignors.kafka.streams.assignor import StreamsSettings
from evenkeel.dashboard.tables.task_tiles import ACTIVE, STANDBY, STATELESS, WARMUP, Instance, instance_rows, instances, is_large
from evenkeel.dashboard.view import ApplicationView, TaskRounds
from evenkeel.dashboard.widgets.streams.rounds import tiles
from evenkeel.data.words.formats import exact, round_number

_MARKS = {
    "active": "active",
    "restoring": "active, restoring first",
    "standby": "standby, lag",
    "behind": "standby behind",
    "warmup": "warm-up, full when lag ≤ {}",
    "waits": "waits",
    "came": "came",
    "left": "left",
}
_ALWAYS = ("active", "standby")


def show(view: ApplicationView, found: TaskRounds, number: int, settings: StreamsSettings) -> None:
    """Draw who holds what in a round."""
    rows = instances(view, found.rounds, number, settings)
    kinds = {tile.kind for row in rows for thread in row.threads for column in thread.tiles.values() for tile in column}
    legend = "".join(
        f'<span><i class="mark {kind}"></i>{escape(text.format(round_number(settings.acceptable_recovery_lag)))}</span>'
        for kind, text in _MARKS.items()
        if kind in kinds or kind in _ALWAYS
    )
    when = "now" if number == 0 else f"round {exact(number)}"
    st.html(f'<p class="task-legend"><b>Who holds what, {when}</b>{legend}</p>')
    heads, label = _heads(view, found, number, settings, rows), f"Tasks of each instance, {when}"
    if is_large(rows):
        tiles.show_rows(instance_rows(rows), heads, label)
    else:
        tiles.show(rows, heads, label)


def _heads(
    view: ApplicationView, found: TaskRounds, number: int, settings: StreamsSettings, rows: list[Instance]
) -> dict[str, tuple[str, str]]:
    answer, stateful = found.rounds[number].answer, view.snapshot.is_stateful
    to_move = int(np.count_nonzero((answer.active != found.rounds[-1].answer.active) & stateful))
    waits = sum(tile.kind == "waits" for row in rows for thread in row.threads for tile in thread.tiles[WARMUP])
    standbys, stateless = len(answer.standby) - len(answer.warmup), int((~stateful).sum())
    heads = {ACTIVE: ("Active", f"{exact(int(stateful.sum()))}{f', {exact(to_move)} to move' if to_move else ''}")}
    if standbys:
        heads[STANDBY] = ("Standby", exact(standbys))
    if len(answer.warmup) or waits:
        more = f", {exact(waits)} wait" if waits else ""
        heads[WARMUP] = ("Warm-up", f"{exact(len(answer.warmup))} of max {exact(settings.max_warmup_replicas)}{more}")
    if stateless:
        heads[STATELESS] = ("Stateless", exact(stateless))
    return heads
