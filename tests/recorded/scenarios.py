"""Every scenario: what an assignor is asked and what Kafka's class answers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.recorded import notation

_TOPIC_IDS = {
    "T1": "T1-A4s3VTwiI5CTbEp6POw",
    "T2": "T2-B4s3VTwiI5YHbPp6YUQ",
    "T3": "T3-CU8fVTLCz5YMkLoDQsQ",
    "T4": "T4-Tw9fVTLCz5HbPp6YQsQ",
}


@dataclass(frozen=True)
class Scenario:
    """`answer` and `withheld` as `evenkeel assign` writes them; `error` is the exception's simple
    class name; `withheld` None where the source does not say.
    """

    name: str
    assignor: str
    group: dict
    answer: dict = field(default_factory=dict)
    withheld: dict | None = None
    error: str | None = None

    def __str__(self):
        return f"{self.assignor}: {self.name}"

    def agrees_with(self, answer: dict) -> bool:
        """Compare with an answer, member by member; a member without partitions may be missing."""
        if self.error or answer["error"]:
            return (answer["error"] or {}).get("type") == self.error
        withheld = self.withheld if self.withheld is not None else as_sets(answer["withheld"])
        return as_sets(answer["assignment"]) == as_sets(self.answer) and as_sets(
            answer["withheld"]
        ) == as_sets(withheld)


def as_sets(held: dict[str, dict[str, list[int]]]) -> dict[str, dict[str, set[int]]]:
    """Drop what carries no meaning: order, and names that hold nothing."""
    sets = {
        member: {topic: set(numbers) for topic, numbers in topics.items() if numbers}
        for member, topics in held.items()
    }
    return {member: topics for member, topics in sets.items() if topics}


def scenarios() -> Iterator[Scenario]:
    """Yield them all."""
    yield from _eager()
    yield from _sticky()
    yield from _odd_inputs()
    yield from _racks()
    yield from _broker()
    yield from _lag()


def _eager() -> Iterator[Scenario]:
    for name, topics, members, for_range, for_roundrobin in notation.table("eager.txt"):
        group = notation.document(notation.in_full(topics), notation.in_full(members))
        answers = {
            "range": for_range,
            "roundrobin": for_range if for_roundrobin == "same" else for_roundrobin,
        }
        yield from (
            Scenario(name, assignor, group, notation.answer(notation.in_full(answer)), {})
            for assignor, answer in answers.items()
            if answer != "-"
        )


def _sticky() -> Iterator[Scenario]:
    for name, topics, members, eager, withheld, cooperative in notation.table("sticky.txt"):
        group = notation.document(notation.in_full(topics), notation.in_full(members))
        eager, withheld, cooperative = (
            notation.answer(notation.in_full(cell))
            for cell in (eager, withheld, eager if cooperative == "same" else cooperative)
        )
        yield Scenario(name, "sticky", group, eager, {})
        yield Scenario(name, "cooperative-sticky", group, cooperative, withheld)


def _odd_inputs() -> Iterator[Scenario]:
    for name, assignors, topics, members, answer, withheld in notation.table("odd_inputs.txt"):
        group = notation.document(topics, members)
        error = answer if answer.endswith("Exception") else None
        yield from (
            Scenario(
                name, assignor, group, notation.answer(answer), notation.answer(withheld), error
            )
            for assignor in assignors.split()
        )


def _racks() -> Iterator[Scenario]:
    for name, assignors, topics, setups, subscriptions, answers in notation.table("racks.txt"):
        given = {
            f"consumer{number}": notation.held(held)
            for number, held in enumerate(answers.split(" / "))
        }
        for setup in setups.split():
            replicas, brokers, racks = re.split("[:/]", setup)
            members = (
                f"consumer{number}{f'^{rack}' if rack != '-' else ''}{{{said}}}"
                for number, (said, rack) in enumerate(
                    zip(subscriptions.split(" / "), racks, strict=True)
                )
            )
            group = notation.document(topics, " ".join(members))
            _place(
                group["topics"], int(replicas), [None if rack == "-" else rack for rack in brokers]
            )
            yield from (
                Scenario(f"{name}, {setup}", assignor, group, given)
                for assignor in assignors.split()
            )


def _place(topics: list[dict], replicas: int, racks: list[str | None]):
    """Replica k of partition i is on broker i + k + s, where s is the number of partitions of the
    topics before.
    """
    start = 0
    for topic in topics:
        size = topic["partitions"]
        topic["partitions"] = [
            {"racks": [racks[(i + k + start) % len(racks)] for k in range(replicas)]}
            for i in range(size)
        ]
        start += size


def _broker() -> Iterator[Scenario]:
    for name, assignor, topics, members, answer in notation.table("broker.txt"):
        group = notation.document(topics, members)
        for topic in group["topics"]:
            topic["topic_id"] = _TOPIC_IDS[topic["name"]]
        yield Scenario(name, assignor, group, notation.answer(answer), {})


def _lag() -> Iterator[Scenario]:
    for name, lags, members, answer in notation.table("lag.txt"):
        group = notation.document("", members)
        group["topics"] = [
            {"name": topic, "partitions": [{"lag": int(lag)} for lag in each.split(",")]}
            for topic, _, each in (block.rpartition(":") for block in lags.split())
        ]
        yield Scenario(name, "lag", group, notation.answer(answer), {})
