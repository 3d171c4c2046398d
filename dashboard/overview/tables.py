"""The bands of the page as data: the fault, figures, remedies and reasons."""

from typing import Any

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.diagnosis.finding import Class, Code
from evenkeel.assignors.group import UNKNOWN as UNKNOWN_OFFSET
from evenkeel.dashboard.overview import words
from evenkeel.dashboard.overview.figures import known_sum, rate_text, switched, who
from evenkeel.dashboard.overview.loading import Overview, Rates
from evenkeel.dashboard.overview.remedies import helps
from evenkeel.dashboard.parts.diagnosis_text import mark
from evenkeel.dashboard.parts.facts import (
    BEHIND,
    DRAINED,
    LAG,
    LOST,
    MEMBERS,
    WORST_MEMBER,
    WORST_PARTITION,
)
from evenkeel.dashboard.parts.past_words import WAIT, loss
from evenkeel.dashboard.times import clock
from evenkeel.data.text.formats import (
    UNKNOWN,
    about,
    and_more,
    at_least,
    counted,
    duration,
    exact,
    factor,
    number,
)
from evenkeel.data.timeline.words import EXTRAPOLATED, METHOD_WORDS

_MOST_NOTES = 2
_MOST_SUBJECTS = 2


def page_of(seen: Overview) -> dict[str, Any]:
    """Return all data that the component draws."""
    return {
        "what": what(seen),
        "strip": strip(seen),
        "who": who(seen),
        "helps": helps(seen),
        "switched": switched(seen),
        "why": why(seen),
    }


def what(seen: Overview) -> dict[str, Any]:
    """Return sentence, details, advice, commands and evidence of the headline, and the notes."""
    answer = seen.answer
    shape, tone = mark(answer.code, answer.group_class, answer.headline.severity)
    word, text = words.evidence(answer, answer.settles, seen.uploaded or 1, seen.apart)
    notes = answer.notes
    return {
        "mark": shape,
        "tone": tone,
        "sentence": answer.sentence,
        "details": _details(seen),
        "advice": answer.advice,
        "command": answer.command,
        "change": answer.change,
        "later": _later(seen) if answer.is_open else None,
        "wait": WAIT,
        "word": word,
        "evidence": text,
        "columns": _columns(seen),
        "rows": _evidence(seen),
        "also": [*notes[:_MOST_NOTES], *and_more(len(notes) - _MOST_NOTES)],
        "input": _input(seen),
    }


def _input(seen: Overview) -> list[str]:
    """Return the notes about files. If rates are known, the note on repeated readings is
    omitted.
    """
    if seen.answer.cluster is not None:
        return []
    others = ("repeated_readings",) if seen.rates else ()
    return seen.answer.about_input(*others)


def _later(seen: Overview) -> str | None:
    """Return the name of a later reading.

    None if the group is read only once, or if the readings of an upload have no times.
    """
    if seen.is_live:
        return words.READ_AGAIN
    needs_times = seen.uploaded is not None and seen.uploaded > 1 and seen.apart is None
    return words.LATER if seen.uploaded and not needs_times else None


def _details(seen: Overview) -> list[str]:
    """Return facts that the sentence omits: the start, members without a name in the sentence, and
    pods.
    """
    answer, start = seen.answer, seen.answer.headline.since
    since = [words.since(start, _now(seen), answer.headline.is_least)] if start is not None else []
    members = answer.headline.members
    if len(members) > _MOST_SUBJECTS or answer.group_class == Class.FINE:
        return since
    names = answer.names
    shown = [
        f"{words.role(answer.code)} {names.member(row)}."
        for row in members
        if names.name_and_host(row)[0] not in answer.sentence
    ]
    pods = [
        f"Pod {pod}." for row in members if (pod := names.pod(row)) and pod not in answer.sentence
    ]
    return [*since, *shown, *pods]


def _columns(seen: Overview) -> list[str]:
    readings = seen.answer.readings
    if seen.answer.case.earlier is None:
        return ["now"]
    both = [reading for reading in (readings.earlier, readings.now) if reading is not None]
    return [clock(reading.taken_at.timestamp()) for reading in both if reading.taken_at is not None]


def _evidence(seen: Overview) -> list[dict[str, Any]]:
    """Return at most three rows of offsets: two rows for the worst partition of the headline, one
    row for a partition of another member.
    """
    case = seen.answer.case
    tps = np.flatnonzero(seen.is_subject if seen.is_subject.any() else case.now.is_read)
    if not tps.size:
        return []
    worst = int(tps[seen.lag[tps].argmax()])
    rows = [_row(seen, worst, "committed"), _row(seen, worst, "end")]
    others = np.flatnonzero((seen.owner != UNASSIGNED) & ~seen.is_subject)
    if others.size and case.earlier is not None:
        moved = others[case.moved[others]]
        rows.append(_row(seen, int((moved if moved.size else others)[0]), "committed"))
    return [row for row in rows if any(cell != UNKNOWN for cell in row["cells"])]


