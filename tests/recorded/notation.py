"""Scenarios spelled in one line: group documents and answers.

Topics: `T1:3 other:2`, name and partition count. Members: `id/instance^rack{topics; owned
@generation}`, instance, rack and what follows `;` may be missing. Answers: `c1[T1-0,2 T2-0..3]
c2[-]`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

_MEMBER = re.compile(
    r"(?P<id>[^\s/^{]+)(/(?P<instance>[^\s^{]+))?(\^(?P<rack>[^\s{]+))?\{(?P<topics>[^;}]*)(;(?P<owned>[^@}]*)(@(?P<generation>[\d-]+))?)?\}"
)
_GIVEN = re.compile(r"(?P<id>[^\s\[]+)\[(?P<partitions>[^\]]*)\]")
_SHORT = {"T": "topic", "c": "consumer", "cA": "consumer-a", "cB": "consumer-b"}


def table(file: str) -> Iterator[list[str]]:
    """Yield the cells of each row of a table in this folder."""
    for line in Path(__file__).with_name(file).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield [cell.strip() for cell in line.split(" | ")]


def in_full(text: str) -> str:
    """Write Kafka's names out: T1 is topic1, c1 consumer1, cA consumer-a."""
    return re.sub(
        r"\b(T|c|cA|cB)(\d*)\b(?=[:{/^\[<-]|[ ;}]|$)",
        lambda short: _SHORT[short[1]] + short[2],
        text,
    )


def document(topics: str, members: str) -> dict:
    """Build a group document."""
    sizes = {
        name: int(size)
        for name, _, size in (topic.rpartition(":") for topic in topics.split() if topic != "-")
    }
    return {
        "format": "evenkeel.group/1",
        "topics": [{"name": name, "partitions": size} for name, size in sizes.items()],
        "members": [_member(found, next(iter(sizes), "")) for found in _MEMBER.finditer(members)],
    }


def answer(text: str) -> dict[str, dict[str, list[int]]]:
    """Read who gets what."""
    return {found["id"]: held(found["partitions"]) for found in _GIVEN.finditer(text)}


def held(text: str, only_topic: str = "") -> dict[str, list[int]]:
    """Read `T1-0,2 T2-0..3`; `-` is nothing, and where there is one topic its name may be
    missing.
    """
    topics: dict[str, list[int]] = {}
    for block in text.split():
        name, _, numbers = block.rpartition("-")
        if numbers:
            topics.setdefault(name or only_topic, []).extend(
                number for run in numbers.split(",") for number in _run(run)
            )
    return {topic: sorted(numbers) for topic, numbers in topics.items()}


def _run(text: str) -> range:
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)


def _member(found: re.Match, only_topic: str) -> dict:
    member = {
        "member_id": found["id"],
        "subscribed": found["topics"].split(),
        "owned": held(found["owned"] or "", only_topic),
    }
    member |= {"instance_id": found["instance"], "rack": found["rack"]}
    return member | {
        "generation": None if found["generation"] in (None, "-") else int(found["generation"])
    }
