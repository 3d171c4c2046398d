"""The recorded answers, as they are stored: gzip, one JSON value a line, an answer as one character
for each partition.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase, digits
from typing import NamedTuple

HERE = Path(__file__).parent
GROUPS = HERE / "groups.jsonl.gz"
_NOBODY = "."
_MEMBERS = digits + ascii_lowercase


class Recorded(NamedTuple):
    """What a client's assignor gave to a group: all different answers of several runs, each spelled
    as `spelled_owners` does.
    """

    client: str
    assignor: str
    group: dict
    answers: list[str]


def recorded(file: str) -> Iterator[Recorded]:
    """Yield what one program recorded: `go` or `javascript`."""
    groups = list(_lines(GROUPS))
    for client, assignor, answers in _lines(HERE / f"{file}.jsonl.gz"):
        yield from (
            Recorded(client, assignor, *one)
            for one in zip(groups, map(str.split, answers), strict=True)
        )


def write(path: Path, values: list) -> None:
    """Write one value a line; equal values give equal bytes."""
    text = "".join(json.dumps(value, separators=(",", ":")) + "\n" for value in values)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def spelled_owners(group: dict, assignment: dict[str, dict[str, list[int]]]) -> str:
    """Spell an answer: by topic name and partition the place of the owner among the members, 0 to 9
    and a to z, a dot for nobody.

    A leading `=` keeps the answer of a group without partitions from being empty.
    """
    place = {
        member["member_id"]: _MEMBERS[number] for number, member in enumerate(group["members"])
    }
    owner = {
        (topic, number): place[member]
        for member, topics in assignment.items()
        for topic, all_ in topics.items()
        for number in all_
    }
    topics = sorted(group["topics"], key=lambda topic: topic["name"])
    return (
        "="
        + "".join(
            owner.pop((topic["name"], number), _NOBODY)
            for topic in topics
            for number in range(len(topic["partitions"]))
        )
        + "!" * len(owner)
    )


def _lines(path: Path) -> Iterator:
    with gzip.open(path, "rt") as lines:
        yield from map(json.loads, lines)
