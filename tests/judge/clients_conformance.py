"""The Python clients' own classes and ours, on random groups and chains: `python -m
tests.judge.clients_conformance --groups 10000 --chained 4000`.

aiokafka is not among the packages of the tests: name an interpreter that has it with `--aiokafka
PYTHON`.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import NamedTuple

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.data.group.columns import assignment_by_name, observed_from_document
from evenkeel.data.group.document import decode
from tests.generated.client_groups import client_group, next_client_group
from tests.judge import python_clients
from tests.recorded.scenarios import as_sets

_LONGEST_CHAIN = 5

Answers = Callable[[str, list[dict]], Iterable[dict]]
"""The name of an assignor and requests to the answers of the client's own class."""


class Compared(NamedTuple):
    """`counts`: equal answers, errors among them, answers said to be one of several. `differing`:
    the smallest group that differs.
    """

    counts: Counter[str]
    differing: dict | None


def kafka_python(name: str, groups: list[dict]) -> Iterator[dict]:
    """Ask in this process."""
    return (
        python_clients.client_answer("kafka-python", {"assignor": name, "group": group})
        for group in groups
    )


def aiokafka_of(python: str) -> Answers:
    """Return how to ask another interpreter."""

    def answers(name: str, groups: list[dict]) -> list[dict]:
        lines = "\n".join(json.dumps({"assignor": name, "group": group}) for group in groups)
        done = subprocess.run(
            [python, python_clients.__file__, "aiokafka"],
            input=lines,
            capture_output=True,
            text=True,
            check=True,
        )
        return [json.loads(line) for line in done.stdout.splitlines()]

    return answers


def compare(
    client: str, name: str, answers: Answers, random_groups: int, chained: int, seed: int = 1
) -> Compared:
    """Compare on groups that have nothing to do with each other and on chains that our answers
    make.
    """
    random = Random(f"{client} {name} {seed}")
    groups = [client_group(random) for _ in range(random_groups)]
    chains = _chains(random, client, name)
    groups += [next(chains) for _ in range(chained)]
    counts: Counter[str] = Counter()
    differing = []
    for group, theirs in zip(groups, answers(name, groups), strict=True):
        ours, is_open = _ours(client, name, group)
        same = ours == (theirs.get("error") or as_sets(theirs["assignment"]))
        counts[
            "one of several"
            if is_open
            else ("an error in both" if isinstance(ours, str) else "equal")
            if same
            else "different"
        ] += 1
        if not same and not is_open:
            differing.append({"group": group, "ours": str(ours), "theirs": theirs})
    return Compared(counts, min(differing, key=lambda one: len(str(one)), default=None))


def _chains(random: Random, client: str, name: str) -> Iterator[dict]:
    while True:
        group = client_group(random)
        for _ in range(random.randint(1, _LONGEST_CHAIN)):
            given, _ = _ours(client, name, group)
            if isinstance(given, str):
                break
            assignment = {
                member: {topic: sorted(numbers) for topic, numbers in topics.items()}
                for member, topics in given.items()
            }
            group = next_client_group(random, group, assignment)
            if not group["members"]:
                break
            yield group


def _ours(client: str, name: str, group: dict) -> tuple[dict | str, bool]:
    observed = observed_from_document(decode(json.dumps(group)))
    try:
        answer = CLIENTS[client].assignors[name]().assign(observed.snapshot)
    except AssignorError as error:
        return error.java_class, False
    return as_sets(assignment_by_name(observed, answer)), bool(answer.assumed)


def main() -> int:
    """Print one line an assignor; exit code 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=10_000)
    parser.add_argument("--chained", type=int, default=4_000)
    parser.add_argument(
        "--aiokafka",
        metavar="PYTHON",
        help="an interpreter that has aiokafka; without it aiokafka is not asked",
    )
    options = parser.parse_args()
    clients = {"kafka-python": kafka_python} | (
        {"aiokafka": aiokafka_of(options.aiokafka)} if options.aiokafka else {}
    )
    differ = False
    for client, answers in clients.items():
        for name in CLIENTS[client].assignors:
            found = compare(client, name, answers, options.groups, options.chained)
            print(
                f"{client} {name}:"
                f" {', '.join(f'{number:,} {what}' for what, number in found.counts.items())}",
                flush=True,
            )
            if found.differing:
                print(f"  {json.dumps(found.differing)}", flush=True)
                differ = True
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
