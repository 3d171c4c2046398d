"""Sentences of the page Rebalances: headline, open rebalance, and advice for each cause."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from evenkeel.dashboard.rebalances.loading.lake import GenerationGrowth
from evenkeel.dashboard.times import clock, local
from evenkeel.data.rebalances.by_cause import RESTARTED, CauseRow, Culprit
from evenkeel.data.rebalances.chains import went_at_last
from evenkeel.data.rebalances.event import Rebalance
from evenkeel.data.rebalances.words import (
    CAUSES,
    advice_words,
    late_words,
    root_words,
    silence_words,
)
from evenkeel.data.text.formats import (
    NARROW,
    UNKNOWN,
    at_least,
    compact,
    counted,
    duration,
    listed,
    percent,
    times,
)


def precise(at: int | None) -> str:
    """Return a time as `12:36:50`, in the reader's zone."""
    return UNKNOWN if at is None else f"{local(at / 1000):%H:%M:%S}"


def as_written(at: int, zone: str) -> str:
    """Return the time of a log line in the log's own zone: `12:36:50,118`."""
    moment = datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
    return f"{moment:%H:%M:%S},{at % 1000:03d}"


def seconds_text(millis: int | None) -> str:
    """Return a length as `21.8 s`, `1m 07s`, `12 ms`."""
    if millis is None:
        return UNKNOWN
    if millis < 100:
        return f"{millis} ms"
    if millis % 1000 == 0 and millis < 60_000:
        return f"{millis // 1000} s"
    return f"{millis / 1000:.1f} s" if millis < 60_000 else duration(millis / 1000)


def seen_words(group: str, seen: GenerationGrowth) -> str:
    """Return a sentence that says how often a group rebalanced between its readings."""
    hours, last = duration(seen.until - seen.since), clock(seen.until)
    if seen.rebalances is None:
        return f"Whether {group} rebalanced is unknown: its readings have no generation."
    if not seen.rebalances or seen.last is None:
        return (
            f"{group} has not rebalanced in {hours}: one generation in"
            f" {counted(seen.readings, 'reading')}, the last at {last}."
        )
    return (
        f"{group} rebalanced {times(seen.rebalances)} in {hours}; the last rebalance was before"
        f" {clock(seen.last)}. Its readings do not show why."
    )


def headline(event: Rebalance, kind: str) -> str:
    """Return `pay-eu-12 thrown out`, or only the cause if no member is known."""
    first = next((trigger.member for trigger in event.triggers if trigger.member), None)
    words = CAUSES["restarted" if kind == RESTARTED else event.cause]
    return f"{first.name} {words.did}" if first and words.did else words.short


def root(event: Rebalance, kind: str) -> tuple[str, str]:
    """Return the name of the member that started a rebalance (empty if unknown), and the cause."""
    first = event.triggers[0] if event.triggers else None
    cause = first.cause if first else "unknown"
    clause = root_words(RESTARTED if kind == RESTARTED else cause, event.session_timeout_ms)
    if event.cause == "coordinator_moved":
        clause = f"{clause}: the coordinator had moved or restarted"
    if event.cause == "protocol_converted":
        clause = f"{clause}; the group changed its protocol"
    is_told = kind == RESTARTED or (first and (first.reason or "").strip())
    if first and first.alternatives and not is_told:
        clause += (
            ", or"
            f" {' or '.join(CAUSES[each].did or CAUSES[each].short for each in first.alternatives)}"
        )
    return (first.member.name if first and first.member else "", clause)


def sentence(
    total: int,
    blamed: Culprit | None,
    rows: tuple[CauseRow, ...],
    slowest: tuple[str, int] | None,
    seconds: float,
    held: str = "",
) -> tuple[str, str]:
    """Return the headline of the page and the sentences after it.

    `held`: sentence about the member for which the longest rebalance waited.
    """
    first, rest = _finding(total, blamed, rows)
    restarted = next((row for row in rows if row.kind == RESTARTED), None)
    if restarted and not first.startswith("The restart"):
        rest.append(_restart(restarted, seconds))
    if held:
        rest.append(held)
    elif slowest:
        rest.append(f"{slowest[1]:,} of {total:,} waited for {slowest[0]}.")
    return first, " ".join(filter(None, rest))


