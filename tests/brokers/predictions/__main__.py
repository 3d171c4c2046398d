"""How often the scenario engine says beforehand what a real group then does.

python -m tests.brokers.predictions --minutes 10
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import chain

import msgspec

from evenkeel.data.group.document import Document
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.documents import live_groups
from tests.brokers.broker import Brokers
from tests.brokers.connecting import connected
from tests.brokers.java_consumers import JavaConsumers
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.predictions.chance import Chance
from tests.brokers.predictions.change import QUICK_RESTART, STATIC_RESTART
from tests.brokers.predictions.differences import Differences, Turn, compared, compared_restart
from tests.brokers.predictions.group import RACKS, Cluster, Group
from tests.brokers.predictions.kinds import BROKERS, KINDS, Kind
from tests.brokers.predictions.rest import at_rest

_TURNS, _MAY_DIE, _LIMIT_SECONDS = 12, 0.15, 30
_COLUMNS = (
    "one change",
    "two changes",
    "leave and return",
    "restart at once",
    "static restart",
    "number of rebalances",
    "orders",
)
_OF_CHANGE = {STATIC_RESTART: "static restart", QUICK_RESTART: "restart at once"}


def main() -> None:
    """Make groups of every kind, change them at random, and print a row for each kind and each
    difference.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--kind", default="", help="words that the kind's name contains, such as Java-uniform"
    )
    options = parser.parse_args()
    counts, chance, deadline = (
        Counter(),
        random.Random(options.seed),
        time.monotonic() + 60 * options.minutes,
    )
    kinds, number = [one for one in KINDS if options.kind in str(one)], 0
    with Brokers(racks=list(RACKS.values()), settings=BROKERS) as brokers:
        connection = connected(brokers, "predictions")
        while time.monotonic() < deadline:
            with (
                JavaConsumers(brokers.bootstrap()) as java,
                OtherConsumers(brokers.bootstrap()) as others,
            ):
                cluster = Cluster(connection, java, others)
                made = [
                    Chance(cluster, kind, number + row, random.Random(chance.random()))
                    for row, kind in enumerate(kinds)
                ]
                _history(connection, made, counts, chance, deadline)
            number += len(kinds)
            _print_table(kinds, counts)
        connection.close()


def _history(
    connection: Connection,
    made: Sequence[Chance],
    counts: Counter,
    chance: random.Random,
    deadline: float,
) -> None:
    """Change all groups at the same time, again and again; a group that does not come to rest is
    left alone from then on.
    """
    documents = at_rest(connection, [one.group for one in made], seconds=_LIMIT_SECONDS)
    turns: dict[str, list[Turn]] = {}
    for _ in range(_TURNS):
        made = _those_at_rest(connection, made, documents, counts)
        if time.monotonic() > deadline:
            return
        may_die, had = (
            chance.random() < _MAY_DIE,
            {one.group.group_id: one.group.generation() for one in made},
        )
        changes = {
            one.group.group_id: one.change(documents[one.group.group_id], may_die) for one in made
        }
        for change in changes.values():
            change.act()
        gone = {
            one: change.edits[0]["member_ids"][0]
            for one, change in changes.items()
            if "member_ids" in change.edits[0]
        }
        after = at_rest(connection, [one.group for one in made], gone, _LIMIT_SECONDS)
        for group in [one.group for one in made if one.group.group_id in after]:
            one = group.group_id
            turns.setdefault(one, []).append(
                Turn(documents[one], changes[one], after[one], (had[one], group.generation()))
            )
            _compare(group, turns[one], counts)
        documents = after


def _those_at_rest(
    connection: Connection, made: Sequence[Chance], documents: dict[str, Document], counts: Counter
) -> list[Chance]:
    restless = {
        one.group.group_id: one.group for one in made if one.group.group_id not in documents
    }
    for one in live_groups(
        connection,
        [one for one in connection.ask(connection.raw.listed) if one.group_id in restless],
    ):
        counts[restless[one.group_id].kind, "never at rest"] += 1
        document = one.document
        said = msgspec.json.encode(
            [
                document.state,
                document.group_epoch,
                sorted(restless[one.group_id].members),
                document.members,
            ]
        )
        print(
            f"{one.group_id}: not at rest after {_LIMIT_SECONDS} s: {said.decode()}",
            file=sys.stderr,
            flush=True,
        )
    return [one for one in made if one.group.group_id in documents]


def _compare(group: Group, turns: list[Turn], counts: Counter) -> None:
    last = turns[-1].change
    _count(
        group,
        turns[-1:],
        compared(group, turns[-1:]),
        counts,
        _OF_CHANGE.get(last.name, "one change"),
    )
    if len(turns) > 1 and QUICK_RESTART not in (turns[-2].change.name, last.name):
        _count(group, turns[-2:], compared(group, turns[-2:]), counts, "two changes")
    if last.restarted:
        _count(group, turns[-2:], compared_restart(group, turns[-2:]), counts, "leave and return")


def _count(
    group: Group, turns: list[Turn], found: Differences, counts: Counter, column: str
) -> None:
    counts[group.kind, column] += 1
    counts[group.kind, column, "right"] += not found.owners
    if column == "one change" and None not in turns[0].generations:
        counts[group.kind, "number of rebalances"] += 1
        counts[group.kind, "number of rebalances", "right"] += not found.rebalances
    counts[group.kind, "orders"] += 1
    counts[group.kind, "orders", "right"] += not (found.members or found.topics)
    for line in chain.from_iterable(found):
        print(
            f"{group.group_id}, {column}, {' then '.join(turn.change.name for turn in turns)}:"
            f" {line}",
            flush=True,
        )


def _print_table(kinds: Sequence[Kind], counts: Counter) -> None:
    print(
        "| group | " + " | ".join(_COLUMNS) + " | never at rest |\n|" + "---|" * (len(_COLUMNS) + 2)
    )
    for kind in kinds:
        cells = [
            f"{counts[kind, one, 'right']} of {counts[kind, one]}" if counts[kind, one] else "–"
            for one in _COLUMNS
        ]
        print(f"| {kind} | {' | '.join(cells)} | {counts[kind, 'never at rest']} |")


if __name__ == "__main__":
    main()
