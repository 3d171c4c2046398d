"""Rebalances: told by generation or epoch, else seen by members and owners that changed."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.history.series import Restarts, Series


class Rebalances(NamedTuple):
    """Rows of slots, int64 (R,): the last one before each, the one that shows it first, and the one that shows its new owners.

    `is_told` bool (R,): generation or epoch changed. Else members or owners did, while one of both generations is unknown.
    """

    before: np.ndarray
    row: np.ndarray
    end: np.ndarray
    is_told: np.ndarray


def rebalances(series: Series) -> Rebalances:
    """Return the rebalances that slots show, by time; slots that do not have the group are passed over."""
    there = np.flatnonzero(series.is_there)
    before, row = there[:-1], there[1:]
    known = series.generation != UNKNOWN
    is_known = known[before] & known[row]
    is_new = series.generation[before] != series.generation[row]
    # All members without partitions are between two owners: the slot before has shown this rebalance.
    is_between = series.is_member.any(axis=1) & series.is_listed.any(axis=1) & (series.owner == UNASSIGNED).all(axis=1)
    is_other = _is_other(series, before, row) & ~(is_between[before] & (before > there[:1]))
    places = np.flatnonzero(np.where(is_known, is_new, is_other))
    owned = np.append(there[~is_between[there]], there[-1:])
    end = owned[np.searchsorted(owned, row[places])]
    return Rebalances(before[places], row[places], end, is_known[places])


def of_restarts(series: Series, run: Restarts) -> np.ndarray:
    """Return which rebalances belong to a run of restarts, bool (R,): those in which no other member comes or goes.

    The run lasts from when its member was last there before it until one pause after it was back.
    """
    found = rebalances(series)
    time, back = series.time[found.row], int(np.searchsorted(series.time, run.times[0]))
    seen = np.flatnonzero(series.is_member[:back, run.member])
    is_within = (found.row > (seen[-1] if seen.size else back - 1)) & (time <= run.times[-1] + run.period)
    is_of_run = np.isin(np.arange(series.is_member.shape[1]), [one.member for one in series.restarts if one.is_unstable])
    changed = series.is_member[found.before] != series.is_member[found.row]
    return is_within & ~(changed & ~(is_of_run & (time <= run.times[-1])[:, None])).any(axis=1)


def may_be_more(series: Series) -> bool:
    """Tell whether rebalances between two slots may show nowhere: the generation of a slot with members is unknown."""
    return bool((series.is_member.any(axis=1) & (series.generation == UNKNOWN)).any())


def new_owners(series: Series, before: int, row: int) -> np.ndarray:
    """Return the partitions that have another owner than at a slot before, int64."""
    return np.flatnonzero((series.owner[row] != series.owner[before]) & series.is_listed[row] & series.is_listed[before])


def _is_other(series: Series, before: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Tell where the set of members, or the owner of a partition that both slots list, is another."""
    members = (series.is_member[row] != series.is_member[before]).any(axis=1)
    owners = (series.owner[row] != series.owner[before]) & series.is_listed[row] & series.is_listed[before]
    return members | owners.any(axis=1)
