"""The input of an assignor: the snapshot, member orders, subscribers, lags, members' partitions;
and one group over time: offsets slot by slot, their speed.
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
