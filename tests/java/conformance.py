"""Compare every assignor with Kafka's own class on many random groups: `python -m tests.java.conformance --groups 20000 [--assignor NAME]`.

Half of the groups are unrelated, half are links of chains in which Kafka's answer is what members own next.
"""

import argparse
import sys
from random import Random
from time import perf_counter

import msgspec

from assignors import ASSIGNORS
from data.commands.assign import answer
from data.plugin.kafka_jars import KAFKA_VERSION
from tests.java.differences import chained_requests, differences, first, random_requests, smallest
from tests.java.judge import Judge

_CHAIN = 6
_AT_ONCE = 2000


def ours(request: dict) -> dict:
    """Answer in this process, as the command does."""
    return msgspec.to_builtins(answer(msgspec.json.encode(request)))


def main() -> int:
    """Print one line an assignor; exit code 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=20_000)
    parser.add_argument("--assignor", choices=list(ASSIGNORS), action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kafka", default=KAFKA_VERSION, help="release of Kafka, from 4.3.1 on")
    parser.add_argument("--expressions", action="store_true", help="with members that subscribe by regular expression")
    options = parser.parse_args()
    with Judge(options.kafka) as judge:
        found = [_compare(assignor, options, judge) for assignor in options.assignor or ASSIGNORS]
    return int(any(found))


def _compare(assignor: str, options: argparse.Namespace, judge: Judge) -> int:
    start, random, left, differing = perf_counter(), Random(f"{assignor} {options.seed}"), options.groups, []
    sources = [random_requests(random, assignor, options.expressions), chained_requests(random, assignor, judge, _CHAIN)]
    while left > 0:
        asked = first(sources[left // _AT_ONCE % 2], min(left, _AT_ONCE))
        differing += differences(asked, judge, ours)
        left -= len(asked)
    print(f"{assignor}: {options.groups:,} groups, about half of them in chains of up to {_CHAIN}, {len(differing)} differences, {perf_counter() - start:.0f} s", flush=True)
    if differing:
        _show(smallest(min(differing, key=lambda each: len(str(each.request))), judge, ours))
    return len(differing)


def _show(difference):
    for name, value in (("request", difference.request), ("Kafka", difference.kafka), ("ours", difference.ours)):
        print(f"  {name}: {msgspec.json.encode(value).decode()}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
