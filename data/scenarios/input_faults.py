"""Sentences for operators about faults of an input, shown by pages and commands.

Faults are topics without subscribers, missing topics, impossible claims, and partitions that
several members claim.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.compare.comparison import Row
from evenkeel.assignors.compare.facts import input_faults
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag, total_lag
from evenkeel.assignors.group.owned import claim_rows, stale_claims
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.assignors.protocol import SHARE
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.text.formats import at_least, count, exact, first_of, listed
from evenkeel.data.text.names import short_labels

_MOST = 6


class Input(NamedTuple):
    """A group, the names of its members, and the assignors' answers.

    `rows`: the rows of the comparison, the current assignment first; empty if no assignor ran.
    """

    observed: ObservedGroup
    names: Sequence[str]
    rows: Sequence[Row] = ()

    @property
    def group(self) -> GroupSnapshot:
        return self.observed.snapshot


def about_input(
    observed: ObservedGroup, rows: Sequence[Row] = (), names: Sequence[str] | None = None
) -> list[str]:
    """Return sentences about faults of the input: the first six, then the number of the others.

    Empty if the input has no fault or the group has no members. `rows`: rows of the comparison of
    assignors. `names`: members' names; if None, short names.
    """
    group = observed.snapshot
    if not group.member_count:
        return []
    view = Input(observed, names or short_labels(group.member_id, observed.client_id), rows)
    faults = input_faults(group)
    contested = [] if observed.group_type == SHARE else _contested(view, faults.contested)
    texts = [
        *_unread(view, faults.unread),
        *_missing(view, faults.missing),
        *_beyond(view, faults.beyond),
        *contested,
    ]
    return first_of([f"{each}." for each in texts], _MOST)


def _unread(view: Input, topics: np.ndarray) -> list[str]:
    if not topics.size:
        return []
    group = view.group
    tps = np.flatnonzero(np.isin(group.tp_topic, topics))
    lag = page_lag(group)[tps]
    total = total_lag(lag)
    records = (
        ""
        if total is None
        else f" with {at_least(exact(total), bool((lag == UNKNOWN_LAG).any()))} records"
    )
    known = "subscribes" if group.are_subscriptions_known else "is known to subscribe"
    partitions_text = (
        f"{'its' if topics.size == 1 else 'their'} {count(tps.size, 'partition')}{records}"
    )
    return [
        f"{listed(group.topic_name[topic] for topic in topics)}: no member"
        f" {known}{_fate(view, tps, partitions_text)}"
    ]


def _fate(view: Input, tps: np.ndarray, partitions_text: str) -> str:
    if not view.rows:
        return f" to {partitions_text}"
    current, *rows = view.rows
    answers = [row.assignment.handed_out().owner[tps] for row in rows if row.assignment]
    s = "s" if tps.size == 1 else ""
    if (
        len(answers) < len(rows)
        or not answers
        or any((owners != UNASSIGNED).any() for owners in answers)
    ):
        return f" to {partitions_text}"
    if current.assignment is None or (current.assignment.owner[tps] != UNASSIGNED).any():
        return f"; {partitions_text} get{s} no owner from any assignor"
    return f"; {partitions_text} stay{s} without an owner under every assignor"


def _missing(view: Input, pairs: np.ndarray) -> list[str]:
    topics, texts = view.group.topic_name, []
    for members, rows in _by_members(pairs).items():
        subscribe, are = (
            "subscribes" if len(members) == 1 else "subscribe",
            "is" if len(rows) == 1 else "are",
        )
        texts.append(
            f"{_names(view, members)} {subscribe} to {listed(topics[topic] for topic in rows)},"
            f" which {are} not in this input"
        )
    return texts


def _beyond(view: Input, claims: np.ndarray) -> list[str]:
    group = view.group
    partitions: dict[tuple, list[int]] = {}
    for member, topic, partition in claims.tolist():
        partitions.setdefault((member, topic), []).append(partition)
    texts = []
    for (member, topic), numbers in partitions.items():
        name = group.topic_name[topic]
        size = (
            f"has {count(int(group.partition_count[topic]), 'partition')}"
            if group.topic_known[topic]
            else "is not in this input"
        )
        texts.append(f"{view.names[member]} claims {_runs(name, numbers)}; {name} {size}")
    return texts


def _contested(view: Input, claims: np.ndarray) -> list[str]:
    group = view.group
    partitions: dict[tuple, list[int]] = {}
    stale = stale_claims(claim_rows(group), group.generation, group.partition_count)
    is_stale = set(
        zip(group.claim_tp[stale].tolist(), group.claim_member[stale].tolist(), strict=True)
    )
    for members, tps in _by_members(claims).items():
        for tp in tps:
            older = tuple(member for member in members if (tp, member) in is_stale)
            key = int(group.tp_topic[tp]), members, older
            partitions.setdefault(key, []).append(int(group.tp_partition[tp]))
    return [
        f"{_runs(group.topic_name[topic], numbers)} {'is' if len(numbers) == 1 else 'are'} claimed"
        f" by {_names(view, members)}{_older(view, older)}"
        for (topic, members, older), numbers in partitions.items()
    ]


def _older(view: Input, members: Sequence[int]) -> str:
    if not members:
        return ""
    who = _names(view, members)
    if len(members) == 1:
        return f"; the claim of {who} is of an older generation and does not count"
    return f"; the claims of {who} are of older generations and do not count"


def _by_members(pairs: np.ndarray) -> dict[tuple[int, ...], list[int]]:
    """Return topics or partitions by the set of their members.

    `pairs`: (number of the topic or partition, member), sorted.
    """
    members: dict[int, list[int]] = {}
    for row, member in pairs.tolist():
        members.setdefault(row, []).append(member)
    rows: dict[tuple[int, ...], list[int]] = {}
    for row, of_row in members.items():
        rows.setdefault(tuple(of_row), []).append(row)
    return rows


def _names(view: Input, members: Iterable[int]) -> str:
    return listed(view.names[member] for member in members)


def _runs(topic: str, numbers: list[int]) -> str:
    """Return names of partitions such as `orders-7`, `orders-0 to 3`, or `orders-0, 2 to 5 and 9`.

    `numbers` ascend.
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = [
        text
        for run in runs
        for text in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))
    ]
    return partition_name(topic, listed(texts, 5))
