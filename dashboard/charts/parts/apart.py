"""Texts one above the other that would cover each other are moved apart."""

from collections.abc import Sequence
from math import inf


def apart(places: Sequence[float], least: float, low: float = -inf, high: float = inf) -> list[float]:
    """Return the places, moved as little as possible so that any two are at least `least` apart; their order stays.

    They end at `high`; they begin at `low` if there is room for all.
    """
    order = sorted(range(len(places)), key=lambda row: places[row])
    blocks: list[list[float]] = []
    for row in order:
        # A block: its middle and the number of texts in it; blocks that meet become one.
        block = [places[row], 1]
        while blocks and blocks[-1][0] + (blocks[-1][1] + block[1]) * least / 2 > block[0] + 1e-9:
            middle, count = blocks.pop()
            block = [(middle * count + block[0] * block[1]) / (count + block[1]), count + block[1]]
        blocks.append(block)
    moved = [middle + (number - (count - 1) / 2) * least for middle, count in blocks for number in range(int(count))]
    moved = [max(place, low + number * least) for number, place in enumerate(moved)]
    moved = [min(place, high - (len(moved) - 1 - number) * least) for number, place in enumerate(moved)]
    found = [0.0] * len(places)
    for row, place in zip(order, moved, strict=True):
        found[row] = place
    return found
