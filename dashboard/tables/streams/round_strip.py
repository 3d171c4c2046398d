"""The strip of rounds as cards and arrows."""

from datetime import datetime

import numpy as np

from evenkeel.dashboard.tables.steps.strip import Arrow, Card, Strip
from evenkeel.dashboard.view import TaskRound, TaskRounds
from evenkeel.dashboard.words.times import clock
from evenkeel.data.words.formats import count, duration, exact

_MANY = 6
"""From so many rounds on a card says less."""


def round_strip(found: TaskRounds, taken_at: datetime | None, interval_seconds: float) -> Strip:
    """Return a card for each round, with its time and how many stateful tasks are where they stay."""
    last = len(found.rounds) - 1
    of = "{} of {} in place" if last < _MANY else "{} / {}"
    cards = [
        Card("", _name(number, last, found.is_balanced), (_time(each, taken_at), of.format(exact(in_place(found, number)), _total(each))))
        for number, each in enumerate(found.rounds)
    ]
    arrows = [_arrow(*pair, interval_seconds) for pair in zip(found.rounds, found.rounds[1:], strict=False)]
    return Strip(tuple(cards), tuple(arrows))


def in_place(found: TaskRounds, number: int) -> int:
    """Return how many stateful tasks run where they run after the last round."""
    stateful = found.rounds[0].application.is_stateful
    return int(np.count_nonzero((found.rounds[number].answer.active == found.rounds[-1].answer.active) & stateful))


def moves_into(before: TaskRound, after: TaskRound) -> int:
    """Return how many stateful tasks change their instance between two rounds."""
    return int(np.count_nonzero((before.answer.active != after.answer.active) & before.application.is_stateful))


def _name(number: int, last: int, is_balanced: bool) -> str:
    now = " · now" * (number == 0)
    return f"Round {exact(number)}{now}{' · balanced ✓' if number == last and is_balanced else ''}"


def _time(each: TaskRound, taken_at: datetime | None) -> str:
    return clock(taken_at.timestamp() + each.seconds) if taken_at else f"+{duration(each.seconds)}" if each.seconds else "start"


def _total(each: TaskRound) -> str:
    return exact(int(each.application.is_stateful.sum()))


def _arrow(before: TaskRound, after: TaskRound, interval: float) -> Arrow:
    moves = moves_into(before, after)
    return Arrow(*count(moves, "move").split(" ", 1), duration(interval))
