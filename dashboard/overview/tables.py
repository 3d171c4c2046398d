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
from evenkeel.dashboard.overview.strip import moment_of, strip
from evenkeel.dashboard.parts.diagnosis_text import mark
from evenkeel.dashboard.parts.past_words import WAIT
from evenkeel.dashboard.times import clock
from evenkeel.data.text.formats import (
    UNKNOWN,
    and_more,
    counted,
    duration,
    exact,
    number,
)

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
    """Return the notes about the input files. The note on repeated readings is omitted if rates are
    known.
    """
    if seen.answer.cluster is not None:
        return []
    others = ("repeated_readings",) if seen.rates else ()
    return seen.answer.about_input(*others)


def _later(seen: Overview) -> str | None:
    """Return the name of the button that asks for a later reading.

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
    since = (
        [words.since(start, moment_of(seen), answer.headline.is_least)] if start is not None else []
    )
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
    """Return at most three rows of offsets: two rows for the worst partition of the headline, and
    one row for a partition of another member.
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


# Why


def why(seen: Overview) -> dict[str, Any] | None:
    """Return rates of topics and the retention, or a sentence if the group is even. None if nothing
    is known.
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
    """Return the rebalances in the hours that the page draws. None if there are no rebalances."""
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
