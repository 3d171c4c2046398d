"""The map of partitions that a share group's assignor fills and iterates."""

import numpy as np

from evenkeel.assignors.java.collections import IterationOrder, compute_order
from evenkeel.assignors.java.hashing import presized_capacity


def key_order(held: np.ndarray, targets: np.ndarray, key_hash: np.ndarray) -> IterationOrder:
    """Return the partitions in the iteration order of a map filled with the held ones, then with all targets.

    Parameters
    ----------
    held, targets : int64
        Rows of `key_hash`; held ones in the order of the walk, each as often as members hold it.
    key_hash : uint32 (keys,)
    """
    distinct = held[np.sort(np.unique(held, return_index=True)[1])]
    there = np.zeros(key_hash.size, dtype=bool)
    there[distinct] = True
    keys = np.append(distinct, targets[~there[targets]])
    last_is_there = bool(targets.size) and bool(there[targets[-1]])
    # AssignorHelpers.newHashMap adds 1 to the expected size.
    order = compute_order(key_hash[keys], presized_capacity(targets.size + 1), called_again=last_is_there)
    return IterationOrder(keys[order.rows], order.tree_bin)
