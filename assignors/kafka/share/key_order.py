"""The map of partitions that a share group's assignor fills and walks."""

import numpy as np

from assignors.java import capacity
from assignors.java.hash_map import IterationOrder, compute_order


def key_order(held: np.ndarray, targets: np.ndarray, key_hash: np.ndarray) -> IterationOrder:
    """Return the partitions as the map iterates that is filled with those held, then with all targets.

    Parameters
    ----------
    held, targets : int64
        Rows of `key_hash`; those held in the order in which they are walked, each as often as members hold it.
    key_hash : uint32 (keys,)
    """
    distinct = held[np.sort(np.unique(held, return_index=True)[1])]
    there = np.zeros(key_hash.size, dtype=bool)
    there[distinct] = True
    keys = np.append(distinct, targets[~there[targets]])
    last_is_there = bool(targets.size) and bool(there[targets[-1]])
    order = compute_order(key_hash[keys], capacity.presized(targets.size + 1), called_again=last_is_there)
    return IterationOrder(keys[order.rows], order.tree_bin)
