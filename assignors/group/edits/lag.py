"""Edits of lags."""

from dataclasses import replace

import numpy as np

from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.edits.result import EditResult, same_rows

_MOST = 2**63 - 1


def set_lag(group: GroupSnapshot, tps: np.ndarray, lag: np.ndarray) -> EditResult:
    """Set the lag of topic-partitions. `tps` and `lag` are int64.

    If the present lag comes from known offsets, the end offset changes. Otherwise the partition's
    `given_lag` is set, and its offsets become `UNKNOWN`.

    Raises
    ------
    OverflowError
        If an end offset would not fit int64.
    """
    begin, end, committed, given = (
        column.copy()
        for column in (
            group.begin_offset,
            group.end_offset,
            group.committed_offset,
            group.given_lag,
        )
    )
    start = _next_offset(group)[tps]
    by_offsets = (given[tps] == UNKNOWN) & (end[tps] != UNKNOWN) & (start != UNKNOWN)
    if (lag[by_offsets] > _MOST - start[by_offsets]).any():
        raise OverflowError(f"an end offset would exceed {_MOST}")
    end[tps[by_offsets]] = start[by_offsets] + lag[by_offsets]
    alone = tps[~by_offsets]
    given[alone] = lag[~by_offsets]
    begin[alone] = end[alone] = committed[alone] = UNKNOWN
    return same_rows(
        group,
        replace(
            group, begin_offset=begin, end_offset=end, committed_offset=committed, given_lag=given
        ),
    )


def _next_offset(group: GroupSnapshot) -> np.ndarray:
    """Return the offset at which the group continues to read, int64 (P,), or `UNKNOWN`.

    The committed offset, but at least the begin offset. Without a commit: the begin offset, or
    `UNKNOWN` if `auto_offset_reset` is latest or unknown.
    """
    policy = group.auto_offset_reset
    from_begin = policy is not None and policy.lower() != "latest"
    uncommitted = group.begin_offset if from_begin else UNKNOWN
    return np.where(
        group.committed_offset != UNKNOWN,
        np.maximum(group.committed_offset, group.begin_offset),
        uncommitted,
    )
