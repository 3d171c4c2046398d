"""The strip of figures above the bands: lag and members now, and the lag in the past and the
future.
"""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.diagnosis.finding import Class, Code
from evenkeel.assignors.group import UNKNOWN as UNKNOWN_OFFSET
from evenkeel.dashboard.overview.loading import Overview
from evenkeel.dashboard.parts.facts import (
    BEHIND,
    DRAINED,
    LAG,
    LOST,
    MEMBERS,
    WORST_MEMBER,
    WORST_PARTITION,
)
from evenkeel.dashboard.parts.past_words import loss
from evenkeel.dashboard.times import clock
from evenkeel.data.text.formats import UNKNOWN, about, at_least, duration, factor, number
from evenkeel.data.timeline.words import EXTRAPOLATED, METHOD_WORDS


def strip(seen: Overview) -> list[dict[str, str]]:
    """Return the known figures, at most five."""
    sources = seen.sources
    of_now = [_lag(seen), _members(seen)]
    of_past: list[dict[str, str] | None] = []
    if seen.rates:
        of_past = [_behind(seen), _drained(seen), _lost(seen)]
    else:
        of_now[1:1] = [_worst_member(seen), _worst_partition(seen)]
    first, *others = (_sourced(seen, cell, sources.now) for cell in of_now)
    cells = [first, *(_sourced(seen, cell, sources.past) for cell in of_past), *others]
    return [cell for cell in cells if cell]


def _cell(label: str, value: str, note: str = "", tone: str = "") -> dict[str, str]:
    return {"label": label, "value": value, "note": note, "tone": tone, "tip": ""}


_OFFSETS = (LAG, BEHIND, WORST_PARTITION)
"""Figures computed from offsets; they are only as exact as the offsets."""


def _sourced(seen: Overview, cell: dict[str, str] | None, source: str) -> dict[str, str] | None:
    """If readings are from a metrics store, add their source to a figure. If the store's offsets
    are computed from lags, mark the figure as approximate.
    """
    if cell is None or not source:
        return cell
    is_about = seen.sources.is_derived and source == seen.sources.past and cell["label"] in _OFFSETS
    return cell | {
        "value": about(cell["value"], is_about),
        "tip": f"{source[:1].upper()}{source[1:]}.",
    }


def _lag(seen: Overview) -> dict[str, str] | None:
    case = seen.answer.case
    if case.total is None:
        return None
    value = at_least(number(case.total), bool(case.unknown_count))
    if case.unknown_count:
        return _cell(LAG, value, f"{case.unknown_count:,} unknown")
    if seen.outlook and seen.outlook.is_losing:
        return _cell(LAG, value, "unread are deleted", "worse")
    growth, untimed = _growth(seen), (seen.answer.readings.growth or {}).get("lag")
    if growth is not None and seen.rates:
        sign = "+" if growth > 0 else "−"
        text = f"{sign}{number(abs(round(60 * growth)))} a minute"
        text = f"{text} over {duration(seen.rates.seconds)}"
        return _cell(LAG, value, text, "worse" if growth > 0 else "better")
    if untimed:
        sign, tone = ("+", "worse") if untimed > 0 else ("−", "better")
        return _cell(LAG, value, f"{sign}{number(abs(untimed))} since the first reading", tone)
    return _cell(LAG, value, "records")


def _growth(seen: Overview) -> float | None:
    """Return the growth of lag in records/s, None if unknown."""
    if seen.rates is None:
        return None
    growth = (seen.rates.arrived - seen.rates.read)[seen.answer.case.now.is_read]
    return None if np.isnan(growth).any() else float(growth.sum())


