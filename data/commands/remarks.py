"""What is to be said of the rows of a comparison beside their figures: rounds that never end, Kafka's surprises, what is one valid outcome of several."""

from collections.abc import Sequence
from typing import Any

from assignors import ASSIGNORS
from assignors.comparison import CURRENT, Row
from assignors.facts import NO_FACTS, Facts, facts_of
from assignors.quirk import REMAINDER, Quirk
from assignors.switch import Kind, kind_of
from data.observed import ObservedGroup

_MOST_NAMES = 5
_NEVER_ENDS = "never ends: a member refuses what it gets and joins again, each time"
_SURPRISES = {
    REMAINDER: "what does not divide evenly goes to the members that come first",
    "Q-1": "partitions without a replica in the member's rack, while members without a rack hold some that have one there",
    "Q-2": "served last, as its rack has no replica of the topic",
    "Q-3": "more partitions than others, as members that do not subscribe to a topic lose their turn",
    "Q-4": "other partitions than from a fresh leader, as this one remembers a higher generation",
    "Q-5": "partitions of topics to which the member never subscribed",
    "Q-6": "a claim to partitions that do not exist",
    "Q-8": "partitions back from an older generation without a subscription",
    "Q-9": "partitions out of the member's rack, although a subscriber in it could take them",
    "Q-10": "partitions without a replica in the member's rack: racks do not count",
    "Q-12": "more partitions than others, as subscriptions overlap without being the same",
    "Q-24": "all of the topics, as counts and lag start at 0 in every topic",
    "Q-25": "one group.instance.id twice: hash codes decide",
    "Q-29": "partitions of topics to which nobody subscribes any more",
}
_WITHOUT_ANSWER = _SURPRISES | {
    "Q-6": "claims partitions that do not exist, on which Kafka fails",
    "Q-8": "claims partitions of an older generation without a subscription, on which Kafka fails",
}


def facts_by_row(observed: ObservedGroup, rows: Sequence[Row]) -> dict[str, Facts]:
    """Return the facts about each answer of Evenkeel's own assignors, by name."""
    group, is_order_known = observed.snapshot, "members" not in observed.assumed
    return {row.name: facts_of(group, observed.current, ASSIGNORS[row.name](), row, is_order_known) for row in rows if row.name in ASSIGNORS}


def figures_of_way(row: Row, facts: Facts | None) -> dict[str, Any]:
    """Return `rounds`, null where nobody knows the way to an answer or there are no members, and `never_ends`, null also where more rounds are needed than are counted."""
    switch = (facts or NO_FACTS).switch
    if switch is None or row.moves is None:
        return {"rounds": None, "never_ends": None}
    return {"rounds": switch.round_count, "never_ends": switch.is_endless if switch.is_settled or switch.is_endless else None}


def remarks(observed: ObservedGroup, row: Row, facts: Facts | None, unknown: Sequence[str]) -> list[str]:
    """Return what is to be said of a row, a sentence each; `unknown`: what its answer rests on and nobody knows."""
    found = facts or NO_FACTS
    said = [_NEVER_ENDS] * bool(found.switch and found.switch.is_endless)
    said += [_surprise(observed, quirk, row) for quirk in found.quirks]
    if row.name != CURRENT and row.assignment and (unknown := [*unknown, *found.unknown]):
        said.append(f"one valid outcome of several, not known: {', '.join(unknown)}")
    return said + _protocol(row.name)


def _surprise(observed: ObservedGroup, quirk: Quirk, row: Row) -> str:
    words = _WITHOUT_ANSWER if row.error else _SURPRISES
    group = observed.snapshot
    who = _first([group.member_id[member] for member in dict.fromkeys(quirk.member.tolist())])
    what = _first([group.topic_name[topic] for topic in dict.fromkeys(sorted(quirk.topic.tolist()))])
    number = "" if quirk.name == REMAINDER else f"{quirk.name}, "
    return f"{number}{words[quirk.name]}: {who} ({what})"


def _first(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more:,} more" if more > 0 else "")


def _protocol(name: str) -> list[str]:
    if name == "lag":
        return ["not in Kafka: a jar of your own (KAFKA-5337)"]
    if name in ASSIGNORS and kind_of(ASSIGNORS[name]) == Kind.RECONCILED:
        return ["the broker assigns (KIP-848): needs group.protocol=consumer"]
    return []