def _row(seen: Overview, tp: int, column: str) -> dict[str, Any]:
    case = seen.answer.case
    is_end = column == "end"
    offsets = [int((case.group.end_offset if is_end else case.group.committed_offset)[tp])]
    if case.earlier is not None:
        offsets.insert(0, int((case.earlier.end if is_end else case.earlier.committed)[tp]))
    is_known = UNKNOWN_OFFSET not in offsets
    return {
        "name": f"{seen.answer.names.partition(tp)}, {column}",
        "cells": [UNKNOWN if offset == UNKNOWN_OFFSET else exact(offset) for offset in offsets],
        "note": words.movement(offsets, is_end) if len(offsets) > 1 and is_known else "",
    }


# Figures


def strip(seen: Overview) -> list[dict[str, str]]:
    """Return known figures, at most five."""
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
    """Add the source to a figure if a metrics store is involved; mark the figure as approximate if
    the store's offsets are computed from lags.
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
    """Return the age of the oldest unread record, from the history or from the two readings.

    From two readings: the exact age if the record arrived between them, else a lower bound.
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

    None for a small lag, because it grows and falls by chance.
    """
    growth, total = _growth(seen), seen.answer.case.total
    taken_at = seen.answer.observed.taken_at
    if growth is None or not total or taken_at is None or seen.answer.case.is_small:
        return None
    if growth >= 0:
        return _cell(DRAINED, "never", "at this pace", "bad")
    at = clock(taken_at.timestamp() + total / -growth)
    return _cell(DRAINED, f"by {at}", "at this pace")


def _now(seen: Overview) -> float:
    at = seen.answer.observed.taken_at
    return seen.answer.headline.since or 0.0 if at is None else at.timestamp()


def _lost(seen: Overview) -> dict[str, str] | None:
    """Return the time until the next unread record is deleted."""
    if seen.outlook is None:
        return None
    time_left = loss(seen.outlook, _now(seen)).text
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


# Why


def why(seen: Overview) -> dict[str, Any] | None:
    """Return rates of topics and the retention, or a sentence on an even group; None if nothing is
    known.
    """
    case = seen.answer.case
    if seen.rates:
        return {
            "topics": _topics(seen, seen.rates),
            "text": "",
            "source": seen.sources.past,
            "kept": _kept(seen),
            "rebalances": _rebalances(seen),
        }
    if seen.answer.code == Code.FINE and case.member_count > 1 and case.owner is not None:
        counts = np.bincount(case.owner[case.owner >= 0], minlength=case.member_count)
        return {"topics": [], "text": words.even(counts.tolist()), "source": ""}
    return None


def _rebalances(seen: Overview) -> dict[str, Any] | None:
    """Return the rebalances in the drawn hours, None without rebalances."""
    if seen.hours is None or not seen.hours.rebalances:
        return None
    first, last = float(seen.hours.time[0]), float(seen.hours.time[-1])
    times = [at for at, _ in seen.hours.rebalances]
    total = sum(count for _, count in seen.hours.rebalances)
    return {
        "text": (
            f"{counted(total, 'rebalance')} in {duration(last - first)}, the last at"
            f" {clock(times[-1])}"
        ),
        "marks": [(at - first) / max(last - first, 1.0) for at in times],
    }


def _kept(seen: Overview) -> dict[str, Any] | None:
    """Return the age of the oldest unread record as a share of the retention."""
    outlook = seen.outlook
    if outlook is None or outlook.kept is None or outlook.behind is None:
        return None
    return {
        "share": min(outlook.behind / max(outlook.kept, 1.0), 1.0),
        "text": f"kept {duration(outlook.kept)}",
        "note": f"oldest unread {duration(outlook.behind)}",
    }


_MOST_TOPICS = 4


def _topics(seen: Overview, rates: Rates) -> list[dict[str, Any]]:
    group, names = seen.answer.case.group, seen.answer.names
    growth, sums = rates.arrived - rates.read, []
    for topic in range(len(group.topic_name)):
        tps = group.tps_of(topic)
        both = known_sum(rates.arrived[tps]), known_sum(rates.read[tps])
        # NaN if a rate of the topic is unknown; such topics are sorted last.
        sums.append((float(growth[tps].sum()), *both, names.topic(topic)))
    most = np.nanmax([[0.0, arrived, read] for _, arrived, read, _ in sums], initial=0.0) or 1.0
    fastest = sorted(sums, key=lambda each: -np.nan_to_num(each[0], nan=-np.inf))
    return [_topic(*each, most) for each in fastest[:_MOST_TOPICS]]


def _topic(growth: float, arrived: float, read: float, name: str, most: float) -> dict[str, Any]:
    text = UNKNOWN
    if not np.isnan(growth):
        sign = "+" if growth > 0 else "−"
        text = f"{sign}{number(abs(round(growth)))}" if round(growth) else "0"
    return {
        "name": name,
        "arrived": rate_text(arrived),
        "read": rate_text(read),
        "growth": text,
        "isWorse": growth >= 1,
        "shares": np.nan_to_num([read / most, arrived / most]).tolist(),
    }
