"""Compare every task assignor with Kafka's own class: `python -m tests.judge.streams_conformance
--applications 20000 --chained 6000`.

Applications are unrelated; chained ones are links of chains in which Kafka's answer is what
consumers own next, some of it restored, while processes die and come and settings change. Both are
asked of the bare class, and, where members run the assignor, of the whole leader.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from time import perf_counter

import msgspec

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.data.compare.assign_command import answer
from tests.generated.applications import (
    leader_request,
    next_application,
    streams_request,
    streams_settings,
)
from tests.judge.judge import Judge

_AT_ONCE = 500
_CHAIN = 6


def ours(request: dict) -> dict:
    """Answer in this process, as the command does; whom the judge asks is not part of the input."""
    return msgspec.to_builtins(
        answer(
            msgspec.json.encode({key: value for key, value in request.items() if key != "whole"})
        )
    )


def meaning(given: dict, *, has_one_of_many: bool = False) -> object:
    """Return what two answers must have in common; Kafka does not say which standbys are warmups.

    `has_one_of_many`: Kafka's class draws its standbys by lot, so only active tasks and the number
    of copies are compared.
    """
    if given["error"]:
        return given["error"]["type"]
    assignment = {
        process: {role: got[role] for role in ("active", "standby")}
        for process, got in given["assignment"].items()
    }
    if has_one_of_many:
        copies = Counter(task for got in assignment.values() for task in got["standby"])
        return {process: got["active"] for process, got in assignment.items()}, copies
    threads = {
        member: {role: sorted(tasks) for role, tasks in got.items()}
        for member, got in given["threads"].items()
    }
    return assignment, threads, given["withheld"], given["probing_rebalance"]


def differences(requests: Sequence[dict], judge: Judge) -> Iterator[tuple[dict, dict, dict]]:
    """Yield request, Kafka's answer and ours where they differ."""
    for request, kafka in zip(requests, judge.answers(requests), strict=True):
        found = ours(request)
        is_lot = "identity hashes" in found["assumed"]
        if meaning(found, has_one_of_many=is_lot) != meaning(kafka, has_one_of_many=is_lot):
            yield request, kafka, found


def random_requests(random: Random, assignor: str, *, whole: bool = False) -> Iterator[dict]:
    """Yield requests about unrelated applications, without end; `whole`: to the whole leader."""
    while True:
        yield (
            leader_request(random, assignor) | {"whole": True}
            if whole
            else streams_request(random, assignor)
        )


def chained_requests(
    random: Random, assignor: str, judge: Judge, *, whole: bool = False
) -> Iterator[dict]:
    """Yield requests about applications that Kafka's answers make out of each other,
    without end.
    """
    first = random_requests(random, assignor, whole=whole)
    while True:
        chains = list(islice(first, 50))
        for _ in range(_CHAIN):
            yield from chains
            answered = list(zip(chains, judge.answers(chains), strict=True))
            chains = [
                _next(random, request, kafka) for request, kafka in answered if not kafka["error"]
            ]


def _next(random: Random, request: dict, kafka: dict) -> dict:
    """Return the request about the application after Kafka's answer; once in a while its settings
    are changed.
    """
    settings = (
        streams_settings(random, request["assignor"])
        if random.random() < 0.2
        else request["settings"]
    )
    return request | {
        "group": next_application(random, request["group"], kafka),
        "settings": settings,
    }


def asked_whole(assignor: str) -> tuple[bool, ...]:
    """Return whom to ask: the bare class, and the whole leader where members run the assignor."""
    return (False,) if TASK_ASSIGNORS[assignor].group_type == "streams" else (False, True)


def main() -> int:
    """Print one line an assignor; exit code 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--applications", type=int, default=20_000)
    parser.add_argument("--chained", type=int, default=6_000)
    parser.add_argument("--assignor", choices=list(TASK_ASSIGNORS), action="append")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with Judge() as judge:
        asked = [
            (assignor, whole)
            for assignor in options.assignor or TASK_ASSIGNORS
            for whole in asked_whole(assignor)
        ]
        return int(
            any([_compare(assignor, options, judge, whole=whole) for assignor, whole in asked])
        )


def _compare(assignor: str, options: argparse.Namespace, judge: Judge, *, whole: bool) -> int:
    start, random, differing = perf_counter(), Random(f"{assignor} {options.seed}"), []
    for number, source in (
        (options.applications, random_requests(random, assignor, whole=whole)),
        (options.chained, chained_requests(random, assignor, judge, whole=whole)),
    ):
        for asked in range(0, number, _AT_ONCE):
            differing += differences(list(islice(source, min(_AT_ONCE, number - asked))), judge)
    asked = f"{options.applications:,} applications and {options.chained:,} chained rebalances"
    of = "whole leader" if whole else "bare class"
    print(
        f"{assignor}, {of}: {asked}, {len(differing)} differences, {perf_counter() - start:.0f} s",
        flush=True,
    )
    if differing:
        smallest = min(differing, key=lambda each: len(str(each[0])))
        for name, value in zip(("request", "Kafka", "ours"), smallest, strict=True):
            print(f"  {name}: {msgspec.json.encode(value).decode()}", flush=True)
    return len(differing)


if __name__ == "__main__":
    sys.exit(main())
