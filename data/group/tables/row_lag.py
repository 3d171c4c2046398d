"""The lag of OFFSETS rows, in records: from both offsets if known, else the printed lag."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from evenkeel.assignors.group import UNKNOWN
from evenkeel.assignors.group.lag import committed_lag
from evenkeel.data.group.tables.arrow import integers


def lag_of_row(row: Mapping[str, Any]) -> int | None:
    """Return a row's lag in records, None if unknown."""
    committed, end = row["committed_offset"], row["end_offset"]
    if committed is None or end is None:
        return row["listed_lag"]
    return max(0, end - max(committed, row["begin_offset"] or 0))


def lag_of_rows(offsets: pa.Table) -> np.ndarray:
    """Return each row's lag in records, int64; `UNKNOWN` if unknown, 0 if negative."""
    end, committed, begin = (
        integers(offsets[name]) for name in ("end_offset", "committed_offset", "begin_offset")
    )
    listed = offsets["listed_lag"]
    printed = np.where(listed.is_valid(), np.maximum(integers(listed), 0), UNKNOWN)
    is_known = (end != UNKNOWN) & (committed != UNKNOWN)
    return np.where(is_known, committed_lag(end, begin, committed), printed)
