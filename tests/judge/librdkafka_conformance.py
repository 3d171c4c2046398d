"""Compare every assignor of librdkafka with its own C code on many random groups: `python -m
tests.judge.librdkafka_conformance --groups 10000`.

Three of five groups are unrelated, the others are links of chains in which librdkafka's answer is
what members own next. A crash of the leader is an answer; so is a read of freed memory.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from random import Random
from time import perf_counter

import msgspec

from evenkeel.assignors import CLIENTS
from tests.judge.conformance import ours
from tests.judge.differences import chained_requests, differences, first, random_requests, smallest
from tests.judge.librdkafka.judge import LibrdkafkaJudge

CLIENT = "librdkafka"
_CHAIN = 6
_AT_ONCE = 500


def requests_to(requests: Iterable[dict]) -> list[dict]:
    """Return the requests, put to librdkafka."""
    return [request | {"settings": {"client": CLIENT}} for request in requests]


def main() -> int:
    """Print one line an assignor; exit code 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=10_000)
    parser.add_argument(
        "--links", type=int, help="groups of chains; without, four for ten unrelated ones"
    )
    parser.add_argument("--assignor", choices=list(CLIENTS[CLIENT].assignors), action="append")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with LibrdkafkaJudge() as judge:
        found = [
            _compare(assignor, options, judge)
            for assignor in options.assignor or CLIENTS[CLIENT].assignors
        ]
    return int(any(found))


def _compare(assignor: str, options: argparse.Namespace, judge: LibrdkafkaJudge) -> int:
    start, random, answered, differing = (
        perf_counter(),
        Random(f"{assignor} {options.seed}"),
        Counter(),
        [],
    )

    def counted(request: dict) -> dict:
        answer = ours(request)
        answered[answer["error"]["type"] if answer["error"] else "answers"] += 1
        return answer

    links = options.groups * 4 // 10 if options.links is None else options.links
    for source, left in (
        (random_requests(random, assignor), options.groups),
        (chained_requests(random, assignor, judge, _CHAIN), links),
    ):
        for at in range(0, left, _AT_ONCE):
            differing += differences(
                requests_to(first(source, min(_AT_ONCE, left - at))), judge, counted
            )
    said = ", ".join(f"{count:,} {what}" for what, count in answered.most_common())
    print(
        f"{assignor}: {options.groups:,} groups, {links:,} in chains: {said}; {len(differing)}"
        f" differences, {perf_counter() - start:.0f} s",
        flush=True,
    )
    if differing:
        _show(smallest(min(differing, key=lambda each: len(str(each.request))), judge, ours))
    return len(differing)


def _show(difference):
    for name, value in (
        ("request", difference.request),
        ("librdkafka", difference.kafka),
        ("ours", difference.ours),
    ):
        print(f"  {name}: {msgspec.json.encode(value).decode()}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
