"""The strips of steps and of rounds, as cards and arrows."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np

from evenkeel.dashboard.times import clock
from evenkeel.dashboard.view import TaskRound, TaskRounds
from evenkeel.data.scenarios.run.step_figures import Figures, StepFigures
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED
from evenkeel.data.text.formats import compact_sum, count, duration, exact


class Card(NamedTuple):
    """A card of a strip. A narrow strip shows only the first of the `facts`."""

    number: str
    name: str
    facts: tuple[str, ...]


class Arrow(NamedTuple):
    """The arrow to a card. `total` and `noun`: the words above the arrow. `below`: the text under
    the arrow. `is_worse`: `below` has the colour for worse.
    """

    total: str
    noun: str
    below: str
    is_worse: bool = False


class Strip(NamedTuple):
    """Cards from left to right, and an arrow to each card except the first."""

    cards: tuple[Card, ...]
    arrows: tuple[Arrow, ...]


def step_strip(names: Sequence[str | None], figures: Figures, assignor: str) -> Strip:
    """Return a card for each step of a scenario, with an assignor's answers.

    Parameters
    ----------
    names : sequence of str or None
        Names of the steps after step 0, the group as listed. None for a step without a name; the
        strip shows it as `step 1`.
    """
    listed = (
        next(
            (step for step in figures[0].values() if step.members_before is not None),
            StepFigures(assignor),
        )
        if figures
        else None
    )
    cards = (
        [
            Card(
                "0",
                AS_LISTED,
                _facts(listed.members_before, listed.lag_before, listed.lag_before_is_least),
            )
        ]
        if listed
        else []
    )
    arrows = []
    for number, name in enumerate(names, 1):
        step = (
            figures[number].get(assignor, StepFigures(assignor))
            if number < len(figures)
            else StepFigures(assignor)
        )
        facts = ("throws",) if step.error else _facts(step.members, step.lag, step.lag_is_least)
        cards.append(Card(str(number), name or f"step {number}", facts))
        arrows.append(_arrow(step))
    return Strip(tuple(cards), tuple(arrows))


def _facts(members: int | None, lag: int | None, is_least: bool) -> tuple[str, str]:
    return count(members, "member"), compact_sum(lag, is_least)


def _arrow(step: StepFigures) -> Arrow:
    several = step.rebalances is not None and step.rebalances > 1
    below = f"{exact(step.paused_partitions)} paused"
    if step.never_ends:
        below = "never ends"
    elif several:
        below = f"{below} · {exact(step.rebalances)}×"
    noun = "move" if step.moved_partitions == 1 else "moves"
    return Arrow(exact(step.moved_partitions), noun, below, several or bool(step.never_ends))


# The strip of rounds as cards and arrows.


_MANY = 6
"""With more rounds than this, a card has fewer words."""


def round_strip(rounds: TaskRounds, taken_at: datetime | None, interval_seconds: float) -> Strip:
    """Return a card for each round: its time, and how many stateful tasks are on their final
    instances.
    """
    last = len(rounds.rounds) - 1
    of = "{} of {} in place" if last < _MANY else "{} / {}"
    cards = [
        Card(
            "",
            _name(number, last, rounds.is_balanced),
            (_time(each, taken_at), of.format(exact(in_place(rounds, number)), _total(each))),
        )
        for number, each in enumerate(rounds.rounds)
    ]
    arrows = [
        _round_arrow(*pair, interval_seconds)
        for pair in zip(rounds.rounds, rounds.rounds[1:], strict=False)
    ]
    return Strip(tuple(cards), tuple(arrows))


def in_place(rounds: TaskRounds, number: int) -> int:
    """Return how many stateful tasks are on their final instances."""
    stateful = rounds.rounds[0].application.is_stateful
    return int(
        np.count_nonzero(
            (rounds.rounds[number].answer.active == rounds.rounds[-1].answer.active) & stateful
        )
    )


def moves_into(before: TaskRound, after: TaskRound) -> int:
    """Return how many stateful tasks change their instance between two rounds."""
    return int(
        np.count_nonzero(
            (before.answer.active != after.answer.active) & before.application.is_stateful
        )
    )


def _name(number: int, last: int, is_balanced: bool) -> str:
    now = " · now" * (number == 0)
    return f"Round {exact(number)}{now}{' · balanced ✓' if number == last and is_balanced else ''}"


def _time(each: TaskRound, taken_at: datetime | None) -> str:
    if taken_at:
        return clock(taken_at.timestamp() + each.seconds)
    return f"+{duration(each.seconds)}" if each.seconds else "start"


def _total(each: TaskRound) -> str:
    return exact(int(each.application.is_stateful.sum()))


def _round_arrow(before: TaskRound, after: TaskRound, interval: float) -> Arrow:
    moves = moves_into(before, after)
    total, noun = count(moves, "move").split(" ", 1)
    return Arrow(total, noun, duration(interval))
