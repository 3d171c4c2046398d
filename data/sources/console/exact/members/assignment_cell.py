"""ASSIGNMENT of a members listing: which partitions a member owns."""

import re

from evenkeel.data.sources.parsing.numbers import Unreadable, partition_number
from evenkeel.data.sources.parsing.pasted import MISSING

_UNTIL_3_7 = re.compile(r"(.*?)\(([0-9]+(?:,[0-9]+)*)\)(?:, |$)")
_NAMES_LOST = re.compile(r"\([0-9]+(?:,[0-9]+)*\)(?:, \([0-9]+(?:,[0-9]+)*\))*")
_SINCE_4_0 = re.compile(r"(.+):([0-9]+(?:,[0-9]+)*)")


def owned_of(text: str, count: int) -> list[dict] | None:
    """Return an assignment as printed until 3.9, as OWNED of `data/tables/schemas.py`; None where 3.8 and 3.9 lost the topics.

    Raises
    ------
    Unreadable
        When it is no assignment, or has not `count` partitions.
    """
    if text in MISSING:
        return _counted([], count, text)
    if _NAMES_LOST.fullmatch(text):
        _counted([{"partitions": re.findall("[0-9]+", text)}], count, text)
        return None
    return _counted(_matched(_UNTIL_3_7, text, "orders(0,1), refunds(2)"), count, text)


def target_of(text: str) -> list[dict]:
    """Return an assignment as 4.x prints it, as OWNED."""
    if text in MISSING:
        return []
    return [owned for part in text.split(";") for owned in _matched(_SINCE_4_0, part, "orders:0,1;refunds:2")]


def current_of(text: str, count: int) -> list[dict]:
    """Return the current assignment as 4.x prints it; `count` as in `owned_of`."""
    return _counted(target_of(text), count, text)


def _matched(pattern: re.Pattern, text: str, example: str) -> list[dict]:
    owned, at = [], 0
    while at < len(text):
        found = pattern.match(text, at)
        if not found or not found[1] or found.end() == at:
            raise Unreadable(f"assignment is {text[:80]!r}, expected a list such as {example}")
        owned.append(
            {"topic": found[1], "partitions": [partition_number(number, "a partition of the assignment") for number in found[2].split(",")]}
        )
        at = found.end()
    return owned


def _counted(owned: list[dict], count: int, text: str) -> list[dict]:
    found = sum(len(one["partitions"]) for one in owned)
    if found != count:
        raise Unreadable(f"#PARTITIONS is {count}, expected {found} as in the assignment {text[:80]!r}")
    return owned
