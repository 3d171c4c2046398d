"""Sentences about the input of a group or Streams application: its contents, its missing values,
assumed values and contradictions.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.lag import lag_taken_as_zero
from evenkeel.assignors.protocol import serving
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.text.formats import count, exact, listed


def shown(observed: ObservedGroup) -> str:
    """Return a list of the input's parts, as words. If nothing is missing, the list has only
    subscriptions, racks and static ids.
    """
    has = _has(observed)
    if all(has.values()):
        return listed(["subscriptions", *_beside(observed.snapshot)])
    return listed(
        [*(word for word, is_there in has.items() if is_there)] or ["topics and partitions"]
    )


def missing(observed: ObservedGroup) -> list[str]:
    """Return the missing parts of the input that an answer may need. Racks and static ids are left
    out.
    """
    group = observed.snapshot
    ids, lags = (
        int(np.count_nonzero(group.topic_known & ~group.topic_id_known)),
        int(np.count_nonzero(lag_taken_as_zero(group))),
    )
    words = [word for word, is_there in _has(observed).items() if not is_there]
    needs_ids, needs_lags = (
        _users(observed.group_type, fact) for fact in ("uses_topic_ids", "uses_lag")
    )
    if any(path.endswith("].partitions") for path in observed.assumed):
        words.append("the size of some topics")
    if ids and needs_ids:
        words.append(f"{_of(ids, 'topic id', int(group.topic_known.sum()))} ({needs_ids} them)")
    if lags and needs_lags and "offsets" not in words:
        words.append(f"offsets of {_partitions(lags, group.tp_count)} ({needs_lags} them)")
    return words


def _users(group_type: str | None, fact: str) -> str:
    """Return words for the assignors that need a kind of input: `range needs`. Only assignors for
    this type of group. Empty if there are none.
    """
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


EXPLAINED = (
    "These values are not in the input, so they are assumed. With the true values Kafka's answer"
    " may differ."
)


# Assumptions of a task assignor's answer as sentences, from the paths of `TaskNames.assumed_paths`.


_PLACE = re.compile(r"\[(\d+|\*)\]")
_SENTENCES = {
    "settings": "the leader has the document's settings, else Kafka's defaults",
    'settings["num.standby.replicas"]': (
        "num.standby.replicas is the present number of standbys of a task"
    ),
    "tasks": "the application has only the tasks in the input",
    "restore_rates": (
        "copies whose restore rate is unknown are caught up by the next probing rebalance"
    ),
    "hash collisions": "the order of a Java map with many hash codes in one bucket",
    "list order": "the coordinator lists threads in the input's order, one instance after the"
    " other",
    "unread end offsets": (
        "no end offset is known: a leader that cannot read end offsets moves no task and tries"
        " again"
    ),
    "identity hashes": "Kafka's own answer changes from run to run here: this is one possible"
    " answer",
}
_COUNTED = {
    "tasks.stateful": "whether {} a changelog",
    "tasks.end_offset_sum": "end offsets of the changelogs of {}",
    "processes.process_id": "process ids of {}: with other ids, ties may be decided differently",
    "processes.rack": "racks of {}",
    "rack": "racks of {}: without racks, no task moves because of its rack",
    "processes.consumers.task_offset_sums": (
        "offsets of state in {}: only the threads know the present offsets"
    ),
    "processes.consumers.owned": "target tasks of {}: their present tasks are assumed",
    "processes.consumers.standby": "target standbys of {}: their present standbys are assumed",
}


def task_assumptions(paths: Iterable[str]) -> list[str]:
    """Return one sentence for each kind of assumption."""
    kinds: dict[str, list[str]] = {}
    for path in paths:
        kinds.setdefault(_PLACE.sub("", path), []).append(path)
    return [_sentence(kind, paths) for kind, paths in kinds.items()]


def _sentence(kind: str, paths: Sequence[str]) -> str:
    if kind not in _COUNTED:
        return _SENTENCES.get(
            kind, kind if len(paths) == 1 else f"{kind}, {exact(len(paths))} times"
        )
    noun, more = _nouns(kind)
    is_every = any("[*]" in path for path in paths)
    return _COUNTED[kind].format(
        f"all {more}" if is_every else f"{exact(len(paths))} {noun if len(paths) == 1 else more}"
    )


def _nouns(kind: str) -> tuple[str, str]:
    if kind == "tasks.stateful":
        return "task has", "tasks have"
    if kind.startswith("tasks"):
        return "task", "tasks"
    return ("thread", "threads") if "consumers" in kind else ("instance", "instances")
