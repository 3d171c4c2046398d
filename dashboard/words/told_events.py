"""What happened to a group, as lines of a list: a mark, and a sentence."""

from collections.abc import Sequence
from typing import NamedTuple

from assignors.history.changes.events import PARTITIONS, REBALANCE, VERDICT, Event, events
from assignors.history.changes.ownership import rebalances
from assignors.history.changes.spells import bursts
from assignors.history.changes.verdicts import VERDICTS, Verdicts
from dashboard.words.formats import count, duration
from data.lake.history.history import History
from data.words.history import event_words


class Told(NamedTuple):
    """`time`: seconds since 1970; `mark`: a verdict's name or the kind of the event."""

    time: float
    mark: str
    text: str


def told(history: History, verdicts: Verdicts) -> tuple[Told, ...]:
    """Return the events of a history, the latest first; rebalances within half an hour are one."""
    series = history.series
    found = events(series, verdicts)
    lines = [Told(float(series.time[one.row]), _mark(one), event_words(one, series)) for one in found if one.kind != REBALANCE]
    lines += _bursts(history, [one for one in found if one.kind == REBALANCE])
    lines += [
        Told(gap.first, "gap", f"No snapshot for {duration(gap.last - gap.first)}: {gap.reason}. Nothing is drawn.")
        for gap in history.missed
    ]
    return tuple(sorted(lines, key=lambda one: -one.time))


def _mark(event: Event) -> str:
    return VERDICTS[event.after] if event.kind in (VERDICT, PARTITIONS) else event.kind


def _bursts(history: History, found: Sequence[Event]) -> list[Told]:
    series, by_row = history.series, {one.row: one for one in found}
    lines = []
    for burst in bursts(series.time, rebalances(series)):
        if len(burst.rows) == 1:
            words = event_words(by_row[burst.rows[0]], series)
        else:
            moved = sum(len(by_row[row].rows) for row in burst.rows)
            words = f"{len(burst.rows)} rebalances in {duration(burst.last - burst.first)}; owners changed {count(moved, 'time')}."
        lines.append(Told(burst.first, REBALANCE, words))
    return lines
