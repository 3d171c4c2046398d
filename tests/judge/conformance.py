"""Compare every assignor with Kafka's own class on many random groups: `python -m
tests.judge.conformance --groups 20000 [--assignor NAME] [--kafka 3.9.0]`.

Half of the groups are unrelated, half are links of chains in which Kafka's answer is what members
own next. Both sides answer for the same release. A group to which we give no answer, or one marked
as uncertain, is not asked but counted.
"""

import argparse
import sys
from collections import Counter
from itertools import cycle
from random import Random
from time import perf_counter

import msgspec

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.weighted import WeightedAssignor
from evenkeel.data.compare.assign_command import answer
from evenkeel.data.configuration.plugin.assignor import KAFKA_VERSION
from tests.judge.differences import (
    EXCUSES,
    chained_requests,
    differences,
    excuse,
    first,
    of_release,
    random_requests,
    smallest,
)
from tests.judge.judge import Judge

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
    parser.add_argument(
        "--kafka",
        default=KAFKA_VERSION,
        help=(
            "release of Kafka: of the brokers from 3.9.0 on, of the clients from 2.4.0 on;"
            " assignors that are not known for it are not asked"
        ),
    )
    parser.add_argument(
        "--expressions",
        action="store_true",
        help="with members that subscribe by regular expression; brokers know those from 4.0.0 on",
    )
    options = parser.parse_args()
    with Judge(options.kafka) as judge:
        found = [
            _compare(assignor, options, judge)
            for assignor in options.assignor or ASSIGNORS
            if _is_known(assignor, options.kafka)
        ]
    return int(any(found))


def _is_known(assignor: str, version: str) -> bool:
    if assignor == WeightedAssignor.name:
        return False
    known = ASSIGNORS[assignor].is_known_for(version)
    if not known:
        print(
            f"{assignor}: not asked, it is known from Kafka {ASSIGNORS[assignor].known_since} on",
            flush=True,
        )
    return known


def _compare(assignor: str, options: argparse.Namespace, judge: Judge) -> int:
    start, random, given, differing = (
        perf_counter(),
        Random(f"{assignor} {options.seed}"),
        Counter(),
        [],
    )

    def counted(request: dict) -> dict:
        answer = ours(request)
        given[excuse(answer)] += 1
        return answer

    sources = cycle(
        [
            random_requests(random, assignor, options.expressions),
            chained_requests(random, assignor, judge, _CHAIN),
        ]
    )
    while left := options.groups - given[None]:
        requests = of_release(next(sources), options.kafka)
        differing += differences(
            first(requests, min(left, _AT_ONCE, -(-options.groups // 2))), judge, counted
        )
    print(
        f"{assignor} of {options.kafka}: {_in_words(given)}, {len(differing)} differences,"
        f" {perf_counter() - start:.0f} s",
        flush=True,
    )
    if differing:
        _show(smallest(min(differing, key=lambda each: len(str(each.request))), judge, ours))
    return len(differing)


def _in_words(given: Counter) -> str:
    left_out = "".join(
        f", {given[reason]:,} left out ({reason})" for reason in EXCUSES if given[reason]
    )
    return f"{given[None]:,} groups, about half of them in chains of up to {_CHAIN}{left_out}"


def _show(difference):
    for name, value in (
        ("request", difference.request),
        ("Kafka", difference.kafka),
        ("ours", difference.ours),
    ):
        print(f"  {name}: {msgspec.json.encode(value).decode()}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
