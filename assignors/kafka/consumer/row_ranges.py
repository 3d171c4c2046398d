"""Many ranges of rows as one column."""

import numpy as np


def row_ranges(first: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Return `first[0], ... stop[0] - 1, first[1], ... stop[1] - 1, ...`, int64."""
    sizes = stop - first
    ends = np.cumsum(sizes)
    rows = np.repeat(first - ends + sizes, sizes)
    rows += np.arange(rows.size)
    return rows
