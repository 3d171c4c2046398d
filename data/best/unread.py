"""Partitions that nobody reads now, and partitions that a plan leaves without an owner."""

from typing import NamedTuple, Self

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.best.answer import Best
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import page_lag, total_lag, unread_tps
from evenkeel.data.text.formats import compact, counted


class Unread(NamedTuple):
    """Partitions without a reader, now and in a plan, as row numbers (int64).

    `now`: partitions that nobody reads now. None if it is unknown who reads them. `unassigned`:
    partitions without an owner in the plan, because no member is known to subscribe to the topic.
    """

    group: GroupSnapshot
    now: np.ndarray | None
    unassigned: np.ndarray

    @classmethod
    def of(cls, current: Assignment | None, best: Best) -> Self:
        """Return the partitions without a reader. `current`: present owners. `best`: the plan."""
        group = best.problem.group
        unassigned = np.setdiff1d(np.arange(group.tp_count), best.problem.tp)
        return cls(group, None if current is None else unread_tps(group, current.owner), unassigned)

    @property
    def lag(self) -> int | None:
        """Records in partitions that nobody reads now."""
        return None if self.now is None else total_lag(page_lag(self.group)[self.now])

    @property
    def unassigned_lag(self) -> int | None:
        """Records in partitions without an owner in the plan."""
        return total_lag(page_lag(self.group)[self.unassigned])

    @property
    def sentence(self) -> str:
        """A sentence about the records that nobody reads now: the plan gives all, some or none of
        their partitions an owner. Empty if there are no such records.
        """
        if self.now is None or not self.lag:
            return ""
        size = self.now.size
        left = np.intersect1d(self.now, self.unassigned).size
        head = f"Nobody reads {compact(self.lag)} records of {counted(size, 'partition')} now"
        if not left:
            its = "the partition" if size == 1 else "each partition"
            return f"{head}. This plan gives {its} an owner."
        which = "it" if size == 1 else "them"
        if left < size:
            which = f"{left:,} of them"
        return (
            f"{head}, and no plan gives {which} an owner: no member is known to subscribe to "
            f"{'its topic' if size == 1 else 'their topics'}."
        )

    @property
    def unassigned_line(self) -> str:
        """A line: number and lag of partitions without an owner in the plan. Empty if every
        partition has an owner.
        """
        if not self.unassigned.size:
            return ""
        is_known = self.group.are_subscriptions_known
        why = "may own them" if is_known else "is known to subscribe to them"
        records = f", with {self.unassigned_lag:,} records" if self.unassigned_lag else ""
        return f"unassigned, no member {why}: {self.unassigned.size:,}{records}"
