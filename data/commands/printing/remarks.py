"""Remarks on the rows of a comparison: rounds that never end, Kafka's surprises, one valid outcome of several."""

from collections.abc import Sequence

import numpy as np

from assignors import ASSIGNORS
from assignors.explain.facts import NO_FACTS, Facts
from assignors.explain.quirk import Quirk
from assignors.figures.comparison import CURRENT, Row
from data.columns.observed import ObservedGroup
from data.scenarios.leader import other_leader
from data.words.leaders import led_by
from data.words.quirks import sentence

_NEVER_ENDS = "never ends: a member refuses its assignment in every round and rejoins"


def remarks(observed: ObservedGroup, row: Row, facts: Facts | None, unknown: Sequence[str]) -> list[str]:
    """Return the remarks on a row, a sentence each; `unknown`: unknown inputs that its answer depends on."""
    found = facts or NO_FACTS
    said = [_NEVER_ENDS] * bool(found.switch and found.switch.is_endless)
    said += [_surprise(observed, quirk, row) for quirk in found.quirks]
    if row.name != CURRENT and row.assignment and (unknown := [*unknown, *found.unknown]):
        said.append(f"one valid outcome of several; unknown: {', '.join(unknown)}")
    return said + _leader(observed, row.name) + _protocol(row.name)


def _leader(observed: ObservedGroup, name: str) -> list[str]:
    led = other_leader(observed)
    return [led_by(led).removesuffix(".")] if led and name in ASSIGNORS and ASSIGNORS[name].group_type == "classic" else []


def _surprise(observed: ObservedGroup, quirk: Quirk, row: Row) -> str:
    group = observed.snapshot
    members = [group.member_id[member] for member in np.unique(quirk.member)]
    topics = [group.topic_name[topic] for topic in np.unique(quirk.topic)]
    return sentence(row.name, quirk.name, members, topics, row.error).removesuffix(".")


def _protocol(name: str) -> list[str]:
    if name not in ASSIGNORS:
        return []
    assignor = ASSIGNORS[name]
    label = f" ({assignor.label})" if assignor.label else ""
    if not assignor.is_in_kafka:
        return [f"not in Kafka: a jar of your own{label}"]
    return [f"the broker assigns{label}: needs group.protocol=consumer"] if assignor.group_type == "consumer" else []
