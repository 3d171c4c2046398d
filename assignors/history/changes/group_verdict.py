"""The verdict of a group: that of its worst partition, at every slot."""

import numpy as np

from evenkeel.assignors.history.changes.verdicts import OK, Verdicts
from evenkeel.assignors.history.series import Series


def group_verdict(series: Series, verdicts: Verdicts) -> np.ndarray:
    """Return the worst verdict of the partitions that the group has as of each slot, int8 (S,)."""
    return of_partitions_there(verdicts.verdict, series.is_listed, series.is_there[:, None]).max(axis=1, initial=OK)


def of_partitions_there(verdict: np.ndarray, is_listed: np.ndarray, is_group_there: np.ndarray) -> np.ndarray:
    """Return verdicts, int8 (S, P), with OK for partitions that the group has no more: a topic that was deleted is no trouble.

    `is_group_there` bool (S, P) or (S, 1): a slot that does not have the group at all changes nothing.
    """
    if is_listed.all():
        return verdict
    rows = np.arange(is_listed.shape[0])[:, None]
    last = np.maximum.accumulate(np.where(is_group_there, rows, 0), axis=0)
    return np.where(np.take_along_axis(is_listed, np.broadcast_to(last, is_listed.shape), axis=0), verdict, np.int8(OK))