def _behind(seen: Overview) -> dict[str, str] | None:
    """Return the age of the oldest unread record, from the history or from two readings.

    From two readings, the age is exact if the record arrived between the readings. Otherwise the
    age is a lower bound.
    """
    outlook = seen.outlook
    if outlook and outlook.behind is not None:
        text = at_least(duration(outlook.behind), bool(outlook.unknown_count))
        if outlook.is_guess:
            return _cell(BEHIND, text, EXTRAPOLATED, "guessed") | {
                "tip": METHOD_WORDS[EXTRAPOLATED]
            }
        return _cell(BEHIND, text, "worst partition")
    case, rates = seen.answer.case, seen.rates
    earlier, committed = case.earlier, case.group.committed_offset
    if earlier is None or rates is None:
        return None
    behind = np.flatnonzero((case.known > 0) & (committed != UNKNOWN_OFFSET))
    if not behind.size:
        return None
    is_older = (earlier.end != UNKNOWN_OFFSET) & (committed < earlier.end)
    if is_older[behind].any():
        return _cell(BEHIND, f"≥ {duration(rates.seconds)}", "worst partition")
    with np.errstate(divide="ignore", invalid="ignore"):
        seconds = case.known[behind] / rates.arrived[behind]
    known = seconds[np.isfinite(seconds)]
    return _cell(BEHIND, duration(known.max()), "worst partition") if known.size else None


def _drained(seen: Overview) -> dict[str, str] | None:
    """Return the time at which the group is drained.

    None for a small lag, because a small lag grows and falls by chance.
    """
    growth, total = _growth(seen), seen.answer.case.total
    taken_at = seen.answer.observed.taken_at
    if growth is None or not total or taken_at is None or seen.answer.case.is_small:
        return None
    if growth >= 0:
        return _cell(DRAINED, "never", "at this pace", "bad")
    at = clock(taken_at.timestamp() + total / -growth)
    return _cell(DRAINED, f"by {at}", "at this pace")


def moment_of(seen: Overview) -> float:
    """Return the time of the open reading in seconds since 1970. If this is unknown, return the
    start of the finding.
    """
    at = seen.answer.observed.taken_at
    return seen.answer.headline.since or 0.0 if at is None else at.timestamp()


def _lost(seen: Overview) -> dict[str, str] | None:
    """Return the time until the next unread record is deleted."""
    if seen.outlook is None:
        return None
    time_left = loss(seen.outlook, moment_of(seen)).text
    if time_left == UNKNOWN:
        return None
    is_losing = any(each.code == Code.LOSES for each in seen.answer.diagnosis.findings)
    retention = seen.outlook.kept
    note = "" if retention is None else f"kept {duration(retention)}"
    return _cell(LOST, time_left, note, "bad" if is_losing else "")


def _worst_member(seen: Overview) -> dict[str, str] | None:
    lag = seen.member_lag
    if lag.size < 2 or not lag.any():
        return None
    worst = int(lag.argmax())
    is_part = seen.answer.case.is_unknown[seen.owner != UNASSIGNED].any()
    text = f"≥ {number(int(lag[worst]))}" if is_part else number(int(lag[worst]))
    if seen.answer.group_class == Class.FINE:
        return _cell(WORST_MEMBER, text, seen.answer.names.name_and_host(worst)[0])
    share = factor(float(lag[worst] / seen.share))
    return _cell(WORST_MEMBER, text, f"{'≈ ' if is_part else ''}{share} its share")


def _worst_partition(seen: Overview) -> dict[str, str] | None:
    if not seen.lag.any():
        return None
    worst = int(seen.lag.argmax())
    return _cell(WORST_PARTITION, number(int(seen.lag[worst])), seen.answer.names.partition(worst))


def _members(seen: Overview) -> dict[str, str] | None:
    case, answer = seen.answer.case, seen.answer
    if answer.observed.may_have_members and not case.has_no_member:
        return None
    count = case.member_count
    note, tone = "", ""
    if count and case.owner is not None and case.is_judged:
        idle = int(np.count_nonzero(np.bincount(case.owner[case.owner >= 0], minlength=count) == 0))
        note, tone = (f"{idle:,} idle", "worse") if idle else ("all own partitions", "")
    if answer.code == Code.STALLED:
        silent = len(answer.headline.members)
        note, tone = f"{silent:,} {'reads' if silent == 1 else 'read'} nothing", "alarm"
    return _cell(MEMBERS, f"{count:,}", note, tone)
