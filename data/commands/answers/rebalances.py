"""Rebalances as text: one a line, by cause, and each chain with what other settings would have made of it."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from evenkeel.data.commands.text import aligned_lines
from evenkeel.data.rebalances.by_cause import CauseRow, by_cause
from evenkeel.data.rebalances.chains import chains, is_rolling_restart, returned
from evenkeel.data.rebalances.event import Rebalance, by_group
from evenkeel.data.rebalances.history import History
from evenkeel.data.rebalances.replayed import AS_IT_WAS, replayed
from evenkeel.data.words.formats import UNKNOWN, at_least, counted, listed
from evenkeel.data.words.rebalances import CAUSES, cause_words, setting_words

_MOST_CHAINS = 20
_MOST_REPLAYED = 500


def history_text(found: History) -> Iterator[str]:
    """Yield lines: a table of each group, its causes, its chains; then what was read."""
    for name, events in by_group(found.events).items():
        yield f"{name}: {counted(len(events), 'rebalance')}"
        yield from _table(events)
        yield ""
        yield from _causes(by_cause(events))
        yield from _chains(events)
        yield ""
    yield _read(found)


def _table(events: Sequence[Rebalance]) -> list[str]:
    head = ["begins", "generation", "members", "seconds", "waited for", "cause"]
    rows = [
        [
            _clock(one.time),
            f"{UNKNOWN if one.generation_before is None else one.generation_before:}→{one.generation}",
            UNKNOWN if one.members is None else f"{one.members:,}",
            _seconds(None if one.duration_ms is None else one.duration_ms / 1000),
            one.slowest[0].name if one.slowest else UNKNOWN,
            _cause(one),
        ]
        for one in events
    ]
    # The last column is a sentence: it stands at its left.
    cells = aligned_lines([row[:5] for row in [head, *rows]], 1)
    return [f"  {line}  {row[5]}" for line, row in zip(cells, [head, *rows], strict=True)]


def _cause(one: Rebalance) -> str:
    first = next((trigger.member for trigger in one.triggers if trigger.member), None)
    also = len(one.triggers) - 1
    more = f", and {also:,} more" if also > 0 else ""
    who = f"{first.name}: " if first else ""
    words = CAUSES["coordinator_moved"].short if one.cause == "coordinator_moved" else cause_words(one.cause, one.alternatives)
    return f"{who}{words}{more}"


def _causes(rows: Sequence[CauseRow]) -> Iterator[str]:
    head = ["cause", "count", "seconds", "longest", "worst", "setting"]
    cells = [
        [
            CAUSES[row.kind].short,
            f"{row.count:,}",
            _seconds(row.seconds, row.untimed > 0),
            _seconds(row.longest_ms and row.longest_ms / 1000, row.untimed > 0),
            f"{row.worst[0]} {row.worst[1]:,}×" if row.worst else UNKNOWN,
            _saved(row) or CAUSES[row.kind].advice,
        ]
        for row in rows
    ]
    lines = aligned_lines([row[:5] for row in [head, *cells]], 1)
    yield from (f"  {line}  {row[5]}" for line, row in zip(lines, [head, *cells], strict=True))


def _seconds(seconds: float | None, partial: bool = False) -> str:
    return UNKNOWN if seconds is None else at_least(f"{seconds:,.1f}", partial)


def _saved(row: CauseRow) -> str:
    """Return the setting and what it leaves of these rebalances; empty where none helps."""
    if row.saves is None:
        return ""
    left = row.count - len(row.saves.avoids & set(row.places))
    return f"{setting_words(row.saves.name, row.saves.value)}: {left:,} instead of {row.count:,}"


def _chains(events: Sequence[Rebalance]) -> Iterator[str]:
    for name, linked in list(chains(events).items())[:_MOST_CHAINS]:
        what = f"rolling restart of {listed(returned(linked))}" if is_rolling_restart(linked) else "one chain"
        yield f"  {name}: {counted(len(linked), 'rebalance')}, {what}{_other_settings(linked)}"


def _other_settings(linked: Sequence[Rebalance]) -> str:
    if len(linked) > _MOST_REPLAYED:
        return ""
    better = [f"{one.name}: {one.rebalances:,}" for one in replayed(linked) if one.is_better and one.name != AS_IT_WAS]
    return f"; with {', '.join(better)}" if better else ""


def _read(found: History) -> str:
    one = found.summary()
    zone = f", {one['zone']}" + (" assumed" if one["zone_assumed"] else "")
    brokers = f", brokers {', '.join(map(str, one['brokers']))}" if one["brokers"] else ""
    return (
        f"{counted(one['lines'], 'line')} read, {one['used']:,} used, {one['undated']:,} without a time, {one['cut']:,} cut off; "
        f"{_clock(found.span[0])} to {_clock(found.span[1])}{zone}{brokers}"
    )


def _clock(at: int | None) -> str:
    if at is None:
        return UNKNOWN
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)).strftime("%Y-%m-%d %H:%M:%S")
