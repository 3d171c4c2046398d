"""Inputs of an assignor: group snapshot, member orders, subscribers, lags and owned partitions.

Also the history of a group: its offsets in each slot, and its rates.
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
