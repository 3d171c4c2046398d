"""What a task assignor's answer takes for granted, as sentences, from the paths of `TaskNames.assumed_paths`."""

import re
from collections.abc import Iterable, Sequence

from evenkeel.data.words.formats import exact

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
        return _SENTENCES.get(kind, kind if len(paths) == 1 else f"{kind}, {exact(len(paths))} times")
    one, more = _nouns(kind)
    is_every = any("[*]" in path for path in paths)
    return _COUNTED[kind].format(f"all {more}" if is_every else f"{exact(len(paths))} {one if len(paths) == 1 else more}")


def _nouns(kind: str) -> tuple[str, str]:
    if kind == "tasks.stateful":
        return "task has", "tasks have"
    return ("task", "tasks") if kind.startswith("tasks") else ("thread", "threads") if "consumers" in kind else ("instance", "instances")
