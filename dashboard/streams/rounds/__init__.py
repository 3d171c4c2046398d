"""The rounds until an application is balanced: strip, tasks by instance, and chart of roles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
import streamlit as st

from evenkeel.assignors.kafka.streams.assignor import StreamsSettings
from evenkeel.dashboard.names import UNDER
from evenkeel.dashboard.parts import plot
from evenkeel.dashboard.shell import address
from evenkeel.dashboard.shell.choice import Choice
from evenkeel.dashboard.shell.component import component
from evenkeel.dashboard.shell.loading.applications import answered, why_there
from evenkeel.dashboard.steps import strip
from evenkeel.dashboard.steps.strips import round_strip
from evenkeel.dashboard.streams.role_bars import RoleCounts, role_bars, role_counts
from evenkeel.dashboard.streams.tiles import (
    ACTIVE,
    STANDBY,
    STATELESS,
    WARMUP,
    Instance,
    InstanceRow,
    Tile,
    instance_rows,
    instances,
    is_large,
)
from evenkeel.dashboard.view import ApplicationView, TaskRounds
from evenkeel.data.text.formats import count, exact, round_number

_SLIDER = "round-slider"
_MOST_ROUNDS = 9_999


@dataclass(frozen=True)
class _Round(Choice[tuple[tuple, int]]):
    """The choice of a round. Its value: application, digest of the edits, and number of the
    round.
    """

    default: tuple[tuple, int]
    key: str = "round"

    def read(self, linked: str) -> tuple[tuple[tuple, int], str]:
        number = address.whole(linked, _MOST_ROUNDS)
        words = f"The URL asks for the round “{linked[:20]}”, expected a number."
        return (self.default[0], number or 0), words if number is None else ""


def choose(view: ApplicationView, rounds: TaskRounds, interval_seconds: float) -> int:
    """Draw the strip and the slider of rounds; return the number of the open round.

    If the chosen round does not exist, the last round is open.
    """
    of = (view.opened.lasting, view.digest)
    choice, last = _Round((of, 0)), len(rounds.rounds) - 1
    of_number, number = choice.follow()
    number = number if of_number == of else 0
    shown = min(number, last)
    with st.container(gap=None, key="rounds"):
        strip.show(
            round_strip(rounds, view.document.taken_at, interval_seconds),
            shown,
            lambda at: choice.choose((of, at)),
            "round-strip",
            "Rounds",
        )
        if last:
            st.session_state[_SLIDER] = shown
            st.slider(
                "Round",
                0,
                last,
                key=_SLIDER,
                on_change=lambda: choice.choose((of, st.session_state[_SLIDER])),
                label_visibility="collapsed",
            )
    # A round that is still being computed remains in the address.
    address.show(round=str(shown if rounds.is_whole else number) if number else None)
    return shown


# The chart of roles over the rounds. A click on a bar opens its round.


def show_roles(view: ApplicationView, rounds: TaskRounds, number: int) -> None:
    """Draw the chart of roles."""
    counts = role_counts([each.answer for each in rounds.rounds], view.snapshot.is_stateful)
    plot.show(role_bars(counts, number), "role-bars", _finding(counts))


def _finding(counts: RoleCounts) -> str:
    rounds = len(counts.in_place) - 1
    now = (
        f"{exact(int(counts.in_place[0]))} of {count(counts.task_count, 'stateful task')} in"
        " place now"
    )
    most = count(int(counts.warmup.max()), "warm-up")
    return (
        f"{now}, {exact(int(counts.in_place[-1]))} after {count(rounds, 'round')}; at most {most}"
        " at once"
    )


# The tiles of one round, with their heading.


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


def show_holders(
    view: ApplicationView, rounds: TaskRounds, number: int, settings: StreamsSettings
) -> None:
    """Draw the tasks that each instance has in a round."""
    rows = instances(view, rounds.rounds, number, settings)
    kinds = {
        tile.kind
        for row in rows
        for thread in row.threads
        for column in thread.tiles.values()
        for tile in column
    }
    legend = "".join(
        '<span><i class="mark'
        f' {kind}"></i>{escape(text.format(round_number(settings.acceptable_recovery_lag)))}</span>'
        for kind, text in _MARKS.items()
        if kind in kinds or kind in _ALWAYS
    )
    when = "now" if number == 0 else f"round {exact(number)}"
    st.html(f'<p class="task-legend"><b>Who holds what, {when}</b>{legend}</p>')
    heads, label = _heads(view, rounds, number, settings, rows), f"Tasks of each instance, {when}"
    if is_large(rows):
        _show_tile_rows(instance_rows(rows), heads, label)
    else:
        _show_tiles(rows, heads, label)


def _heads(
    view: ApplicationView,
    rounds: TaskRounds,
    number: int,
    settings: StreamsSettings,
    rows: list[Instance],
) -> dict[str, tuple[str, str]]:
    answer, stateful = rounds.rounds[number].answer, view.snapshot.is_stateful
    to_move = int(np.count_nonzero((answer.active != rounds.rounds[-1].answer.active) & stateful))
    waits = sum(
        tile.kind == "waits"
        for row in rows
        for thread in row.threads
        for tile in thread.tiles[WARMUP]
    )
    standbys, stateless = len(answer.standby) - len(answer.warmup), int((~stateful).sum())
    heads = {
        ACTIVE: (
            "Active",
            f"{exact(int(stateful.sum()))}{f', {exact(to_move)} to move' if to_move else ''}",
        )
    }
    if standbys:
        heads[STANDBY] = ("Standby", exact(standbys))
    if len(answer.warmup) or waits:
        more = f", {exact(waits)} wait" if waits else ""
        heads[WARMUP] = (
            "Warm-up",
            f"{exact(len(answer.warmup))} of max {exact(settings.max_warmup_replicas)}{more}",
        )
    if stateless:
        heads[STATELESS] = ("Stateless", exact(stateless))
    return heads


# Why a task is on its instances: for the clicked tile, or for the chosen task.


_TASK = "why-task"


def show_why(
    view: ApplicationView, rounds: TaskRounds, number: int, assignor: StreamsSettings
) -> None:
    """Draw a select box of tasks and, for the selected task, the steps by which the assignor chose
    the instances in this round.
    """
    if st.session_state.get(_TASK) not in view.tasks:
        st.session_state[_TASK] = None
    chosen = st.selectbox(
        "Why a task is there",
        view.tasks,
        key=_TASK,
        placeholder="Click a task, or choose one",
        label_visibility="collapsed",
        width=300,
    )
    if chosen is None:
        return
    reason = why_there(view, assignor, rounds, number, view.tasks.index(chosen))
    when = "now" if number == 0 else f"in round {exact(number)}"
    steps = "".join(f"<li>{escape(sentence)}</li>" for sentence in reason)
    st.html(
        f"<p><b>Why {escape(chosen)} is there {when}</b> {UNDER}"
        f' <code>{escape(assignor.name)}</code></p><ol class="why">{steps}</ol>'
    )


def _pick_task() -> None:
    st.session_state[_TASK] = st.session_state[_TILES].picked


# Tasks by instance: rows are instances and threads, tiles are tasks. With the mouse on a tile, all
# copies of its task are marked. In a large application each instance has one row with counts, and
# instances without moves are collapsed.


_TILES = "task-tiles"
_tiles = component("task_tiles", Path(__file__).with_name("tiles.html"))

Heads = Mapping[str, tuple[str, str]]
"""Name and note of each column of tiles."""


def _show_tiles(instances: Sequence[Instance], heads: Heads, label: str) -> None:
    rows = [
        {
            "name": row.name,
            "note": row.note,
            "lines": [
                {"name": thread.name, "cells": _cells(thread.tiles)} for thread in row.threads
            ],
        }
        for row in instances
    ]
    _draw([{"title": "", "is_open": True, "instances": rows}], heads, label)


def _show_tile_rows(rows: Sequence[InstanceRow], heads: Heads, label: str) -> None:
    """Draw one row for each instance. Instances without moves are in a collapsed part."""
    moving, resting = (
        [_plain(row) for row in rows if bool(row.moves) == moves] for moves in (True, False)
    )
    parts = [{"title": "", "is_open": True, "instances": moving}] if moving else []
    words = f"{count(len(resting), 'instance')} without moves"
    _draw(
        [
            *parts,
            *([{"title": words, "is_open": not moving, "instances": resting}] if resting else []),
        ],
        heads,
        label,
    )


def _draw(parts: Sequence[dict], heads: Heads, label: str) -> None:
    columns = [{"key": key, "name": name, "note": note} for key, (name, note) in heads.items()]
    _tiles(
        key=_TILES,
        data={"label": label, "columns": columns, "parts": list(parts)},
        on_picked_change=_pick_task,
    )


def _plain(row: InstanceRow) -> dict:
    cells = {
        key: {"count": cell.total, "note": cell.note, "tiles": _dicts(cell.tiles)}
        for key, cell in row.cells.items()
    }
    return {"name": row.name, "note": row.note, "lines": [{"name": "", "cells": cells}]}


def _cells(tiles: Mapping[str, Sequence[Tile]]) -> dict:
    return {
        key: {"count": "", "note": "", "tiles": _dicts(column)} for key, column in tiles.items()
    }


def _dicts(tiles: Sequence[Tile]) -> list[dict]:
    return [tile._asdict() for tile in tiles]


# Rounds that are still being computed. The page is drawn again when they are ready.


def show_awaited(views: Mapping[str, ApplicationView]) -> None:
    """Say which rounds are still being computed; draw the page again when they are ready."""
    if _waiting(views):
        _look(views, _waiting(views))


@st.fragment(run_every=0.7)
def _look(views: Mapping[str, ApplicationView], names: Sequence[str]) -> None:
    if _waiting(views) != names:
        address.draw_again()
    st.html(f'<span class="note">Rounds still computed: {", ".join(names)}</span>')


def _waiting(views: Mapping[str, ApplicationView]) -> list[str]:
    answers = {name: answered(view, name, 0.0).task_rounds for name, view in views.items()}
    return [name for name, rounds in answers.items() if rounds and not rounds.is_whole]
