"""What an input shows, lacks, assumes and contradicts, of a group and of a Streams application, as
sentences.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.lag import lag_taken_as_zero
from evenkeel.assignors.protocol import serving
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.stored_groups import AUTO_OFFSET_RESET
from evenkeel.data.text.formats import count, exact, first_of, listed

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


# Assumptions as sentences, from the paths of `data.columns.assumed_paths`.


_PATH = re.compile(r"(topics|members)\[([0-9]{1,9}|\*)\](.*)")
_MEMBERS = {
    "": "a member",
    ".subscribed": "every member subscribes to all topics that any member owns",
    ".subscribed_regex": "a subscribed regular expression matches only topics of this group",
    ".member_id": "member ids",
}

_CONDITIONS = {
    "hash collisions": "member order: many ids share a hash code, and Java's order of them is not reproduced",
    "order of Go maps": "the leader walks a Go map, whose order differs from run to run",
    "order of Python sets": "the leader takes one of several partitions of a Python set, whose order differs from process to process",
    "leader's subscription": "the leader assigns the topics of its own subscription, members subscribe to different ones, "
    "and this input does not say which member leads",
}

EXPLAINED = "Assumed: these values are not in the input and were filled in. With the true values Kafka's answer may differ."

_MOST_TOPICS = 3


def in_words_all(observed: ObservedGroup, paths: Iterable[str]) -> list[str]:
    """Return one sentence for each kind of assumption; topics with the same assumption share a
    sentence.
    """
    kinds: dict[str, list[str]] = {}
    for path in paths:
        parts = _PATH.fullmatch(path)
        if parts and parts[1] == "topics" and parts[2] != "*" and not re.search(r"\d", parts[3]):
            kinds.setdefault(parts[3], []).append(path)
        else:
            kinds.setdefault(path, [path])
    return list(dict.fromkeys(_joined(observed, found) for found in kinds.values()))


def _joined(observed: ObservedGroup, paths: Sequence[str]) -> str:
    if len(paths) == 1:
        return assumption_words(observed, paths[0])
    topics = [topic_name(observed, _PATH.fullmatch(path)[2]) for path in paths]
    return assumption_words(observed, paths[0]).replace(
        topics[0], ", ".join(first_of(topics, _MOST_TOPICS)), 1
    )


def assumption_words(observed: ObservedGroup, path: str) -> str:
    """Return one assumption as a short sentence; a path without one is returned as it is."""
    if path == "members" and observed.snapshot.member_count:
        return "the input shows only members that own something; idle members are missing"
    if path in ("members", "topics"):
        return f"{path} are not in this input"
    if path == AUTO_OFFSET_RESET:
        policy = observed.snapshot.auto_offset_reset
        begin = "begin" if policy == "earliest" else "end"
        return f"auto.offset.reset is {policy}: a partition without a commit is read from the {begin} offset"
    parts = _PATH.fullmatch(path)
    if not parts:
        return _CONDITIONS.get(path, path)
    part, place, rest = parts.groups()
    if part == "members":
        return _MEMBERS.get(re.sub(r"\[.*?\]", "", rest), path)
    return _of_topic(topic_name(observed, place), rest) or path


def _of_topic(topic: str, rest: str) -> str | None:
    if rest == ".partitions":
        return f"size of {topic}: the highest partition number in the input, plus one"
    if rest == ".topic_id":
        return f"topic id of {topic}: made from the topic's name; the assignor orders topics by their ids"
    if rest.endswith(".lag"):
        number = re.search(r"\[(\d+)\]", rest)
        return f"lag of {topic}{'-' + number[1] if number else ', all partitions'}: unknown, the assignor takes 0"
    return None


def topic_name(observed: ObservedGroup, place: str) -> str:
    """Return the name of the topic at an index of the document; `*` means every topic."""
    rows = np.flatnonzero(observed.topic_order == int(place)) if place != "*" else []
    return observed.snapshot.topic_name[rows[0]] if len(rows) else "every topic"


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
