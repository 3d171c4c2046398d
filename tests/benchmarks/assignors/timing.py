"""Calls of several programs taken in turn: A B C, A B C, ... so that whatever else the machine does
meets all of them.
"""

from collections.abc import Callable
from statistics import median
from typing import NamedTuple

PAIRS, LONG_PAIRS = 7, 3
_LONG_MS = 10_000
_TURN_MS = 30
_WARM_MS = 800
_MOST_CALLS = 3000
_SHARED = 1.3


class Times(NamedTuple):
    """Milliseconds of each call, by the clock and of processor time."""

    wall: list[float]
    processor: list[float]


Calls = Callable[[int], Times]
"""Makes so many calls."""


class Ratio(NamedTuple):
    """How much longer a peer takes: ratio of the medians, least and greatest ratio of a pair.
    `peer_ms`: the peer's median. `is_shared`: something else used the processor.
    """

    median: float
    least: float
    greatest: float
    peer_ms: float
    is_shared: bool

    def __str__(self) -> str:
        return (
            f"{_figure(self.median)} ({_figure(self.least)} to"
            f" {_figure(self.greatest)}){'*' if self.is_shared else ''}"
        )


def side_by_side(ours: Calls, peers: dict[str, Calls]) -> tuple[float, int, dict[str, Ratio]]:
    """Return our median in milliseconds, the number of pairs and each peer's ratio."""
    sides = {"": ours, **peers}
    calls = {name: _calls_in_a_turn(side) for name, side in sides.items()}
    pairs = LONG_PAIRS if any(each is None for each in calls.values()) else PAIRS
    turns = [{name: side(calls[name] or 1) for name, side in sides.items()} for _ in range(pairs)]
    shared = {name: _is_shared([turn[name] for turn in turns]) for name in sides}
    wall = {name: [median(turn[name].wall) for turn in turns] for name in sides}
    ratios = {name: _ratio(wall[""], wall[name], shared[name] or shared[""]) for name in peers}
    return median(wall[""]), pairs, ratios


def _ratio(ours: list[float], theirs: list[float], is_shared: bool) -> Ratio:
    paired = [their / our for our, their in zip(ours, theirs, strict=False)]
    return Ratio(median(theirs) / median(ours), min(paired), max(paired), median(theirs), is_shared)


def _calls_in_a_turn(side: Calls) -> int | None:
    """Warm up, with two calls at least; return how many make a turn, None for one that is very
    long.
    """
    call = min(side(2).wall)
    if call < _WARM_MS / 2:
        call = median(side(min(int(_WARM_MS / call), 20 * _MOST_CALLS)).wall)
    return None if call > _LONG_MS else max(1, min(int(_TURN_MS / call), _MOST_CALLS))


def _is_shared(turns: list[Times]) -> bool:
    return min(min(turn.wall) for turn in turns) > _SHARED * median(
        each for turn in turns for each in turn.processor
    )


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
