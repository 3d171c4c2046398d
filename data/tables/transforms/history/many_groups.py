"""Several groups in one series: which partitions and members are whose, and the verdict of each group."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.history.series import Series
from evenkeel.assignors.history.verdicts import OK, Verdicts, of_partitions_there
from evenkeel.data.tables.transforms.history.by_key import reduced
from evenkeel.data.tables.transforms.history.group_names import split_name


class ManyGroups(NamedTuple):
    """G groups: names, of which each partition is int64 (P,), and of which each member int64 (M,)."""

    group_id: list[str]
    of_tp: np.ndarray
    of_member: np.ndarray


def many_groups(series: Series) -> ManyGroups:
    """Return the groups of a series whose names of topics and members have their group before them."""
    place: dict[str, int] = {}
    of_topic = np.array([place.setdefault(split_name(name)[0], len(place)) for name in series.topic_name], dtype=np.int64)
    of_member = np.array([place.setdefault(split_name(name)[0], len(place)) for name in series.member_id], dtype=np.int64)
    return ManyGroups(list(place), of_topic[series.topic], of_member)


def slots_of_groups(series: Series, groups: ManyGroups) -> np.ndarray:
    """Return which slots say anything of each group, bool (S, G)."""
    count = len(groups.group_id)
    has_partition = reduced(np.logical_or, series.is_listed, groups.of_tp, count, False)
    return has_partition | reduced(np.logical_or, series.is_member, groups.of_member, count, False)


def verdicts_of_groups(series: Series, verdicts: Verdicts, groups: ManyGroups, is_there: np.ndarray) -> np.ndarray:
    """Return the verdict of each group as of each slot, int8 (S, G); `is_there` as `slots_of_groups` has it."""
    of_tps = of_partitions_there(verdicts.verdict, series.is_listed, is_there[:, groups.of_tp])
    return reduced(np.maximum, of_tps, groups.of_tp, is_there.shape[1], OK)


def verdicts_of_members(series: Series, verdict: np.ndarray) -> np.ndarray:
    """Return the worst verdict of what each member owns, int8 (S, M)."""
    result = np.full((series.slot_count, len(series.member_id)), OK, dtype=np.int8)
    slot, tp = np.nonzero((verdict > OK) & (series.owner != UNASSIGNED))
    np.maximum.at(result, (slot, series.owner[slot, tp]), verdict[slot, tp])
    return result
