"""One row of the side-by-side table: our assignor and its peers on one case, every answer checked
before it is timed.
"""

import csv
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.data.compare.assign_command import answer
from tests.benchmarks.assignors import kafka_python
from tests.benchmarks.assignors.cases import document
from tests.benchmarks.assignors.kafka_python import Failed, KafkaPython
from tests.benchmarks.assignors.timing import Calls, Ratio, Times, side_by_side
from tests.judge.differences import meaning
from tests.judge.judge import Judge

TIME_LIMIT_SECONDS = 400
ALSO_BESIDE = {"sticky": "uniform", "range": "broker-range"}
"""The broker's assignor that a client's one is compared with as well."""
_QUOTED = Path(__file__).with_name("quoted.csv")


@dataclass(frozen=True)
class Row:
    """What was measured; `ratios` by peer, with a text in place of a ratio for what did not finish;
    `new_ms`: the same call on a snapshot that was never asked before.
    """

    assignor: str
    case: str
    ours_ms: float
    new_ms: float
    pairs: int
    check: str
    ratios: dict[str, Ratio | str] = field(default_factory=dict)
    quoted: dict[str, float | str] = field(default_factory=dict)


def ours(assignor: str, group: GroupSnapshot) -> Calls:
    """Return our own calls, on a snapshot whose derived columns are there."""
    ready = ASSIGNORS[assignor]()

    def times(runs: int) -> Times:
        taken = Times([], [])
        for _ in range(runs):
            start, used = time.perf_counter(), time.process_time()
            ready.assign(group)
            taken.wall.append((time.perf_counter() - start) * 1e3)
            taken.processor.append((time.process_time() - used) * 1e3)
        return taken

    return times


def row(
    judge: Judge, assignor: str, name: str, group: GroupSnapshot, left_out: Collection[str]
) -> Row:
    """Measure one case beside all peers but those left out; where that is Kafka's own class, our
    answer is checked for what every answer must have.
    """
    asked = document(group)
    answered = msgspec.to_builtins(
        answer(msgspec.json.encode({"assignor": assignor, "group": asked, "settings": {}}))
    )
    kafkas = [
        each
        for each in (assignor, ALSO_BESIDE.get(assignor))
        if each and _peer(assignor, each) not in left_out
    ]
    given = {each: _given(judge, each, asked) for each in kafkas}
    if assignor in given and not _never_came(given[assignor]):
        same = "same answer" if meaning(given[assignor]) == meaning(answered) else "ANOTHER ANSWER"
    else:
        _check(_handed_out(answered), asked, is_even=False)
        same = "valid"
    peers = {
        _peer(assignor, each): _java(judge, each) for each in kafkas if not given[each]["error"]
    }
    stopped = {
        _peer(assignor, each): given[each]["error"]["type"]
        for each in kafkas
        if given[each]["error"]
    }
    new_ms = min(ours(assignor, replace(group))(1).wall[0] for _ in range(3))
    with _python(assignor, name, asked, "kafka-python" not in left_out) as python:
        try:
            ours_ms, pairs, ratios = side_by_side(
                ours(assignor, group),
                peers | {peer: each for peer, each in python.items() if not isinstance(each, str)},
            )
        except (Failed, AssignorError) as error:
            ours_ms, pairs, ratios = side_by_side(ours(assignor, group), {})
            stopped |= dict.fromkeys(peers | python, f"DNF: {error}")
    stopped |= {peer: each for peer, each in python.items() if isinstance(each, str)}
    quoted = {
        peer: each / ours_ms if isinstance(each, float) else each
        for peer, each in _quoted(assignor, name).items()
    }
    return Row(assignor, name, ours_ms, new_ms, pairs, same, ratios | stopped, quoted)


def _given(judge: Judge, assignor: str, asked: dict) -> dict:
    """Return what Kafka's class answers; one that did not finish is an error of that name."""
    try:
        return judge.answer(assignor, asked)
    except AssignorError as error:
        return {"error": {"type": f"DNF: {error}"}}


def _never_came(given: dict) -> bool:
    return bool(given["error"]) and given["error"]["type"].startswith("DNF")


def _handed_out(answered: dict) -> dict[str, dict[str, list[int]]]:
    """Return what members get in this round and in the next."""
    later = answered["withheld"]
    return {
        member: {
            topic: topics.get(topic, []) + later.get(member, {}).get(topic, [])
            for topic in {*topics, *later.get(member, {})}
        }
        for member, topics in answered["assignment"].items()
    }


def _peer(assignor: str, kafkas: str) -> str:
    return "Kafka" if kafkas == assignor else f"Kafka {kafkas.removeprefix('broker-')}, broker"


def _java(judge: Judge, assignor: str) -> Calls:
    return lambda runs: Times(*judge.measured(assignor, runs, TIME_LIMIT_SECONDS).values())


@contextmanager
def _python(
    assignor: str, name: str, asked: dict, is_wanted: bool
) -> Iterator[dict[str, Calls | str]]:
    """Yield kafka-python's calls, or what it failed with."""
    if not is_wanted or assignor not in kafka_python.ASSIGNORS:
        yield {}
        return
    with KafkaPython(assignor, *name.split("-")) as peer:
        try:
            _check(
                peer.assignment(TIME_LIMIT_SECONDS),
                asked,
                is_even=assignor == "sticky" and "-eq-" in name,
            )
        except Failed as error:
            yield {"kafka-python": str(error)}
        else:
            yield {"kafka-python": lambda runs: peer.times(runs, TIME_LIMIT_SECONDS)}


def _check(assignment: dict[str, dict[str, list[int]]], asked: dict, is_even: bool):
    """Refuse an answer in which a subscriber lacks, a partition is missing or twice, or counts are
    not even: its time would say nothing.
    """
    subscribed = {member["member_id"]: set(member["subscribed"]) for member in asked["members"]}
    given = sorted(
        (topic, partition)
        for topics in assignment.values()
        for topic, partitions in topics.items()
        for partition in partitions
    )
    sizes = {
        topic["name"]: topic["partitions"]
        if isinstance(topic["partitions"], int)
        else len(topic["partitions"])
        for topic in asked["topics"]
    }
    assert given == sorted(
        (topic, partition) for topic, size in sizes.items() for partition in range(size)
    )
    assert all(
        topic in subscribed[member]
        for member, topics in assignment.items()
        for topic, partitions in topics.items()
        if partitions
    )
    counts = [sum(map(len, assignment[member].values())) for member in subscribed]
    assert not is_even or max(counts) - min(counts) <= 1


def _quoted(assignor: str, name: str) -> dict[str, float | str]:
    """Return the milliseconds that were measured elsewhere, or why there are none."""
    with _QUOTED.open() as file:
        found = [
            line
            for line in csv.DictReader(file)
            if (line.pop("assignor"), line.pop("case")) == (assignor, name)
        ]
    return {
        peer: float(value) if value[0].isdigit() else value
        for line in found
        for peer, value in line.items()
        if value
    }
