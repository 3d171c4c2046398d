"""What an input shows, lacks, assumes and contradicts, of a group and of a Streams application, as
sentences.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.compare.facts import input_faults
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG, lag_taken_as_zero, total_lag
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.assignors.protocol import SHARE, serving
from evenkeel.dashboard.view import View
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.text.formats import at_least, count, exact, first_of, listed

SUBSCRIPTIONS, RATES = 4, 5
"""The levels of all subscriptions, and of two moments."""


def reached(observed: ObservedGroup, has_rates: bool, is_certain: bool) -> int:
    """Return the level of an input: rates complete one that lacks nothing else, and do not make up
    for what is assumed.

    `is_certain`: no answer to it depends on what is unknown.
    """
    is_whole = observed.level == SUBSCRIPTIONS and not observed.assumed and not missing(observed)
    return RATES if has_rates and is_whole and is_certain else observed.level


def level_words(level: int, has_rates: bool) -> str:
    """Return the words of a badge: `Level 2 of 5, with rates`."""
    return f"Level {level} of {RATES}" + ", with rates" * (has_rates and level < RATES)


def shown(observed: ObservedGroup) -> str:
    """List what the input shows: for a full one subscriptions, racks and static ids, else the parts
    that it has beside topics.
    """
    has = _has(observed)
    if all(has.values()):
        return listed(["subscriptions", *_beside(observed.snapshot)])
    return listed(
        [*(word for word, is_there in has.items() if is_there)] or ["topics and partitions"]
    )


def missing(observed: ObservedGroup) -> list[str]:
    """Return the missing inputs that an answer may need; racks and static ids may be missing."""
    group = observed.snapshot
    ids, lags = (
        int(np.count_nonzero(group.topic_known & ~group.topic_id_known)),
        int(np.count_nonzero(lag_taken_as_zero(group))),
    )
    found = [word for word, is_there in _has(observed).items() if not is_there]
    needs_ids, needs_lags = (
        _users(observed.group_type, fact) for fact in ("uses_topic_ids", "uses_lag")
    )
    if any(path.endswith("].partitions") for path in observed.assumed):
        found.append("the size of some topics")
    if ids and needs_ids:
        found.append(f"{_of(ids, 'topic id', int(group.topic_known.sum()))} ({needs_ids} them)")
    if lags and needs_lags and "offsets" not in found:
        found.append(f"offsets of {_partitions(lags, group.tp_count)} ({needs_lags} them)")
    return found


def _users(group_type: str | None, fact: str) -> str:
    """Say which assignors of this type of group use an input; empty where none does."""
    names = [name for name in serving(group_type, ASSIGNORS) if getattr(ASSIGNORS[name], fact)]
    return f"{listed(names)} {'needs' if len(names) == 1 else 'need'}" if names else ""


def _has(observed: ObservedGroup) -> dict[str, bool]:
    members, assumed = observed.snapshot.member_count, observed.assumed
    return {
        "offsets": observed.level > 0,
        "owners": observed.current is not None,
        "all members": bool(members) and "members" not in assumed,
        "subscriptions": bool(members)
        and "members" not in assumed
        and not any(path.endswith("].subscribed") for path in assumed),
    }


def _beside(group: GroupSnapshot) -> list[str]:
    racks = (group.member_rack != NO_RACK).any() or (group.replica_rack != NO_RACK).any()
    return ["racks"] * bool(racks) + ["static ids"] * any(group.instance_id)


def _of(number: int, noun: str, total: int) -> str:
    return f"{noun}s" if number == total else f"{exact(number)} of {count(total, noun)}"


def _partitions(number: int, total: int) -> str:
    return (
        "every partition" if number == total else f"{exact(number)} of {count(total, 'partition')}"
    )


EXPLAINED = "Assumed: these values are not in the input and were filled in. With the true values Kafka's answer may differ."


# What a task assignor's answer takes for granted, as sentences, from the paths of
# `TaskNames.assumed_paths`.


_PLACE = re.compile(r"\[(\d+|\*)\]")
_SENTENCES = {
    "settings": "the leader's settings are those of the document and else Kafka's defaults",
    'settings["num.standby.replicas"]': "num.standby.replicas is the number of standbys that tasks have now",
    "tasks": "the application has no tasks but those that the input names",
    "restore_rates": "copies whose restore rate is unknown are caught up by the next probing rebalance",
    "hash collisions": "the order of a Java map in which many hash codes met in one bucket",
    "list order": "the coordinator lists threads as the input does, one instance after the other",
    "unread end offsets": "no end offset is known: a leader that cannot read them leaves every task where it is and asks again",
    "identity hashes": "Kafka's own answer changes from run to run here: this is one of them",
}
_COUNTED = {
    "tasks.stateful": "whether {} a changelog",
    "tasks.end_offset_sum": "where the changelogs of {} end",
    "processes.process_id": "process ids of {}: other ones may decide ties otherwise",
    "processes.rack": "racks of {}",
    "rack": "racks of {}: without them tasks do not change places for racks' sake",
    "processes.consumers.task_offset_sums": "offsets of state in {}: only the threads know those of this moment",
    "processes.consumers.owned": "target tasks of {}: those that they have now",
    "processes.consumers.standby": "target standbys of {}: those that they have now",
}


def task_assumptions(paths: Iterable[str]) -> list[str]:
    """Return one sentence for each kind of assumption."""
    kinds: dict[str, list[str]] = {}
    for path in paths:
        kinds.setdefault(_PLACE.sub("", path), []).append(path)
    return [_sentence(kind, found) for kind, found in kinds.items()]


def _sentence(kind: str, paths: Sequence[str]) -> str:
    if kind not in _COUNTED:
        return _SENTENCES.get(
            kind, kind if len(paths) == 1 else f"{kind}, {exact(len(paths))} times"
        )
    one, more = _nouns(kind)
    is_every = any("[*]" in path for path in paths)
    return _COUNTED[kind].format(
        f"all {more}" if is_every else f"{exact(len(paths))} {one if len(paths) == 1 else more}"
    )


def _nouns(kind: str) -> tuple[str, str]:
    if kind == "tasks.stateful":
        return "task has", "tasks have"
    return (
        ("task", "tasks")
        if kind.startswith("tasks")
        else ("thread", "threads")
        if "consumers" in kind
        else ("instance", "instances")
    )


# Faults of the input in an operator's words: topics without subscribers, missing topics, impossible
# claims.


_MOST = 6


def about_input(view: View) -> list[str]:
    """Return the first few sentences; none if the input is consistent."""
    found = input_faults(view.comparison.group)
    contested = [] if view.observed.group_type == SHARE else _contested(view, found.contested)
    said = [
        *_unread(view, found.unread),
        *_missing(view, found.missing),
        *_beyond(view, found.beyond),
        *contested,
    ]
    return first_of([f"{each}." for each in said], _MOST)


def _unread(view: View, topics: np.ndarray) -> list[str]:
    if not topics.size:
        return []
    group = view.comparison.group
    tps = np.flatnonzero(np.isin(group.tp_topic, topics))
    lag = view.comparison.lag[tps]
    total = total_lag(lag)
    records = (
        ""
        if total is None
        else f" with {at_least(exact(total), bool((lag == UNKNOWN_LAG).any()))} records"
    )
    is_assumed = any(
        path == "members" or path.endswith(".subscribed") for path in view.observed.assumed
    )
    known = "is known to subscribe" if is_assumed else "subscribes"
    what = f"{'its' if topics.size == 1 else 'their'} {count(tps.size, 'partition')}{records}"
    return [
        f"{listed(group.topic_name[topic] for topic in topics)}: no member {known}{_fate(view, tps, what)}"
    ]


def _fate(view: View, tps: np.ndarray, what: str) -> str:
    current, *rows = view.comparison.rows
    answers = [row.assignment.handed_out().owner[tps] for row in rows if row.assignment]
    s = "s" if tps.size == 1 else ""
    if (
        len(answers) < len(rows)
        or not answers
        or any((owners != UNASSIGNED).any() for owners in answers)
    ):
        return f" to {what}"
    if current.assignment is None or (current.assignment.owner[tps] != UNASSIGNED).any():
        return f"; {what} get{s} no owner from any assignor"
    return f"; {what} stay{s} without an owner under every assignor"


def _missing(view: View, pairs: np.ndarray) -> list[str]:
    topics, said = view.comparison.group.topic_name, []
    for members, rows in _by_members(pairs).items():
        subscribe, are = (
            "subscribes" if len(members) == 1 else "subscribe",
            "is" if len(rows) == 1 else "are",
        )
        said.append(
            f"{_names(view, members)} {subscribe} to {listed(topics[topic] for topic in rows)}, which {are} not in this input"
        )
    return said


def _beyond(view: View, claims: np.ndarray) -> list[str]:
    group, partitions = view.comparison.group, {}
    for member, topic, partition in claims.tolist():
        partitions.setdefault((member, topic), []).append(partition)
    said = []
    for (member, topic), numbers in partitions.items():
        name = group.topic_name[topic]
        size = (
            f"has {count(int(group.partition_count[topic]), 'partition')}"
            if group.topic_known[topic]
            else "is not in this input"
        )
        said.append(f"{view.names[member]} claims {_runs(name, numbers)}; {name} {size}")
    return said


def _contested(view: View, claims: np.ndarray) -> list[str]:
    group, partitions = view.comparison.group, {}
    for members, tps in _by_members(claims).items():
        for tp in tps:
            partitions.setdefault((int(group.tp_topic[tp]), members), []).append(
                int(group.tp_partition[tp])
            )
    return [
        f"{_runs(group.topic_name[topic], numbers)} {'is' if len(numbers) == 1 else 'are'} claimed by {_names(view, members)}"
        for (topic, members), numbers in partitions.items()
    ]


def _by_members(pairs: np.ndarray) -> dict[tuple[int, ...], list[int]]:
    """Return for each set of members the rows (topics or partitions) that have exactly this set;
    `pairs` (row, member), ascending.
    """
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
    texts = [
        text
        for run in runs
        for text in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))
    ]
    return partition_name(topic, listed(texts, 5))
