"""Events: changes that snapshots show between slots."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.timeline.ownership import new_owners, rebalances
from evenkeel.assignors.timeline.verdicts import OK, REWIND, SLOW, Verdicts, group_verdict, lasting

VERDICT, PARTITIONS, REBALANCE, JOINED, LEFT, RESTARTED = (
    "verdict",
    "partitions",
    "rebalance",
    "joined",
    "left",
    "restarted",
)
FIRST, GONE, BACK = "first", "gone", "back"


class Event(NamedTuple):
    """A change between two slots.

    `row`: the first slot that shows the change. `rows`: row numbers of partitions, or of members
    that joined, left, or were already there in the first slot. `before`, `after`: verdicts, as
    indexes in `VERDICTS`. For a rebalance: generations or epochs, or `UNKNOWN` if only members or
    owners show the rebalance. For the kind `FIRST`, `row` is the first slot that has the group; for
    `GONE`, the first slot without the group; for `BACK`, the first slot that has the group again.
    """

    row: int
    kind: str
    rows: tuple[int, ...] = ()
    before: int = UNKNOWN
    after: int = UNKNOWN


def events(series: Series, verdicts: Verdicts) -> list[Event]:
    """Return all events, sorted by time.

    Verdicts of the group come from `lasting`. A partition has an event if its verdict becomes worse
    than SLOW. If the group gets the same verdict at that slot, only the group has an event, and
    `rows` of this event has the partition.

    The verdict of the first observation is always OK. A verdict at the second slot may therefore be
    older than the series, and is an event only if it is a rewind or OK.
    """
    group = _verdicts(lasting(group_verdict(series, verdicts)), verdicts.verdict)
    group_changes = {(event.row, event.after) for event in group}
    events = [
        *(event for event in group if _is_new(event, series)),
        *(
            event
            for event in _partitions(verdicts.verdict)
            if (event.row, event.after) not in group_changes and _is_new(event, series)
        ),
        *_rebalances(series),
        *_members(series),
        *_absences(series),
        *(
            Event(int(row), RESTARTED, _rows(series.restarted[row]))
            for row in np.flatnonzero(series.restarted.any(axis=1))
        ),
    ]
    return sorted(events, key=lambda event: event.row)


def _verdicts(group: np.ndarray, verdict: np.ndarray) -> list[Event]:
    rows = np.flatnonzero(np.diff(group)) + 1
    return [
        Event(row, VERDICT, _rows(verdict[row] == group[row]), int(group[row - 1]), int(group[row]))
        for row in rows.tolist()
    ]


def _is_new(event: Event, series: Series) -> bool:
    return event.row > 1 or event.after in (OK, REWIND) or not series.is_there[0]


def _partitions(verdict: np.ndarray) -> list[Event]:
    """Return one event for each slot and verdict worse than SLOW, with all partitions that get this
    verdict at this slot.
    """
    grave = np.maximum(verdict, SLOW)
    changed = (grave[1:] != grave[:-1]) & (grave[1:] > SLOW)
    events = []
    for row in (np.flatnonzero(changed.any(axis=1)) + 1).tolist():
        tps = np.flatnonzero(changed[row - 1])
        for after in np.unique(verdict[row, tps]).tolist():
            same = tps[verdict[row, tps] == after]
            before = np.unique(verdict[row - 1, same])
            events.append(
                Event(
                    row,
                    PARTITIONS,
                    tuple(same.tolist()),
                    int(before[0]) if before.size == 1 else UNKNOWN,
                    after,
                )
            )
    return events


def _rebalances(series: Series) -> list[Event]:
    changes = rebalances(series)
    generations = np.where(
        changes.is_told, series.generation[[changes.before, changes.row]], UNKNOWN
    )
    places = zip(
        *(column.tolist() for column in (changes.before, changes.row, changes.end)),
        generations.T.tolist(),
        strict=True,
    )
    return [
        Event(row, REBALANCE, tuple(new_owners(series, before, end).tolist()), *pair)
        for before, row, end, pair in places
    ]


def _members(series: Series) -> list[Event]:
    # A slot without any row of the group, or without owners, has no information about members.
    rows = np.flatnonzero(series.shows_owners)
    change = np.diff(series.is_member[rows].astype(np.int8), axis=0)
    for member in series.restarts:
        # All departures and returns of a member that leaves repeatedly are a single event.
        if member.is_unstable:
            first, last = np.searchsorted(series.time[rows], (member.times[0], member.times[-1]))
            left = np.flatnonzero(change[:first, member.member] < 0)[-1:]
            was_away = left.size and not series.is_member[rows[first - 1], member.member]
            change[left[0] if was_away else first : last, member.member] = 0
    return [
        Event(int(rows[place + 1]), kind, _rows(change[place] == sign))
        for kind, sign in ((JOINED, 1), (LEFT, -1))
        for place in np.flatnonzero((change == sign).any(axis=1)).tolist()
    ]


def _absences(series: Series) -> list[Event]:
    change = np.diff(series.is_there.astype(np.int8))
    rows = (np.flatnonzero(change) + 1).tolist()
    events = [Event(row, BACK if change[row - 1] > 0 else GONE) for row in rows]
    return (
        events
        if series.is_there[:1].all()
        else [Event(row, FIRST, _rows(series.is_member[row])) for row in rows[:1]] + events[1:]
    )


def _rows(mask: np.ndarray) -> tuple[int, ...]:
    return tuple(np.flatnonzero(mask).tolist())
