"""Remarks on the rows of a comparison: rounds that never end, Kafka's surprises, one valid outcome of several."""

from collections.abc import Sequence

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.explain.facts import NO_FACTS, Facts
from evenkeel.assignors.explain.quirks import Quirk
from evenkeel.assignors.figures.comparison import CURRENT, Row
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.words.quirks import sentence, why_endless


def remarks(observed: ObservedGroup, row: Row, facts: Facts | None, unknown: Sequence[str]) -> list[str]:
    """Return the remarks on a row, a sentence each; `unknown`: unknown inputs that its answer depends on."""
    found = facts or NO_FACTS
    said = [f"never ends: {why_endless(found.switch.is_refused)}"] if found.switch and found.switch.is_endless else []
    said += [f"fails in a later round, {found.later_error.java_class}: {found.later_error}"] if found.later_error else []
    said += [_surprise(observed, quirk, row) for quirk in found.quirks]
    if row.name != CURRENT and row.assignment and (unknown := [*unknown, *found.unknown]):
        said.append(f"one valid outcome of several; unknown: {', '.join(unknown)}")
    return said + _protocol(row.name)


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
