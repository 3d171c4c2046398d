"""The tasks of one round: a row for each instance, a line for each thread, a tile for each copy of
a task.

A tile also shows the next move of its task.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.tasks import is_left_unknown, seconds_to_run
from evenkeel.assignors.kafka.streams.assignor import StreamsSettings
from evenkeel.dashboard.names import without_common_prefix
from evenkeel.dashboard.view import ApplicationView, TaskRound
from evenkeel.data.text.formats import UNKNOWN, compact, count, duration, exact

ACTIVE, STANDBY, WARMUP, STATELESS = "active", "standby", "warmup", "stateless"


class Tile(NamedTuple):
    """One copy of a task.

    `kind`: CSS class of the tile. `note`: text next to the task. `share`: how full a warm-up is, 0
    to 1. `title`: text on hover.
    """

    task: str
    kind: str
    title: str
    note: str = ""
    share: float = 0.0


class Thread(NamedTuple):
    """A thread of an instance. `tiles`: the tiles of each column."""

    name: str
    tiles: dict[str, list[Tile]]


class Instance(NamedTuple):
    """An instance. `moves`: number of its tiles whose task came, left, will move or warms up."""

    name: str
    note: str
    moves: int
    threads: list[Thread]


@dataclass(frozen=True, eq=False)
class Fates:
    """For each task: the instance that runs it before, in and after a round.

    Parameters
    ----------
    before : int32 (K,)
        Process that ran the task in the previous round. `NOWHERE` if none; the number of processes
        if a departed process ran it.
    now : int32 (K,)
        Process that runs the task in this round.
    to, at : int64 (K,)
        Process to which the task moves next, and the round of this move. `NOWHERE` if the task does
        not move any more.
    waiting : int64 (N, 3)
        (member, task, round): a warm-up that starts in a later round, for a task that will move.
    """

    before: np.ndarray
    now: np.ndarray
    to: np.ndarray
    at: np.ndarray
    waiting: np.ndarray


class _Page(NamedTuple):
    view: ApplicationView
    rounds: Sequence[TaskRound]
    number: int
    settings: StreamsSettings
    fates: Fates
    short: tuple[str, ...]

    @property
    def shown(self) -> TaskRound:
        return self.rounds[self.number]


def instances(
    view: ApplicationView, rounds: Sequence[TaskRound], number: int, settings: StreamsSettings
) -> list[Instance]:
    """Return the instances with their tiles in round `number`, in the order of their names."""
    page = _Page(
        view,
        rounds,
        number,
        settings,
        fates(view.owners, rounds, number),
        without_common_prefix(view.processes),
    )
    held: list[dict[str, list[Tile]]] = [
        {ACTIVE: [], STANDBY: [], WARMUP: [], STATELESS: []} for _ in view.threads
    ]
    for member, column, tile in (*_actives(page), *_copies(page), *_waiting(page), *_left(page)):
        held[member][column].append(tile)
    rows = [_instance(page, process, held) for process in range(view.snapshot.process_count)]
    return sorted(rows, key=lambda row: row.name)


def _instance(page: _Page, process: int, held: list[dict[str, list[Tile]]]) -> Instance:
    view, members = page.view, np.flatnonzero(page.view.snapshot.member_process == process).tolist()
    document = (view.document.processes or ())[process]
    facts = [document.rack or "", "no state" if _is_new(page, process) else ""]
    moves = sum(
        tile.kind not in ("active", "standby", "stateless")
        for member in members
        for tiles in held[member].values()
        for tile in tiles
    )
    return Instance(
        view.processes[process],
        " · ".join(filter(None, facts)),
        moves,
        [Thread(view.threads[member], held[member]) for member in members],
    )


def _is_new(page: _Page, process: int) -> bool:
    """Return whether an instance has no state of any task in the first round."""
    listed, stateful = page.rounds[0].application, page.view.snapshot.is_stateful
    reports = listed.member_process[listed.reported_member] == process
    return bool(stateful.any()) and not (reports & (listed.reported_sum != 0)).any()


def _actives(page: _Page) -> Iterator[tuple[int, str, Tile]]:
    fate, left = page.fates, page.shown.active_left
    for task, member in enumerate(page.shown.answer.active_member.tolist()):
        name = page.view.tasks[task]
        if not page.view.snapshot.is_stateful[task]:
            yield (
                member,
                STATELESS,
                Tile(
                    name,
                    "stateless",
                    f"{name}: stateless, runs on {page.view.processes[fate.now[task]]}",
                ),
            )
            continue
        title = [
            f"{name}: active on {page.view.processes[fate.now[task]]} {page.view.threads[member]}"
        ]
        came = fate.before[task] not in (fate.now[task], NOWHERE)
        if came:
            title.append(f"came from {_name(page, fate.before[task])}")
        if left[task]:
            title.append(f"stops until it has restored {count(int(left[task]), 'record')}")
        moves = fate.to[task] != NOWHERE
        if moves:
            title.append(f"moves to {page.view.processes[fate.to[task]]} in round {fate.at[task]}")
        kind = "moving" if moves else "active"
        if left[task] > page.settings.acceptable_recovery_lag:
            kind = "restoring"
        elif came:
            kind = "came"
        note = compact(int(left[task])) if kind == "restoring" else ""
        if moves:
            note = f"→ {_tail(page.short[fate.to[task]])} r{fate.at[task]}"
        yield member, ACTIVE, Tile(name, kind, ", ".join(title), note)


def _copies(page: _Page) -> Iterator[tuple[int, str, Tile]]:
    answer, warmups = page.shown.answer, set(map(tuple, page.shown.answer.warmup.tolist()))
    acceptable = page.settings.acceptable_recovery_lag
    lefts = page.shown.standby_left
    times = seconds_to_run(
        np.maximum(lefts - acceptable, 0), answer.standby[:, 0], page.view.restoring.restore_rate
    )
    is_unknown = is_left_unknown(page.shown.application)[answer.standby[:, 0], answer.standby[:, 1]]
    columns = (answer.standby, answer.standby_member, lefts, times, is_unknown)
    for (process, task), member, left, seconds, is_open in zip(
        *(column.tolist() for column in columns), strict=True
    ):
        name, on = (
            page.view.tasks[task],
            f"{page.view.processes[process]} {page.view.threads[member]}",
        )
        text = (
            f"{count(left, 'record')} to restore,"
            f" {'caught up' if left <= acceptable else f'acceptable {exact(acceptable)}'}"
        )
        if is_open:
            yield member, *_unknown(name, on, (process, task) in warmups)
        elif (process, task) in warmups:
            yield (
                member,
                WARMUP,
                _warmup(page, task, f"{name}: warm-up on {on}, {text}", left, seconds),
            )
        else:
            kind = "standby" if left <= acceptable else "behind"
            yield (
                member,
                STANDBY,
                Tile(name, kind, f"{name}: standby on {on}, {text}", compact(left)),
            )


def _unknown(name: str, on: str, is_warmup: bool) -> tuple[str, Tile]:
    column, role = (WARMUP, "warm-up") if is_warmup else (STANDBY, "standby")
    return column, Tile(
        name, column, f"{name}: {role} on {on}, an unknown number of records to restore", UNKNOWN
    )


def _warmup(page: _Page, task: int, title: str, left: int, seconds: float) -> Tile:
    acceptable, end = (
        page.settings.acceptable_recovery_lag,
        int(page.shown.application.known_end[task]),
    )
    share = (
        1.0 if left <= acceptable else max(0.0, min(1.0, (end - left) / max(end - acceptable, 1)))
    )
    note = (
        f"{compact(left)} · {duration(seconds)}"
        if left > acceptable and np.isfinite(seconds)
        else compact(left)
    )
    return Tile(page.view.tasks[task], "warmup", title, note, share)


def _waiting(page: _Page) -> Iterator[tuple[int, str, Tile]]:
    for member, task, number in page.fates.waiting.tolist():
        name, process = (
            page.view.tasks[task],
            page.view.processes[page.view.snapshot.member_process[member]],
        )
        yield (
            member,
            WARMUP,
            Tile(
                name,
                "waits",
                f"{name}: starts to warm up on {process} in round {number}",
                f"r{number}",
            ),
        )


def _left(page: _Page) -> Iterator[tuple[int, str, Tile]]:
    fate, shown = page.fates, page.shown.application
    member_of = dict(zip(shown.owned_task.tolist(), shown.owned_member.tolist(), strict=True))
    gone = np.flatnonzero(
        (fate.before != NOWHERE) & (fate.before != fate.now) & page.view.snapshot.is_stateful
    )
    for task in gone.tolist():
        if task in member_of:
            name = page.view.tasks[task]
            yield (
                member_of[task],
                ACTIVE,
                Tile(
                    name,
                    "left",
                    f"{name}: went to {page.view.processes[fate.now[task]]} in this round",
                ),
            )


def _name(page: _Page, process: int) -> str:
    return (
        page.view.processes[process]
        if process < len(page.view.processes)
        else "a departed instance"
    )


def _tail(name: str) -> str:
    """Return the short name of an instance, without leading zeros."""
    return name.lstrip("0") or name


# A large application: a row for each instance with counts by role. Only tasks that move or warm up
# have tiles.


MOST_INSTANCES, MOST_TILES = 30, 300
"""With more instances or more tiles, instances are rows with counts."""

_MOST_SHOWN = 6
_AT_REST = ("active", "standby", "behind", "stateless")


class Cell(NamedTuple):
    """The tasks of an instance in one role. `total`: number of tasks. `tiles`: the tiles that are
    drawn.
    """

    total: str
    note: str
    tiles: list[Tile]


class InstanceRow(NamedTuple):
    """An instance of a large application. `moves`: number of tiles whose task moves or warms up."""

    name: str
    note: str
    moves: int
    cells: dict[str, Cell]


def is_large(instances: Sequence[Instance]) -> bool:
    """Return whether the application is too large to draw all tiles."""
    tiles = sum(
        len(column)
        for each in instances
        for thread in each.threads
        for column in thread.tiles.values()
    )
    return len(instances) > MOST_INSTANCES or tiles > MOST_TILES


def instance_rows(instances: Sequence[Instance]) -> list[InstanceRow]:
    """Return one row for each instance, most moves first."""
    return sorted(map(_row, instances), key=lambda row: (-row.moves, row.name))


def _row(instance: Instance) -> InstanceRow:
    columns = {
        key: [tile for thread in instance.threads for tile in thread.tiles[key]]
        for key in (ACTIVE, STANDBY, WARMUP, STATELESS)
    }
    return InstanceRow(
        instance.name,
        instance.note,
        instance.moves,
        {key: _cell(key, tiles) for key, tiles in columns.items()},
    )


def _cell(column: str, tiles: Sequence[Tile]) -> Cell:
    shown = [tile for tile in tiles if tile.kind not in _AT_REST]
    held = sum(tile.kind not in ("left", "waits") for tile in tiles)
    behind = sum(tile.kind == "behind" for tile in tiles)
    hidden = len(shown) - _MOST_SHOWN
    notes = [f"{exact(behind)} behind"] * bool(behind) + [f"+{exact(hidden)} more"] * (hidden > 0)
    return Cell(
        exact(held) if held and column != WARMUP else "",
        ", ".join(notes),
        shown[:_MOST_SHOWN],
    )


# Next moves of each task in the rounds after the open round.


NOWHERE = -1


def fates(owners: np.ndarray, rounds: Sequence[TaskRound], number: int) -> Fates:
    """Compare round `number` with the round before and with all later rounds.

    `owners`: the process of each task before the first round.
    """
    shown = rounds[number]
    now, task_count = shown.answer.active, shown.application.task_count
    to, at = np.full((2, task_count), NOWHERE, dtype=np.int64)
    for later in range(len(rounds) - 1, number, -1):
        differs = rounds[later].answer.active != now
        to, at = np.where(differs, rounds[later].answer.active, to), np.where(differs, later, at)
    return Fates(
        rounds[number - 1].answer.active if number else owners,
        now,
        to,
        at,
        _fate_waiting(rounds, number, at),
    )


def _fate_waiting(rounds: Sequence[TaskRound], number: int, at: np.ndarray) -> np.ndarray:
    """Return the next warm-up of each task that will move, if this warm-up starts in a later round.

    A task that already warms up now, or needs no warm-up, is left out.
    """
    filled = set(rounds[number].answer.standby[:, 1].tolist()) & set(
        rounds[number].answer.warmup[:, 1].tolist()
    )
    first_warmup: dict[int, tuple[int, int, int]] = {}
    for later in range(number + 1, len(rounds)):
        answer = rounds[later].answer
        member = dict(
            zip(map(tuple, answer.standby.tolist()), answer.standby_member.tolist(), strict=True)
        )
        for process, task in answer.warmup.tolist():
            if at[task] >= later and task not in filled:
                first_warmup.setdefault(task, (member[process, task], task, later))
    return np.array(sorted(first_warmup.values()), dtype=np.int64).reshape(-1, 3)
