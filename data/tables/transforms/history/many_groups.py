"""Many groups in one series: which partitions and members are whose, the verdict of each group, and columns by group."""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.history.series import Series
from evenkeel.assignors.history.verdicts import OK, VERDICTS, Verdicts, of_partitions_there
from evenkeel.data.tables.arrow import names
from evenkeel.data.tables.field_lists import TIME

# Names of topics and members have their group before them


SEPARATOR = "\0"


def named_by_group(table: pa.Table, columns: tuple[str, ...]) -> pa.Table:
    """Return the table with these columns as `group\\0name`, dictionary-encoded; null stays null."""
    group = names(table["group_id"])
    for column in columns:
        place = table.column_names.index(column)
        table = table.set_column(place, column, _joined(group.code, group.name, *names(table[column])))
    return table


def split_name(name: str) -> tuple[str, str]:
    """Return group and name."""
    group, _, rest = name.partition(SEPARATOR)
    return group, rest


def _joined(group: np.ndarray, group_name: list[str], code: np.ndarray, name: list[str]) -> pa.DictionaryArray:
    # Arrow finds equal numbers by hashing; sorting millions of rows, or marking all pairs of thousands of names, takes longer.
    key = group.astype(np.int64) * len(name) + code
    pairs = pa.array(key, mask=code < 0).dictionary_encode()
    joined = [f"{group_name[pair // len(name)]}{SEPARATOR}{name[pair % len(name)]}" for pair in pairs.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(pairs.indices, pa.array(joined, pa.string()))


# Whose is what


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


# Maxima, sums and lists by key


def reduced(ufunc: np.ufunc, values: np.ndarray, key: np.ndarray, count: int, empty: Any) -> np.ndarray:
    """Reduce the last axis by key; `empty` for keys that do not occur."""
    order = np.argsort(key, kind="stable")
    in_order = key[order]
    present, starts = np.unique(in_order, return_index=True)
    result = np.full((*values.shape[:-1], count), empty, dtype=values.dtype)
    if present.size:
        result[..., present] = ufunc.reduceat(values if (order[1:] > order[:-1]).all() else values[..., order], starts, axis=-1)
    return result


def sums(rate: np.ndarray, key: np.ndarray, count: int) -> pa.Array:
    """Sum known rates; null where none is known."""
    is_known = ~np.isnan(rate)
    total = np.bincount(key[is_known], rate[is_known], minlength=count)
    return pa.array(total, mask=np.bincount(key[is_known], minlength=count) == 0)


def lists(values: np.ndarray, is_known: np.ndarray) -> pa.ListArray:
    """Return a list for each column (S, G), null where unknown."""
    flat = pa.array(values.T.ravel(), mask=~is_known.T.ravel())
    return pa.ListArray.from_arrays(np.arange(values.shape[1] + 1, dtype=np.int32) * values.shape[0], flat)


def verdict_names(verdict: np.ndarray) -> pa.Array:
    """Return the names of verdicts, given by number."""
    return pa.array(VERDICTS).take(pa.array(verdict))


def known(values: np.ndarray) -> pa.Array:
    """Return figures; null where not finite."""
    return pa.array(values, mask=~np.isfinite(values))


def times(seconds: np.ndarray) -> pa.Array:
    """Return times, given in seconds since 1970."""
    return pa.array(np.round(seconds * 1e6).astype(np.int64)).cast(TIME)
