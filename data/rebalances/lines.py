"""Rebalances as text: each rebalance, then causes, then each chain replayed with other settings."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from evenkeel.data.commands.text import lines_with_words
from evenkeel.data.rebalances.by_cause import CauseRow, by_cause
from evenkeel.data.rebalances.chains import (
    chains,
    is_rolling_restart,
    returned,
    verdicts,
    went_at_last,
)
from evenkeel.data.rebalances.event import Rebalance
from evenkeel.data.rebalances.history import History
from evenkeel.data.rebalances.replayed import AS_IT_WAS, replayed_chain
from evenkeel.data.rebalances.words import (
    CAUSES,
    VERDICTS,
    advice_words,
    assumed_words,
    cause_words,
    setting_words,
)
from evenkeel.data.text.formats import UNKNOWN, and_more, at_least, counted, duration, exact, listed

_MOST_CHAINS = 20
_MOST_REPLAYED = 500


def history_text(history: History) -> Iterator[str]:
    """Yield lines: for each group its rebalances, causes and chains; then the input."""
    zone = ZoneInfo(history.request.zone or "UTC")
    for name, events in history.groups():
        yield f"{name}: {counted(len(events), 'rebalance')}"
        yield from _table(events, zone)
        yield ""
        yield from _causes(by_cause(events))
        yield from _chains(events)
        yield ""
    yield _read(history, zone)


def _table(events: Sequence[Rebalance], zone: ZoneInfo) -> list[str]:
    head = ["begins", "generation", "members", "seconds", "waited for", "cause"]
    rows = [
        [
            _clock(event.time, zone),
            (
                f"{UNKNOWN if event.generation_before is None else event.generation_before}→"
                f"{UNKNOWN if event.number is None else event.number}"
            ),
            exact(event.members),
            _seconds(None if event.duration_ms is None else event.duration_ms / 1000),
            event.slowest[0].name if event.slowest else UNKNOWN,
            _cause(event),
        ]
        for event in events
    ]
    return [f"  {line}" for line in lines_with_words([head, *rows])]


def _cause(event: Rebalance) -> str:
    first = next((trigger.member for trigger in event.triggers if trigger.member), None)
    who = f"{first.name}: " if first else ""
    words = (
        CAUSES["coordinator_moved"].short
        if event.cause == "coordinator_moved"
        else cause_words(event.cause, event.alternatives)
    )
    return f"{who}{words}{_later(event)}"


def _later(event: Rebalance) -> str:
    """Return text about the second trigger, and the number of further triggers.

    If the slowest member left during the rebalance, the text names that trigger instead.
    """
    later = event.triggers[1:]
    if not later:
        return ""
    trigger = went_at_last(event) or later[0]
    who = f"{trigger.member.name}: " if trigger.member else ""
    words = f"; then {who}{cause_words(trigger.cause, trigger.alternatives)}"
    return ", ".join([words, *and_more(len(later) - 1)])


def _causes(rows: Sequence[CauseRow]) -> Iterator[str]:
    head = ["cause", "count", "seconds", "longest", "worst", "setting"]
    cells = [
        [
            CAUSES[row.kind].short,
            f"{row.count:,}" if row.count else f"in {len(row.within):,}",
            _seconds(row.seconds, row.untimed > 0),
            _seconds(row.longest_ms and row.longest_ms / 1000, row.untimed > 0),
            f"{row.worst[0]} {row.worst[1]:,}×" if row.worst else UNKNOWN,
            _saved(row) or advice_words(row.kind, row.verdict),
        ]
        for row in rows
    ]
    yield from (f"  {line}" for line in lines_with_words([head, *cells]))


def _seconds(seconds: float | None, partial: bool = False) -> str:
    return UNKNOWN if seconds is None else at_least(f"{seconds:,.1f}", partial)


def _saved(row: CauseRow) -> str:
    """Return text about the setting that avoids rebalances, and the number of rebalances with it.

    Empty if no setting avoids a rebalance.
    """
    if row.saves is None:
        return ""
    left, about = row.left_of
    crash = "; a crash still causes a rebalance" if row.kind == "session_timeout" else ""
    assumed = (
        f"; the timeout is Kafka's default, {assumed_words(row.saves.assumed_ms)}"
        if row.saves.assumed_ms
        else ""
    )
    return (
        f"{setting_words(row.saves.name, row.saves.value)}: {left:,} instead of"
        f" {about:,}{assumed}{crash}"
    )


def _chains(events: Sequence[Rebalance]) -> Iterator[str]:
    of_chain = verdicts(events)
    for name, linked in list(chains(events).items())[:_MOST_CHAINS]:
        verdict = of_chain.get(name)
        if verdict is not None:
            yield (
                f"  {name}: {counted(len(linked), 'rebalance')} in {_length(linked)},"
                f" {VERDICTS[verdict]}"
            )
            continue
        text = (
            f"rolling restart of {listed(returned(linked))}"
            if is_rolling_restart(linked)
            else "one chain"
        )
        yield (
            f"  {name}: {counted(len(linked), 'rebalance')},"
            f" {text}{_other_settings(events, linked)}"
        )


def _length(linked: Sequence[Rebalance]) -> str:
    times = [at for event in linked for at in (event.time, event.end) if at is not None]
    length = max(times, default=0) - min(times, default=0)
    return f"{length:,} ms" if length < 1000 else duration(length / 1000)


def _other_settings(events: Sequence[Rebalance], linked: Sequence[Rebalance]) -> str:
    if len(linked) > _MOST_REPLAYED:
        return ""
    better = [
        answer
        for answer in replayed_chain(events, linked)
        if answer.is_better and answer.name != AS_IT_WAS
    ]
    assumed = (
        "; timeouts are Kafka's defaults" if any(answer.is_assumed for answer in better) else ""
    )
    return (
        f"; with {', '.join(f'{answer.name}: {answer.rebalances:,}' for answer in better)}{assumed}"
        if better
        else ""
    )


def _read(history: History, zone_of_text: ZoneInfo) -> str:
    summary = history.summary()
    zone = f", {summary['zone']}" + (" assumed" if summary["zone_assumed"] else "")
    brokers = f", brokers {', '.join(map(str, summary['brokers']))}" if summary["brokers"] else ""
    return (
        f"{counted(summary['lines'], 'line')} read, {summary['used']:,} used,"
        f" {summary['undated']:,} without a time, {summary['cut']:,} cut off;"
        f" {_clock(history.span[0], zone_of_text)} to"
        f" {_clock(history.span[1], zone_of_text)}{zone}{brokers}"
    )


def _clock(at: int | None, zone: ZoneInfo) -> str:
    return (
        UNKNOWN
        if at is None
        else datetime.fromtimestamp(at / 1000, zone).strftime("%Y-%m-%d %H:%M:%S")
    )