def held_up(event: Rebalance, partial: bool = False) -> str:
    """Return a sentence about the longest rebalance, if it waited for a member that then left.

    The member's departure did not start this rebalance. `partial`: other rebalances have unknown
    length, so one of them may be longer.
    """
    went = went_at_last(event)
    if went is None or event.slowest is None:
        return ""
    did = "was thrown out" if went.cause == "session_timeout" else CAUSES[went.cause].did
    longest = (
        f"The longest{' of known length' if partial else ''}, {seconds_text(event.duration_ms)}"
    )
    return (
        f"{longest}, waited {seconds_text(event.slowest[1])} for {event.slowest[0].name}, which"
        f" {did}."
    )


def _finding(
    total: int, blamed: Culprit | None, rows: tuple[CauseRow, ...]
) -> tuple[str, list[str]]:
    if blamed and blamed.count * 4 >= total:
        fell = {
            "session_timeout": "exceeded its session timeout",
            "poll_timeout": "ran out of its poll interval",
        }.get(blamed.cause, "left")
        since = f" from {clock(blamed.first / 1000)} on" if blamed.first else ""
        back = f" and joined again {times(blamed.came)}" if blamed.came else ""
        return (
            (
                f"{blamed.count:,} of {total:,} came from one member: {blamed.name} {fell}"
                f" {times(blamed.went)}{since}{back}."
            ),
            [],
        )
    top = rows[0]
    if top.kind == RESTARTED:
        return _restart(top, 0.0), [_settings(top)]
    share = f"{top.count:,} of {counted(total, 'rebalance')}" if total > 1 else "The only rebalance"
    return f"{share}: {CAUSES[top.kind].short}.", [_settings(top)]


def _restart(row: CauseRow, seconds: float) -> str:
    part = (
        f", and {percent(row.seconds / seconds)} of the pause"
        if seconds > 0 and row.seconds
        else ""
    )
    return (
        f"The restart of {counted(row.member_count, 'member')} caused"
        f" {counted(row.count, 'rebalance')}{part}."
    )


def _settings(row: CauseRow) -> str:
    if row.saves is None:
        return ""
    left = row.count - len(row.saves.avoids & set(row.places))
    return f"With {row.saves.name}, {counted(left, 'rebalance')} would remain."


def advice(row: CauseRow) -> str:
    """Return the advice for a cause."""
    if row.saves is None or row.saves.late is None:
        return (
            "most result from rebalances that a setting in this table avoids"
            if row.is_counted_above
            else advice_words(row.kind, row.verdict)
        )
    is_session, silences = row.kind == "session_timeout", row.saves.silences
    took = (
        f"{'silent' if is_session else 'one batch took'} {silence_words(*silences)}"
        if silences
        else late_words(*row.saves.late)
    )
    paused = (
        "if the member was only paused, raise the timeout and check its heap; a crash causes"
        " a rebalance anyway"
    )
    return f"{took}: {paused if is_session else 'fetch fewer records, or raise the timeout'}"


def would_be(row: CauseRow) -> tuple[str, bool]:
    """Return how many rebalances would remain with the setting, and whether the setting helps."""
    if row.saves is None:
        return ("counted there" if row.is_counted_above else "stays"), False
    left, about = row.left_of
    return f"{left:,} instead of {about:,}", True


def paused_text(paused: float | None, seconds: float | None, partial: bool) -> str:
    """Return the pause in partition-seconds, or in seconds if partitions are unknown.

    `partial`: some pauses are unknown, so the text is a lower bound.
    """
    if paused is not None:
        return at_least(compact(round(paused)), partial)
    return UNKNOWN if seconds is None else at_least(f"{seconds:,.1f}{NARROW}s", partial)


def members_text(event: Rebalance) -> str:
    """Return `left: pay-eu-12, joined: none`, then the number of static members if it is known."""
    left = listed([member.name for member in event.members_left]) if event.members_left else "none"
    came = (
        listed([member.name for member in event.members_joined]) if event.members_joined else "none"
    )
    static = "" if event.static_members is None else f", static: {event.static_members or 'none'}"
    return f"left: {left}, joined: {came}{static}"


_LONGEST_TITLED = 150


def title_of(group: str | None, moments: Sequence[int | None]) -> str:
    """Return the title of a shared page: `Rebalances of payments, 2026-11-23`.

    A hidden group (None) is not named.
    """
    days = list(dict.fromkeys(f"{local(at / 1000):%Y-%m-%d}" for at in moments if at is not None))
    when = " to ".join(days[:1] + days[1:][-1:])
    named = f" of {group}" if group is not None and len(group) <= _LONGEST_TITLED else ""
    return f"Rebalances{named}{', ' * bool(when)}{when}"
