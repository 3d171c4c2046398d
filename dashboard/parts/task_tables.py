"""Figures of the Streams task assignors: stopped tasks, grid of times to balance, and the
figures in a share.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors.group.tasks import (
    MovedTasks,
    is_left_unknown,
    moved_tasks,
    role_counts,
    seconds_to_run,
)
from evenkeel.assignors.rounds.streams import GridPoint
from evenkeel.dashboard.view import ApplicationView, TaskRounds
from evenkeel.data.text.formats import UNKNOWN, compact, duration, exact


class Downtime(NamedTuple):
    """Tasks that stop in the first rebalance under an assignor.

    `stopped`: moved tasks that must restore records before they run. `seconds`: longest restore
    time of these tasks. Both are None if unknown. `state`: highest and lowest number of stateful
    tasks of a process.
    """

    name: str
    state: tuple[int, int]
    moved: int
    stopped: int | None
    seconds: float | None
    records: int | None
    to_balance: float | None
    is_balanced: bool
    is_endless: bool
    is_whole: bool


def downtime(view: ApplicationView, name: str, rounds: TaskRounds) -> Downtime:
    """Return the tasks that stop in the first rebalance under an assignor."""
    moved = _moved(view, rounds)
    first = rounds.rounds[0]
    counts = role_counts(first.application, first.answer).state
    state = int(counts.max(initial=0)), int(counts.min()) if counts.size else 0
    ends = rounds.seconds, rounds.is_balanced, rounds.is_endless, rounds.is_whole
    if is_left_unknown(first.application)[moved.to_process, moved.task].any():
        return Downtime(name, state, moved.task.size, None, None, None, *ends)
    stopped = int(np.count_nonzero(moved.records))
    return Downtime(
        name, state, moved.task.size, stopped, moved.longest_seconds, moved.record_count, *ends
    )


def restoring(view: ApplicationView, rounds: TaskRounds) -> tuple[int, float | None]:
    """Return how many tasks must restore records after the first rebalance, and the longest time in
    seconds.

    The time is None if unknown.
    """
    left = rounds.rounds[0].active_left
    seconds = seconds_to_run(left, rounds.rounds[0].answer.active, view.restoring.restore_rate)
    return int(np.count_nonzero(left)), None if np.isnan(seconds).any() else float(
        seconds.max(initial=0.0)
    )


def _moved(view: ApplicationView, rounds: TaskRounds) -> MovedTasks:
    first = rounds.rounds[0]
    before = np.where(first.application.is_stateful, view.owners, -1)
    return moved_tasks(first.application, before, first.answer, view.restoring.restore_rate)


# Time to balance and extra copies, by settings.


Place = tuple[int, int]
"""max.warmup.replicas, acceptable.recovery.lag."""

_MISSING = "…"


class Cell(NamedTuple):
    """A cell of the grid: the time to balance with two settings.

    `shade`: 0 for the fastest, 1 for the slowest. `mark`: `now`, `best` or empty.
    """

    text: str
    title: str
    shade: float = 0.0
    mark: str = ""


class GridRow(NamedTuple):
    """A row of the grid. `extra`: highest result of `extra_copies`; None until it is computed."""

    warmups: int
    cells: tuple[Cell, ...]
    extra: int | None


def grid_rows(
    warmups: Sequence[int], lags: Sequence[int], points: Mapping[Place, GridPoint], now: Place
) -> list[GridRow]:
    """Return the rows of the grid: one row for each value of max.warmup.replicas."""
    slowest = max((point.seconds or 0.0 for point in points.values()), default=0.0)
    best = suggested(points, now)
    rows = []
    for row in warmups:
        cells = tuple(_cell((row, lag), points.get((row, lag)), slowest, now, best) for lag in lags)
        known = [point for (at, _), point in points.items() if at == row]
        rows.append(
            GridRow(row, cells, max((extra_copies(point) for point in known), default=None))
        )
    return rows


def extra_copies(point: GridPoint) -> int:
    """Return the highest number of copies at one moment, minus the final number of copies."""
    return point.most_copies - point.standing_copies


def suggested(points: Mapping[Place, GridPoint], now: Place) -> Place | None:
    """Return the settings with the shortest time to balance at the current acceptable.recovery.lag.

    If several are equally fast, return the settings with the lowest max.warmup.replicas. None if no
    settings are faster than `now`.
    """
    column = {
        place: point.seconds
        for place, point in points.items()
        if place[1] == now[1] and point.seconds is not None
    }
    if now not in column:
        return None
    fastest = min(column, key=lambda place: (column[place], place[0]))
    return fastest if column[fastest] < column[now] else None


def _cell(
    place: Place, point: GridPoint | None, slowest: float, now: Place, best: Place | None
) -> Cell:
    mark = "best" if place == best else ""
    if place == now:
        mark = "now"
    settings = f"max.warmup.replicas {place[0]:,}, acceptable.recovery.lag {place[1]:,}"
    if point is None:
        return Cell(_MISSING, f"{settings}: not computed yet", mark=mark)
    if point.seconds is None:
        return Cell(
            UNKNOWN if point.is_balanced else "never",
            f"{settings}: {'unknown' if point.is_balanced else 'never balanced'}",
            1.0,
            mark,
        )
    text = duration(point.seconds) if point.seconds else "at once"
    return Cell(
        text,
        f"{settings}: {text}, {point.round_count - 1} rounds",
        point.seconds / slowest if slowest else 0.0,
        mark,
    )


# Rows of a share of an application: the answer of each task assignor in a step, and the instance of
# each task.


Line = Mapping[str, Any]


def _balanced(line: Line) -> str:
    if line["never_ends"]:
        return "never"
    seconds, restores = line["seconds_to_balance"], line["seconds_to_restore"]
    if seconds is None or restores is None:
        return UNKNOWN
    # If no further round follows, the application is balanced when the moved tasks run.
    return f"in {duration(seconds or restores)}" if seconds or restores >= 1 else "at once"


def _rounds(line: Line) -> str:
    # As on the page: rounds after the current round.
    return UNKNOWN if line["rounds"] is None else exact(line["rounds"] - 1)


def _longest(line: Line) -> str:
    seconds = line["seconds_to_restore"]
    if seconds is None:
        return UNKNOWN
    return "< 1 s" if 0 < seconds < 1 else duration(seconds)


def _number(figure: str, form: Callable[[int], str] = exact) -> Callable[[Line], str]:
    # Shares of older releases lack newer figures.
    return lambda line: UNKNOWN if line.get(figure) is None else form(line[figure])


COLUMNS: Mapping[str, Callable[[Line], str]] = {
    "most active": _number("max_active_tasks"),
    "fewest": _number("min_active_tasks"),
    "most stateful": _number("max_stateful_tasks"),
    "fewest stateful": _number("min_stateful_tasks"),
    "standbys": _number("standby_tasks"),
    "warm-ups": _number("warmup_tasks"),
    "moved": _number("moved_tasks"),
    "to restore": _number("records_to_restore", compact),
    "longest": _longest,
    "rebalances": _number("rebalances"),
    "more rounds": _rounds,
    "balanced": _balanced,
}
"""Column head, and the column's text for a line of `evenkeel replay`."""


