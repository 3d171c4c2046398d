"""Experiment: changes of one real application, each predicted and then watched until it is balanced."""

import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations, zip_longest
from typing import Any, NamedTuple

from data.document import Application
from data.document.application import Process
from data.live.application_replay import Roles, replay_application
from tests.brokers.applications import Applications
from tests.brokers.streams_predictions.predicted import Edited, comes, dies, process_named, roles_by_round, rounds_of, threads_end
from tests.brokers.streams_predictions.real import AtRest, RealApplication

_PROBING_SECONDS = 60


class Row(NamedTuple):
    """One change. `predicted`, `found`: rebalances, those at once counted as one with the one that causes them.

    `same`, `roles`: how many roles of tasks (active or standby on a thread) are the same in each round of both, and how many there are.
    """

    change: str
    predicted: int
    found: int
    same: int
    roles: int
    predicted_seconds: float | None
    found_seconds: float
    replays: tuple[int, int]


class Compared(NamedTuple):
    """As in `Row`; `lines`: what is not the same."""

    same: int
    roles: int
    lines: list[str]

    @classmethod
    def of(cls, predicted: Sequence[Mapping[str, Roles]], found: Sequence[Mapping[str, Roles]]) -> "Compared":
        """Compare round by round; a round that only one of both has differs in all roles."""
        same, roles, lines = 0, 0, []
        for number, pair in enumerate(zip_longest(predicted, found, fillvalue={}), 1):
            ours, theirs = map(triples, pair)
            same, roles = same + len(ours & theirs), roles + len(ours | theirs)
            lines += [f"round {number}: {'predicted' if line in ours else 'found'} {' '.join(line)}" for line in sorted(ours ^ theirs)]
        return cls(same, roles, lines)


class Experiment:
    """`document`: at the last rest. `settings`: the leader's. `rows`: of the changes so far."""

    def __init__(self, real: RealApplication, assignor: str, settings: Mapping[str, Any]):
        self._real, self._assignor, self._settings = real, assignor, settings
        self._last = real.restored()
        self._ended: dict[str, tuple[Application, Process]] = {}
        self.rows = [Row("three instances start", 0, 0, 0, 0, None, self._last.seconds, self._replays([self._last]))]

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
            lambda _: [dies(before, name), *(threads_end(before, name, self._assignor, self._settings, order) for order in orders)],
        )

    def start(self, name: str) -> None:
        """An instance with an empty disk comes."""
        before = self._last.live.document
        self._real.start(name)
        self._watch(f"{name} comes with an empty disk", lambda after: [comes(before, process_named(after, name))])

    def back(self, name: str) -> None:
        """An instance that died comes back with its disk."""
        before = self._last.live.document
        self._real.start(name)
        self._watch(f"{name} comes back with its disk", lambda after: [comes(before, process_named(after, name), self._ended[name])])

    def _watch(self, change: str, edits: Callable[[Application], list[Edited]]) -> None:
        """Compare with the prediction; where a change can come about in several ways, with the one that is nearest."""
        found = self._until_balanced()
        told = [rest.roles for rest in found]
        predictions = [(edited, rounds_of(edited, self._assignor, self._settings)) for edited in edits(found[0].live.document)]
        compared = [(Compared.of(roles_by_round(edited, rounds), told), rounds) for edited, rounds in predictions]
        nearest, rounds = max(compared, key=lambda each: each[0].same - each[0].roles)
        for line in nearest.lines:
            print(f"{change}, {line}", flush=True)
        seconds = sum(rest.seconds for rest in found[1:])
        row = Row(
            change, len(rounds.rounds), len(found), nearest.same, nearest.roles, rounds.rounds[-1].seconds, seconds, self._replays(found)
        )
        print(row, file=sys.stderr, flush=True)
        self.rows.append(row)
        self._last = self._real.restored()

    def _until_balanced(self) -> list[AtRest]:
        found = [self._real.at_rest()]
        while found[-1].live.next_probing_ms is not None:
            deadline = found[-1].live.next_probing_ms
            found.append(self._real.at_rest(lambda live, deadline=deadline: live.next_probing_ms != deadline, _PROBING_SECONDS + 60))
        return found

    def _replays(self, found: list[AtRest]) -> tuple[int, int]:
        replays = [replay_application(rest.live, self._assignor, self._settings) for rest in found if rest.live.joined]
        return sum(one.agrees for one in replays), len(replays)


def triples(roles: Mapping[str, Roles]) -> set[tuple[str, str, str]]:
    """Return thread, role and task of every role."""
    return {(member, role, task) for member, one in roles.items() for role in Roles._fields for task in getattr(one, role)}
