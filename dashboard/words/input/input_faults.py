"""Faults of the input in an operator's words: topics without subscribers, missing topics, impossible claims."""

from collections.abc import Iterable

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.explain.unknown_inputs import input_faults
from evenkeel.assignors.group.lag import UNKNOWN_LAG, total_lag
from evenkeel.dashboard.view import View
from evenkeel.data.words.formats import at_least, count, exact, first_of, listed
from evenkeel.data.words.names import partition_name

_MOST = 6


def about_input(view: View) -> list[str]:
    """Return the first few sentences; none if the input is consistent."""
    found = input_faults(view.comparison.group)
    contested = [] if view.observed.group_type == "share" else _contested(view, found.contested)
    said = [*_unread(view, found.unread), *_missing(view, found.missing), *_beyond(view, found.beyond), *contested]
    return first_of([f"{each}." for each in said], _MOST)


def _unread(view: View, topics: np.ndarray) -> list[str]:
    if not topics.size:
        return []
    group = view.comparison.group
    tps = np.flatnonzero(np.isin(group.tp_topic, topics))
    lag = view.comparison.lag[tps]
    total = total_lag(lag)
    records = "" if total is None else f" with {at_least(exact(total), bool((lag == UNKNOWN_LAG).any()))} records"
    is_assumed = any(path == "members" or path.endswith(".subscribed") for path in view.observed.assumed)
    known = "is known to subscribe" if is_assumed else "subscribes"
    what = f"{'its' if topics.size == 1 else 'their'} {count(tps.size, 'partition')}{records}"
    return [f"{listed(group.topic_name[topic] for topic in topics)}: no member {known}{_fate(view, tps, what)}"]


def _fate(view: View, tps: np.ndarray, what: str) -> str:
    current, *rows = view.comparison.rows
    answers = [row.assignment.handed_out().owner[tps] for row in rows if row.assignment]
    s = "s" if tps.size == 1 else ""
    if len(answers) < len(rows) or not answers or any((owners != UNASSIGNED).any() for owners in answers):
        return f" to {what}"
    if current.assignment is None or (current.assignment.owner[tps] != UNASSIGNED).any():
        return f"; {what} get{s} no owner from any assignor"
    return f"; {what} stay{s} without an owner under every assignor"


def _missing(view: View, pairs: np.ndarray) -> list[str]:
    topics, said = view.comparison.group.topic_name, []
    for members, rows in _by_members(pairs).items():
        subscribe, are = "subscribes" if len(members) == 1 else "subscribe", "is" if len(rows) == 1 else "are"
        said.append(f"{_names(view, members)} {subscribe} to {listed(topics[topic] for topic in rows)}, which {are} not in this input")
    return said


def _beyond(view: View, claims: np.ndarray) -> list[str]:
    group, partitions = view.comparison.group, {}
    for member, topic, partition in claims.tolist():
        partitions.setdefault((member, topic), []).append(partition)
    said = []
    for (member, topic), numbers in partitions.items():
        name = group.topic_name[topic]
        size = f"has {count(int(group.partition_count[topic]), 'partition')}" if group.topic_known[topic] else "is not in this input"
        said.append(f"{view.names[member]} claims {_runs(name, numbers)}; {name} {size}")
    return said


def _contested(view: View, claims: np.ndarray) -> list[str]:
    group, partitions = view.comparison.group, {}
    for members, tps in _by_members(claims).items():
        for tp in tps:
            partitions.setdefault((int(group.tp_topic[tp]), members), []).append(int(group.tp_partition[tp]))
    return [
        f"{_runs(group.topic_name[topic], numbers)} {'is' if len(numbers) == 1 else 'are'} claimed by {_names(view, members)}"
        for (topic, members), numbers in partitions.items()
    ]


def _by_members(pairs: np.ndarray) -> dict[tuple[int, ...], list[int]]:
    """Return for each set of members the rows (topics or partitions) that have exactly this set; `pairs` (row, member), ascending."""
    members: dict[int, list[int]] = {}
    for row, member in pairs.tolist():
        members.setdefault(row, []).append(member)
    rows: dict[tuple[int, ...], list[int]] = {}
    for row, of_row in members.items():
        rows.setdefault(tuple(of_row), []).append(row)
    return rows


def _names(view: View, members: Iterable[int]) -> str:
    return listed(view.names[member] for member in members)


def _runs(topic: str, numbers: list[int]) -> str:
    """`orders-7`, `orders-0 to 3`, `orders-0, 2 to 5 and 9`; `numbers` ascending."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = [text for run in runs for text in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))]
    return partition_name(topic, listed(texts, 5))
