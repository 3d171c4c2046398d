"""Columns of several tables: names of partitions and owners, whole numbers with null for unknown."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.dashboard.words.names import NO_OWNER
from evenkeel.data.words.names import partition_name


def partition_names(group: GroupSnapshot, topic: np.ndarray, partition: np.ndarray) -> list[str]:
    """Return the name of each partition; `topic` and `partition` have one entry for each."""
    return [partition_name(group.topic_name[one], number) for one, number in zip(topic, partition, strict=True)]


def owners(names: Sequence[str], members: Sequence[int]) -> list[str]:
    """Return the name of each owner; `members` are rows, `UNASSIGNED` where there is no owner."""
    return [NO_OWNER if member == UNASSIGNED else names[member] for member in members]


def known_lag(lag: np.ndarray) -> pd.Series:
    """Return a lag column."""
    return where_known(lag, lag != UNKNOWN_LAG)


def where_known(values: np.ndarray, known: np.ndarray) -> pd.Series:
    """Return a column of whole numbers."""
    # Not float64 with NaN: it rounds numbers beyond 2 ** 53.
    return pd.Series(values, dtype="Int64").where(pd.Series(known, dtype=bool))