def frozen_cells(line: Line, was: Line | None) -> list[tuple[str, str]]:
    """Return for each column its current text, and its text when the share was frozen.

    The second text is empty if both are equal.
    """
    texts = [text(line) for text in COLUMNS.values()]
    former = [text(was) for text in COLUMNS.values()] if was else texts
    return [(now, "" if now == then else then) for now, then in zip(texts, former, strict=True)]


def differing_cells(
    lines: Sequence[Mapping[str, Line]], was: Sequence[Mapping[str, Line]]
) -> tuple[int, int]:
    """Return how many figures differ between now and `was`, and how many figures there are.

    Both arguments have one mapping for each step.
    """
    cells = []
    for now, then in zip(lines, was, strict=True):
        for name, line in now.items():
            cells += frozen_cells(line, then.get(name))
    return sum(bool(then) for _, then in cells), len(cells)


def frozen_holders(line: Line, names: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the tasks of each process, or of each member of a streams group.

    `names`: names of the instances by process id.
    """
    return [
        {
            "Instance": names.get(owner, owner),
            "Active": ", ".join(held["active"]),
            "Standby": ", ".join(task for task in held["standby"] if task not in held["warmup"]),
            "Warm-up": ", ".join(held["warmup"]),
        }
        for owner, held in line["assignment"].items()
    ]
