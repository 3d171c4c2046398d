"""Columns of many groups or members: maxima, sums and lists by key."""

from typing import Any

import numpy as np
import pyarrow as pa

from evenkeel.assignors.history.verdicts import VERDICTS
from evenkeel.data.tables.field_lists import TIME


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


def names(verdict: np.ndarray) -> pa.Array:
    """Return the names of verdicts, given by number."""
    return pa.array(VERDICTS).take(pa.array(verdict))


def known(values: np.ndarray) -> pa.Array:
    """Return figures; null where not finite."""
    return pa.array(values, mask=~np.isfinite(values))


def times(seconds: np.ndarray) -> pa.Array:
    """Return times, given in seconds since 1970."""
    return pa.array(np.round(seconds * 1e6).astype(np.int64)).cast(TIME)
