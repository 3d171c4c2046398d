"""The input of an assignor: snapshot, member orders, subscribers, lags and owned partitions. Also
one group over time: its offsets in each slot, and its rates.
"""

from evenkeel.assignors.group.snapshot import (
    NO_GENERATION,
    NO_RACK,
    NO_TP,
    NONE_EMPTY,
    UNKNOWN,
    GroupSnapshot,
)

__all__ = ["NONE_EMPTY", "NO_GENERATION", "NO_RACK", "NO_TP", "UNKNOWN", "GroupSnapshot"]
