"""Many groups in one series: names of topics and members start with their group."""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.timeline.verdicts import (
    OK,
    Verdicts,
    of_partitions_there,
)
from evenkeel.data.group.tables.arrow import names


class ManyGroups(NamedTuple):
    """G groups in one series.

    `group_id`: names of the groups. `of_tp`: each partition's group, int64 (P,). `of_member`: each
    member's group, int64 (M,).
    """

    group_id: list[str]
    of_tp: np.ndarray
    of_member: np.ndarray


SEPARATOR = "\0"


def named_by_group(table: pa.Table, columns: tuple[str, ...]) -> pa.Table:
    """Return the table with `group\\0name` in `columns`, dictionary-encoded; null stays null."""
    group = names(table["group_id"])
    for column in columns:
        place = table.column_names.index(column)
        table = table.set_column(
            place, column, _joined(group.code, group.name, *names(table[column]))
        )
    return table


def split_name(name: str) -> tuple[str, str]:
    """Return the group and the name in a name from `named_by_group`."""
    group, _, rest = name.partition(SEPARATOR)
    return group, rest


def _joined(
    group: np.ndarray, group_name: list[str], code: np.ndarray, name: list[str]
) -> pa.DictionaryArray:
    # Arrow finds equal numbers by hashing. It is faster than sorting millions of rows, or marking
    # all pairs of thousands of names.
    key = group.astype(np.int64) * len(name) + code
    pairs = pa.array(key, mask=code < 0).dictionary_encode()
    joined = [
        f"{group_name[pair // len(name)]}{SEPARATOR}{name[pair % len(name)]}"
        for pair in pairs.dictionary.to_pylist()
    ]
    return pa.DictionaryArray.from_arrays(pairs.indices, pa.array(joined, "string"))


def many_groups(series: Series) -> ManyGroups:
    """Return the groups of a series; its topic and member names start with their group."""
    place: dict[str, int] = {}
    of_topic = np.array(
        [place.setdefault(split_name(name)[0], len(place)) for name in series.topic_name],
        dtype=np.int64,
    )
    of_member = np.array(
        [place.setdefault(split_name(name)[0], len(place)) for name in series.member_id],
        dtype=np.int64,
    )
    return ManyGroups(list(place), of_topic[series.topic], of_member)


def slots_of_groups(series: Series, groups: ManyGroups) -> np.ndarray:
    """Return whether a slot has data about each group, bool (S, G)."""
    count = len(groups.group_id)
    has_partition = reduced(np.logical_or, series.is_listed, groups.of_tp, count, False)
    return has_partition | reduced(np.logical_or, series.is_member, groups.of_member, count, False)


def verdicts_of_groups(
    series: Series, verdicts: Verdicts, groups: ManyGroups, is_there: np.ndarray
) -> np.ndarray:
    """Return each group's verdict in each slot, int8 (S, G).

    `is_there`: result of `slots_of_groups`.
    """
    of_tps = of_partitions_there(verdicts.verdict, series.is_listed, is_there[:, groups.of_tp])
    return reduced(np.maximum, of_tps, groups.of_tp, is_there.shape[1], OK)


def verdicts_of_members(series: Series, verdict: np.ndarray) -> np.ndarray:
    """Return the worst verdict of each member's partitions, int8 (S, M)."""
    result = np.full((series.slot_count, len(series.member_id)), OK, dtype=np.int8)
    slot, tp = np.nonzero((verdict > OK) & (series.owner != UNASSIGNED))
    np.maximum.at(result, (slot, series.owner[slot, tp]), verdict[slot, tp])
    return result


def reduced(
    ufunc: np.ufunc, values: np.ndarray, key: np.ndarray, count: int, empty: Any
) -> np.ndarray:
    """Reduce the last axis with `ufunc` for each key; a key without values gets `empty`."""
    order = np.argsort(key, kind="stable")
    in_order = key[order]
    present, starts = np.unique(in_order, return_index=True)
    result = np.full((*values.shape[:-1], count), empty, dtype=values.dtype)
    if present.size:
        result[..., present] = ufunc.reduceat(
            values if (order[1:] > order[:-1]).all() else values[..., order], starts, axis=-1
        )
    return result
