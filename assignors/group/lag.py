"""The lag of each partition: as pages show it, and as the `lag` assignor calculates it."""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.snapshot import UNKNOWN, GroupSnapshot

UNKNOWN_LAG = -1

_MOST = 2**63 - 1


def total_lag(lag: np.ndarray) -> int | None:
    """Return the sum of known lags, int64. None if no lag is known, or if the sum exceeds int64."""
    known = lag[lag != UNKNOWN_LAG]
    return int(known.sum()) if _fits(known) and (known.size or not lag.size) else None


def summable(lag: np.ndarray) -> np.ndarray:
    """Return the lags, int64. If the sum of known lags exceeds int64, all lags become unknown."""
    return lag if _fits(lag) else np.full_like(lag, UNKNOWN_LAG)


def _fits(lag: np.ndarray) -> bool:
    if int(lag.max(initial=0)) <= _MOST // max(lag.size, 1):
        return True
    known = lag[lag != UNKNOWN_LAG]
    # Upper and lower halves are summed separately, because a sum of whole lags may wrap around and
    # then seem to fit.
    return (int((known >> 32).sum()) << 32) + int((known & 0xFFFFFFFF).sum()) <= _MOST


def page_lag(group: GroupSnapshot) -> np.ndarray:
    """Return the lag of each partition as pages show it, in records, int64 (P,).

    `given_lag`, if known. Otherwise end_offset - max(committed_offset, begin_offset), at least 0.
    If there is no commit, the lag depends on the group's `auto_offset_reset`: 0 for latest, all
    records for other values, `UNKNOWN_LAG` if the policy is unknown.
    """
    is_given = group.given_lag != UNKNOWN
    if is_given.all():
        return group.given_lag
    end, committed = group.end_offset, group.committed_offset
    uncommitted = np.where(end != UNKNOWN, _uncommitted_page_lag(group), UNKNOWN_LAG)
    behind = np.where(
        committed != UNKNOWN, committed_lag(end, group.begin_offset, committed), uncommitted
    )
    return np.where(is_given, group.given_lag, behind)


def known_lag(group: GroupSnapshot) -> np.ndarray:
    """Return `page_lag`, but 0 for an empty partition without a commit.

    Every reset policy gives 0 for such a partition.
    """
    lag = page_lag(group)
    is_unknown = lag == UNKNOWN_LAG
    if not is_unknown.any():
        return lag
    is_empty = is_unknown & (group.end_offset != UNKNOWN)
    is_empty &= group.end_offset <= np.maximum(group.begin_offset, 0)
    return np.where(is_empty & (group.committed_offset == UNKNOWN), 0, lag)


def committed_lag(end: np.ndarray, begin: np.ndarray, committed: np.ndarray) -> np.ndarray:
    """Return end - max(committed, begin), int64 (P,), at least 0.

    `UNKNOWN_LAG` if the end offset or the commit is `UNKNOWN`.
    """
    is_known = (end != UNKNOWN) & (committed != UNKNOWN)
    return np.where(is_known, np.maximum(end - np.maximum(committed, begin), 0), UNKNOWN_LAG)


def assignor_lag(group: GroupSnapshot) -> np.ndarray:
    """Return the lag of each partition as the `lag` assignor calculates it, int64 (P,).

    This lag is never unknown. It is `given_lag`, if known, otherwise max(end_offset - next, 0).
    `next` is committed_offset. Without a commit, `next` is end_offset if `auto_offset_reset` is
    latest or unknown, else begin_offset. The assignor does not compare a
    commit with the begin offset, and counts an unknown offset as 0. Source: KAFKA-5337.
    """
    return read_lag(
        group.begin_offset,
        group.committed_offset,
        group.end_offset,
        group.given_lag,
        group.auto_offset_reset,
    )


def read_lag(
    begin: np.ndarray,
    committed: np.ndarray,
    end: np.ndarray,
    given_lag: np.ndarray,
    reset: str | None,
) -> np.ndarray:
    """Return the lag as `assignor_lag` does, from columns of equal shape."""
    given = given_lag != UNKNOWN
    if given.all():
        return given_lag
    lag = end - committed
    uncommitted = (committed == UNKNOWN).nonzero()
    # Kafka's default of auto.offset.reset is latest.
    starts_at_end = reset is None or _is_latest(reset)
    lag[uncommitted] = 0 if starts_at_end else end[uncommitted] - np.maximum(begin[uncommitted], 0)
    # An unknown end offset is smaller than every commit, so the lag is then 0.
    np.maximum(lag, 0, out=lag)
    if given.any():
        np.copyto(lag, given_lag, where=given)
    return lag


def unread_tps(group: GroupSnapshot, owner: np.ndarray) -> np.ndarray:
    """Return the topic-partitions without an owner, int64.

    If subscriptions are known, topics without subscribers are left out, because nobody has to read
    these topics.
    """
    tps = np.flatnonzero(owner == UNASSIGNED)
    if not tps.size or not group.are_subscriptions_known:
        return tps
    return tps[group.in_play[group.tp_topic[tps]]]


def committed_past_end(group: GroupSnapshot) -> np.ndarray:
    """Return whether the committed offset is larger than the end offset, bool (P,).

    The topic was recreated, or the end offset was read before the commit. `page_lag` and
    `assignor_lag` are then 0.
    """
    return (group.end_offset != UNKNOWN) & (group.committed_offset > group.end_offset)


def committed_before_begin(group: GroupSnapshot) -> np.ndarray:
    """Return whether the committed offset is smaller than the begin offset, bool (P,).

    The committed record was deleted. `page_lag` then starts at the begin offset.
    """
    return (group.committed_offset != UNKNOWN) & (group.committed_offset < group.begin_offset)


def decided_by_reset(group: GroupSnapshot) -> np.ndarray:
    """Return whether the lag is unknown only because `auto_offset_reset` is unknown, bool (P,).

    Such a partition has no commit, and its end offset is known.
    """
    is_open = (
        (group.given_lag == UNKNOWN)
        & (group.end_offset != UNKNOWN)
        & (group.committed_offset == UNKNOWN)
    )
    return is_open & (group.auto_offset_reset is None)


def uncommitted_lag(group: GroupSnapshot) -> np.ndarray:
    """Return the highest possible lag of partitions without a commit and with unknown lag, int64
    (P,).

    The unknown `auto_offset_reset` decides whether the lag is this value or 0. The result is 0 for
    all other partitions.
    """
    is_open = (known_lag(group) == UNKNOWN_LAG) & (group.end_offset != UNKNOWN)
    is_open &= group.committed_offset == UNKNOWN
    return np.where(is_open, group.end_offset - np.maximum(group.begin_offset, 0), 0)


def lag_taken_as_zero(group: GroupSnapshot) -> np.ndarray:
    """Return whether `assignor_lag` is 0 only because lag and end offset are unknown, bool (P,)."""
    return (group.given_lag == UNKNOWN) & (group.end_offset == UNKNOWN)


def _uncommitted_page_lag(group: GroupSnapshot) -> np.ndarray | int:
    if group.auto_offset_reset is None:
        return UNKNOWN_LAG
    if _is_latest(group.auto_offset_reset):
        return 0
    return np.where(
        group.begin_offset != UNKNOWN,
        np.maximum(group.end_offset - group.begin_offset, 0),
        UNKNOWN_LAG,
    )


def _is_latest(policy: str) -> bool:
    # LagBasedPartitionAssignor ignores case.
    return policy.lower() == "latest"
