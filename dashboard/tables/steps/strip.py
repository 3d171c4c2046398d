"""The strip of steps as cards and arrows, for one assignor."""

from collections.abc import Sequence
from typing import NamedTuple

from evenkeel.data.scenarios.run.step_figures import Figures, StepFigures
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED
from evenkeel.data.words.formats import compact_sum, count, exact


class Card(NamedTuple):
    """`facts`: the second one is left out where the strip is narrow."""

    number: str
    name: str
    facts: tuple[str, ...]


class Arrow(NamedTuple):
    """The way into a card: `count` and `noun` above it, `below` under it, in the colour of what is worse if `is_worse`."""

    count: str
    noun: str
    below: str
    is_worse: bool = False


class Strip(NamedTuple):
    """Cards from left to right, and an arrow into each card but the first."""

    cards: tuple[Card, ...]
    arrows: tuple[Arrow, ...]


def step_strip(names: Sequence[str | None], figures: Figures, assignor: str) -> Strip:
    """Return the strip of a scenario.

    Parameters
    ----------
    names : sequence of str or None
        Of the steps after the group as listed; a step without a name is `step 1`.
    """
    listed = next((step for step in figures[0].values() if step.members_before is not None), StepFigures(assignor)) if figures else None
    cards = [Card("0", AS_LISTED, _facts(listed.members_before, listed.lag_before, listed.lag_before_is_least))] if listed else []
    arrows = []
    for number, name in enumerate(names, 1):
        step = figures[number].get(assignor, StepFigures(assignor)) if number < len(figures) else StepFigures(assignor)
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
        below = "never rests"
    elif several:
        below = f"{below} · {exact(step.rebalances)}×"
    noun = "move" if step.moved_partitions == 1 else "moves"
    return Arrow(exact(step.moved_partitions), noun, below, several or bool(step.never_ends))
