"""Events and findings of a group as a title and a sentence below it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.history.events import BACK, FIRST, GONE, PARTITIONS, REBALANCE, RESTARTED, VERDICT, Event
from evenkeel.assignors.history.now import GROUP, MEMBER, PARTITION, UNSTABLE, Finding
from evenkeel.assignors.history.series import Series
from evenkeel.assignors.history.verdicts import OK, VERDICTS
from evenkeel.data.words.formats import count
from evenkeel.data.words.history import event_words, finding_words, seen_by
from evenkeel.data.words.names import names_in, partition_name
from evenkeel.data.words.verdicts import WORDS


class Titled(NamedTuple):
    """What an event is about, and what happened."""

    title: str
    text: str


def of_event(event: Event, series: Series, group_id: str) -> Titled:
    """Tell an event of a series."""
    rows = list(event.rows)
    if event.kind in (FIRST, GONE, BACK):
        return Titled(group_id, event_words(event, series))
    if event.kind == VERDICT and event.after == OK:
        return Titled(group_id, f"No longer {VERDICTS[event.before]}.")
    if event.kind in (VERDICT, PARTITIONS):
        return Titled(_partitions(series, rows), _reason(event, series))
    if event.kind == REBALANCE:
        step = f"Generation {event.after:,}" if event.after != UNKNOWN else "1 rebalance"
        seen = "" if event.after != UNKNOWN else f" Seen by {seen_by(event)}: the generation is unknown."
        return Titled(step, f"{count(len(rows), 'partition')} changed owner.{seen}")
    if event.kind == RESTARTED:
        return Titled(_partitions(series, rows), "The offsets went back: the topic was made anew, or records were lost.")
    members = count(int(np.count_nonzero(series.is_member[event.row])), "member")
    return Titled(_members(series, rows), f"The group then has {members}.")


def of_finding(finding: Finding, series: Series, group_id: str) -> Titled:
    """Tell what partitions have in common at the end of the series."""
    about = {
        PARTITION: lambda: _partitions(series, [finding.row]),
        MEMBER: lambda: _members(series, [finding.row]),
        UNSTABLE: lambda: _members(series, [finding.row]),
        GROUP: lambda: group_id,
    }.get(finding.what, lambda: series.topic_name[finding.row])
    return Titled(about(), finding_words(finding, series))


def _reason(event: Event, series: Series) -> str:
    verdict = WORDS[VERDICTS[event.after]]
    owners = np.setdiff1d(series.owner[event.row, list(event.rows)], [UNASSIGNED]).tolist()
    told = f" Owner {_members(series, owners)}." if verdict.has_owner and owners else ""
    return f"{verdict.reason[0].upper()}{verdict.reason[1:]}.{told}"


def _partitions(series: Series, rows: Sequence[int]) -> str:
    """`orders-3`, `orders-3 and 12 more`."""
    first = rows[0]
    return _and_more(partition_name(series.topic_name[series.topic[first]], int(series.partition[first])), len(rows))


def _members(series: Series, rows: Sequence[int]) -> str:
    return _and_more(names_in(series)[rows[0]], len(rows))


def _and_more(first: str, number: int) -> str:
    return f"{first} and {number - 1:,} more" if number > 1 else first
