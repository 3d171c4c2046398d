"""How much ids that do not exist yet matter: figures of many seeds as a strip of bins."""

from typing import NamedTuple

import numpy as np

from evenkeel.data.scenarios.run.seeds import SEEDS, spread
from evenkeel.data.words.formats import compact, exact

BINS = 24


class SeedBins(NamedTuple):
    """Seeds in each bin, and the bin of the median. `median` is its text, `range` the text of the range in which 90 % of the seeds lie.

    `wanted`: seeds in all; fewer are `drawn` while they are being computed, or if the figure of some is unknown.
    """

    counts: tuple[int, ...]
    middle: int
    median: str
    range: str
    drawn: int
    wanted: int

    def sentence(self, name: str) -> str:
        """Say the same in words, for those who do not see the strip."""
        return f"{name}: {self.median} {self.range}, {self.drawn} of {self.wanted} seeds"


def seed_bins(figures: np.ndarray, is_count: bool, wanted: int = SEEDS) -> SeedBins | None:
    """Return the strip of one figure, None if no seed has it.

    Parameters
    ----------
    figures : int64 (seeds,)
    is_count : bool
        Whole numbers such as moves, in exact texts; False for records.
    """
    found = spread(figures)
    if found is None:
        return None
    text = exact if is_count else compact
    if found.is_one:
        which = f"in all {exact(wanted)}" if figures.size >= wanted else f"in {exact(figures.size)} of {exact(wanted)}"
        counts = [0] * BINS
        counts[BINS // 2] = int(figures.size)
        return SeedBins(tuple(counts), BINS // 2, text(found.median), which, int(figures.size), wanted)
    low, high = int(figures.min()), int(figures.max())
    # In Python's integers: lags near 2 ** 63 overflow when they are multiplied.
    places = [min((int(value) - low) * BINS // (high - low), BINS - 1) for value in (*figures.tolist(), found.median)]
    counts = np.bincount(places[:-1], minlength=BINS).tolist()
    return SeedBins(tuple(counts), places[-1], text(found.median), f"({text(found.low)}–{text(found.high)})", int(figures.size), wanted)
