"""A group at one moment (snapshot, member orders, subscribers, lags, owned partitions), and a group
over time (offsets in each slot, rates).
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
