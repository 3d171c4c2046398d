"""Sentences about assumptions on a group; an assumption is a path from `assumed_paths`."""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.stored_groups import AUTO_OFFSET_RESET
from evenkeel.data.text.formats import first_of

_PATH = re.compile(r"(topics|members)\[([0-9]{1,9}|\*)\](.*)")
_MEMBERS = {
    "": "a member",
    ".subscribed": "every member subscribes to all topics that any member owns",
    ".subscribed_regex": "a subscribed regular expression matches only topics of this group",
    ".member_id": "member ids",
    ".owned": "owners of partitions are not in this input",
}

_CONDITIONS = {
    "hash collisions": (
        "member order: many ids have the same hash code, and Java's order of these ids is not"
        " reproduced"
    ),
    "order of Go maps": "the leader walks a Go map, whose order differs from run to run",
    "order of Python sets": (
        "the leader takes one of several partitions of a Python set, whose order differs from"
        " process to process"
    ),
    "leader's subscription": (
        "members subscribe to different topics, the leader assigns only topics of its own"
        " subscription, and this input does not show which member leads"
    ),
}

_MOST_TOPICS = 3


def in_words_all(observed: ObservedGroup, paths: Iterable[str]) -> list[str]:
    """Return a sentence for each kind of assumption; the sentence names all topics of this kind."""
    kinds: dict[str, list[str]] = {}
    for path in paths:
        parts = _PATH.fullmatch(path)
        if parts and parts[1] == "topics" and parts[2] != "*" and not re.search(r"\d", parts[3]):
            kinds.setdefault(parts[3], []).append(path)
        else:
            kinds.setdefault(path, [path])
    return list(dict.fromkeys(_joined(observed, assumptions) for assumptions in kinds.values()))


def in_nouns(paths: Iterable[str]) -> list[str]:
    """Return one noun for each kind of assumption."""
    return list(dict.fromkeys(_NOUNS.get(_LAST.sub(r"\1", path), path) for path in paths))


_LAST = re.compile(r".*[\].]\.?(\w+)")
_NOUNS = {
    "subscribed": "subscriptions",
    "subscribed_regex": "subscriptions",
    "member_id": "member ids",
    "owned": "owners",
    "partitions": "sizes of topics",
    "topic_id": "topic ids",
    "lag": "lags",
}


def _joined(observed: ObservedGroup, paths: Sequence[str]) -> str:
    if len(paths) == 1:
        return assumption_words(observed, paths[0])
    topics = [topic_name(observed, _PATH.fullmatch(path)[2]) for path in paths]
    return assumption_words(observed, paths[0]).replace(
        topics[0], ", ".join(first_of(topics, _MOST_TOPICS)), 1
    )


def assumption_words(observed: ObservedGroup, path: str) -> str:
    """Return one assumption as a short sentence; a path without a sentence is unchanged."""
    if path == "members" and observed.snapshot.member_count:
        return "the input shows only members that own partitions; idle members are missing"
    if path in ("members", "topics"):
        return f"{path} are not in this input"
    if path == AUTO_OFFSET_RESET:
        policy = observed.snapshot.auto_offset_reset
        begin = "begin" if policy == "earliest" else "end"
        return (
            f"auto.offset.reset is {policy}: a partition without a commit is read from the {begin}"
            " offset"
        )
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
        return (
            f"topic id of {topic}: made from the topic's name; the assignor orders topics by"
            " their ids"
        )
    if rest.endswith(".lag"):
        number = re.search(r"\[(\d+)\]", rest)
        return (
            f"lag of {topic}{'-' + number[1] if number else ', all partitions'}: unknown, so"
            " the assignor uses 0"
        )
    return None


def topic_name(observed: ObservedGroup, place: str) -> str:
    """Return the name of the topic with the index `place` in the document, or `every topic`."""
    if place == "*":
        return "every topic"
    rows = np.flatnonzero(observed.topic_order == int(place))
    return observed.snapshot.topic_name[rows[0]] if rows.size else "every topic"
