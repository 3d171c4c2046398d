"""Experiment: changes of one real application, each predicted and then watched until it is
balanced.
"""

import sys
from collections.abc import Callable, Mapping
from itertools import permutations
from typing import Any, NamedTuple

from evenkeel.data.group.document import Application
from evenkeel.data.group.document.application import Process
from evenkeel.data.live.application_replay import replay_application
from tests.brokers.applications import Applications
from tests.brokers.streams_predictions.compared import Compared, by_process, compared
from tests.brokers.streams_predictions.predicted import (
    Edited,
    comes,
    dies,
    process_named,
    roles_by_round,
    rounds_of,
    threads_end,
)
from tests.brokers.streams_predictions.real import AtRest, RealApplication

_PROBING_SECONDS = 60


class Row(NamedTuple):
    """One change. `predicted`, `found`: rounds, where rebalances that follow at once belong to the
    round of the one that causes them.

    `processes`, `threads`: roles of all rounds, by process and by thread. `replays`: how many
    agree, and how many there were.
    """

    change: str
    predicted: int
    found: int
    processes: Compared
    threads: Compared
    predicted_seconds: float
    found_seconds: float
    replays: tuple[int, int]


class Experiment:
    """`settings`: the leader's. `replays`: of the start, as in `Row`. `rows`: of the changes so
    far.
    """

    def __init__(self, real: RealApplication, assignor: str, settings: Mapping[str, Any]):
        self._real, self._assignor, self._settings = real, assignor, settings
        self._last = real.restored()
        self._ended: dict[str, tuple[Application, Process]] = {}
        self.replays, self.rows = self._replays([self._last]), []

    def end(self, name: str, how: Callable[[Applications, str], None] = Applications.stop) -> None:
        """An instance dies."""
        before = self._last.live.document
        process = process_named(before, name)
        self._ended[name] = before, process
        self._real.end(name, how)
        threads = range(len(process.consumers))
        orders = permutations(threads) if before.type == "streams" and len(threads) > 1 else ()
        self._watch(
            f"{name} dies",
            lambda _: [
                dies(before, name),
                *(
                    threads_end(before, name, self._assignor, self._settings, order)
                    for order in orders
                ),
            ],
        )

    def start(self, name: str) -> None:
        """An instance with an empty disk comes."""
        before = self._last.live.document
        self._real.start(name)
        self._watch(
            f"{name} comes with an empty disk",
            lambda after: [comes(before, process_named(after, name))],
        )

    def back(self, name: str) -> None:
        """An instance that died comes back with its disk."""
        before = self._last.live.document
        self._real.start(name)
        self._watch(
            f"{name} comes back with its disk",
            lambda after: [comes(before, process_named(after, name), self._ended[name])],
        )

    def _watch(self, change: str, edits: Callable[[Application], list[Edited]]) -> None:
        """Compare with the prediction; where a change can come about in several ways, with the one
        that is nearest.
        """
        found = self._until_balanced()
        real, document = [rest.roles for rest in found], found[0].live.document
        predictions = [
            (edited, rounds_of(edited, self._assignor, self._settings))
            for edited in edits(document)
        ]
        ways = [(roles_by_round(edited, rounds), rounds) for edited, rounds in predictions]
        told, rounds = max(ways, key=lambda way: -len(compared(way[0], real).lines))
        row = Row(
            change=change,
            predicted=len(rounds.rounds),
            found=len(found),
            processes=compared(by_process(told, document), by_process(real, document)),
            threads=compared(told, real),
            predicted_seconds=rounds.rounds[-1].seconds,
            found_seconds=sum(rest.seconds for rest in found[1:]),
            replays=self._replays(found),
        )
        print(row, file=sys.stderr, flush=True)
        self.rows.append(row)
        self._last = self._real.restored()

    def _until_balanced(self) -> list[AtRest]:
        found = [self._real.at_rest()]
        while (deadline := found[-1].live.next_probing_ms) is not None:
            found.append(
                self._real.at_rest(
                    lambda live, deadline=deadline: live.next_probing_ms != deadline,
                    _PROBING_SECONDS + 60,
                )
            )
        return found

    def _replays(self, found: list[AtRest]) -> tuple[int, int]:
        replays = [
            replay_application(rest.live, self._assignor) for rest in found if rest.live.joined
        ]
        return sum(one.agrees for one in replays), len(replays)
