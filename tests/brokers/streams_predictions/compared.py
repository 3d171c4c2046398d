"""Compared: the roles of a prediction beside those of a real application, round by round."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from evenkeel.data.group.document import Application
from evenkeel.data.live.application_replay import Roles

Rounds = Sequence[Mapping[str, Roles]]
"""What each thread or process has after each round."""


class Compared(NamedTuple):
    """`same` of `roles`, active or standby; `lines`: what is not the same."""

    same: int
    roles: int
    lines: list[str]

    def __str__(self) -> str:
        return f"{self.same} of {self.roles}"


def compared(predicted: Rounds, found: Rounds) -> Compared:
    """Compare; a round that only one of both has differs in all roles."""
    same, roles, lines = 0, 0, []
    for number, pair in enumerate(zip_longest(predicted, found, fillvalue={}), 1):
        ours, theirs = map(_triples, pair)
        same, roles = same + len(ours & theirs), roles + len(ours | theirs)
        lines += [
            f"round {number}: {'predicted' if line in ours else 'found'} {' '.join(line)}"
            for line in sorted(ours ^ theirs)
        ]
    return Compared(same, roles, lines)


def by_process(rounds: Rounds, document: Application) -> list[dict[str, Roles]]:
    """Put the roles of a process's threads together; `document`: says whose they are."""
    process_of = {
        consumer.member_id: process.process_id
        for process in document.processes or ()
        for consumer in process.consumers
    }
    found = []
    for roles in rounds:
        found.append({})
        for member, one in roles.items():
            had = found[-1].get(process_of[member], Roles(frozenset(), frozenset()))
            found[-1][process_of[member]] = Roles(
                had.active | one.active, had.standby | one.standby
            )
    return found


def _triples(roles: Mapping[str, Roles]) -> set[tuple[str, str, str]]:
    return {
        (name, role, task)
        for name, one in roles.items()
        for role in Roles._fields
        for task in getattr(one, role)
    }
