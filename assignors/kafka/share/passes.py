"""Passes: which partitions a share group's assignor shares among which members; all topics at once, or each topic separately."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Passes:
    """Passes side by side; each shares its partitions, here called keys, among its members. S passes, N members, Q keys in total.

    Parameters
    ----------
    sharing : int64 (S,)
        Members for each partition.
    member_pass, key_pass : int (N,) and (Q,)
        Pass of each member, ascending, and of each key.
    number : int64 (N,)
        The members' places in Kafka's map, ascending inside a pass.
    want : int64 (N,)
        Partitions for each member.
    key_hash : uint32 (Q,)
        Java's hash codes.
    """

    sharing: np.ndarray
    member_pass: np.ndarray
    key_pass: np.ndarray
    number: np.ndarray
    want: np.ndarray
    key_hash: np.ndarray


def shares(member_count: int, target_count: int) -> tuple[int, np.ndarray]:
    """Return how many members each partition gets and how many partitions each member gets, int64."""
    sharing = -(-member_count // target_count) if target_count else 0
    # In doubles like Kafka's: 7 members and 29 targets end at ceil(29.000000000000004), one more than exact arithmetic gives.
    each = sharing * target_count / member_count
    return sharing, np.diff(np.ceil(each * np.arange(member_count + 1))).astype(np.int64)
