"""The broker's assignors beside Kafka's own classes: `python -m tests.benchmarks.broker [uniform broker-range simple] [--shapes S M D L]`.

Both sides answer one call on loaded input, warm and in turn: ours in processor time, Kafka's in its own JVM by the clock, so on a busy machine trust
the least of each. Every answer that is timed is compared with Kafka's first. Nothing here passes or fails on time.
"""

import argparse
import sys
import time
from statistics import median

import msgspec

from assignors import ASSIGNORS
from data.commands.assign import answer
from tests.benchmarks.cases import SHAPES, STEPS, SUBSCRIPTIONS, case, document
from tests.java.differences import meaning
from tests.java.judge import Judge

_RUNS = {"S": (500, 2000), "M": (100, 200), "D": (100, 200), "L": (5, 5)}
"""Calls of ours and of Kafka's in a turn."""
_TURNS = 5


def ours(assignor, group, runs: int) -> list[float]:
    """Return the milliseconds of processor time of each call."""
    spent = []
    for _ in range(runs):
        start = time.process_time()
        assignor.assign(group)
        spent.append((time.process_time() - start) * 1e3)
    return spent


def row(judge: Judge, name: str, shape: str, subscriptions: str, step: str) -> str:
    """Compare one case."""
    group = case(shape, subscriptions, step)
    asked, assignor = document(group), ASSIGNORS[name]()
    request = {"assignor": name, "group": asked, "settings": {}}
    same = meaning(msgspec.to_builtins(answer(msgspec.json.encode(request)))) == meaning(judge.answer(name, asked))
    judge.milliseconds(name, asked, _RUNS[shape][1])
    ours(assignor, group, 2)
    turns = [(ours(assignor, group, _RUNS[shape][0]), judge.milliseconds(name, asked, _RUNS[shape][1])) for _ in range(_TURNS)]
    least = [min(min(turn[side]) for turn in turns) for side in (0, 1)]
    ratios = sorted(median(kafka) / median(mine) for mine, kafka in turns)
    paired = f"{ratios[len(ratios) // 2]:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    return f"{name:<13}{shape}-{subscriptions}-{step:<7}{least[0]:>10.3f}{least[1]:>10.3f}{least[1] / least[0]:>8.2f}  {paired:<26}{'same answer' if same else 'ANOTHER ANSWER'}"


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("assignors", nargs="*", default=["uniform", "broker-range", "simple"])
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    options = parser.parse_args()
    print(f"{'':<25}{'ours ms':>10}{'Kafka ms':>10}{'ratio':>8}  medians of turns (range)")
    with Judge(memory="8g", options=()) as judge:
        for name in options.assignors:
            for shape in options.shapes:
                for subscriptions in SUBSCRIPTIONS:
                    for step in STEPS:
                        print(row(judge, name, shape, subscriptions, step), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
