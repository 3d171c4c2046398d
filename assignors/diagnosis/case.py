"""Case: the input of all causes. It has a reading, often an earlier reading, and sums of both."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.diagnosis.finding import GAIN, Certainty, Code
from evenkeel.assignors.diagnosis.offer import Offer
from evenkeel.assignors.diagnosis.pace import Flow, Pace, flow_of, pace_of
from evenkeel.assignors.diagnosis.reading import PATIENCE_SECONDS, Earlier, Reading
from evenkeel.assignors.diagnosis.spread import Spread, spread_of
from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG, known_lag, summable, uncommitted_lag
from evenkeel.assignors.protocol import SHARE

SMALL_LAG = 1_000
"""A member with at most this lag, in records, is no problem."""

PREPARING = ("PreparingRebalance", "CompletingRebalance", "AwaitingSync")
RECONCILING = ("Assigning", "Reconciling")
WITHOUT_MEMBERS = ("Empty", "Dead")


@dataclass(frozen=True, eq=False)
class Case:
    """The input of all causes: a reading, an earlier reading, the assignments of the assignors, and
    the codes of the findings that are primary so far.

    `offers`: function from the lags, int64 (P,), to one `Offer` for each assignor. It is slow,
    so it is called at most once.
    """

    now: Reading
    earlier: Earlier | None = None
    offers: Callable[[np.ndarray], Sequence[Offer]] = lambda lag: ()
    gain: float = GAIN
    primary: set[Code] = field(default_factory=set)

    @property
    def group(self) -> GroupSnapshot:
        return self.now.group

    @property
    def owner(self) -> np.ndarray | None:
        return self.now.owner

    @property
    def owners(self) -> np.ndarray:
        """The same as `owner`. Only for causes that know that `owner` is not None."""
        return cast(np.ndarray, self.now.owner)

    @property
    def before(self) -> Earlier:
        """The same as `earlier`. Only for causes that know that `earlier` is not None."""
        return cast(Earlier, self.earlier)

    @property
    def member_count(self) -> int:
        return len(self.now.group.member_id)

    @cached_property
    def all_offers(self) -> Sequence[Offer]:
        """Offers of all assignors to which the group can switch by a setting."""
        return self.offers(self.lag_now)

    # Lag

    @cached_property
    def lag(self) -> np.ndarray:
        """Records behind, int64 (P,). 0 for partitions that are not in the reading."""
        lag = summable(known_lag(self.group))
        return lag if self.now.is_read.all() else np.where(self.now.is_read, lag, 0)

    @cached_property
    def is_unknown(self) -> np.ndarray:
        """bool (P,): partitions in the reading whose lag is unknown."""
        return self.lag == UNKNOWN_LAG

    @cached_property
    def unknown_count(self) -> int:
        return int(np.count_nonzero(self.is_unknown))

    @cached_property
    def known(self) -> np.ndarray:
        """Lag, int64 (P,). An unknown lag is 0."""
        return np.maximum(self.lag, 0) if self.unknown_count else self.lag

    @cached_property
    def at_most(self) -> np.ndarray:
        """The highest possible lag of partitions without any commit, int64 (P,). Others: 0."""
        if not self.unknown_count:
            return np.zeros(self.group.tp_count, dtype=np.int64)
        return np.where(self.is_unknown & ~self.is_left, uncommitted_lag(self.group), 0)

    @cached_property
    def total(self) -> int | None:
        """Known lag of all partitions. None if no lag is known."""
        if self.unknown_count == np.count_nonzero(self.now.is_read):
            return None
        return int(self.known.sum())

    @cached_property
    def is_left(self) -> np.ndarray:
        """bool (P,): left partitions. No member subscribes to their topic any more."""
        group, now = self.group, self.now
        is_told = now.are_members_known and group.are_subscriptions_known and now.owner is not None
        if not (is_told and self.member_count) or group.is_all_in_play:
            return np.zeros(group.tp_count, dtype=bool)
        return now.is_read & ~group.in_play[group.tp_topic] & (now.owner == UNASSIGNED)

    @cached_property
    def left_lag(self) -> int:
        return int(self.known[self.is_left].sum())

    @cached_property
    def base(self) -> int | None:
        """The lag that counts as 100 %: the total lag without the left partitions."""
        return None if self.total is None else self.total - self.left_lag

    @cached_property
    def is_unread(self) -> np.ndarray | None:
        """bool (P,): partitions without an owner in topics with readers. None if unknown."""
        if self.owner is None:
            return None
        return self.now.is_read & (self.owner == UNASSIGNED) & ~self.is_left

    @cached_property
    def unread_lag(self) -> int | None:
        if self.is_unread is None or self.total is None:
            return None
        return int(self.known[self.is_unread].sum())

    @cached_property
    def read_count(self) -> int:
        """Number of partitions in the topics that members read."""
        return int(np.count_nonzero(self.now.is_read & ~self.is_left))

    # State

    @property
    def is_share(self) -> bool:
        return self.now.group_type == SHARE

    @cached_property
    def is_rebalancing(self) -> bool:
        """Whether the owners are temporary: Kafka reports a rebalance, or the state is unknown and
        no partition has an owner although there are members.
        """
        if self.now.state in PREPARING:
            return True
        return self.now.state is None and self._owns_nothing

    @cached_property
    def _owns_nothing(self) -> bool:
        if self.owner is None or not (self.member_count and self.read_count):
            return False
        return not (self.owner != UNASSIGNED).any()

    @property
    def is_reconciling(self) -> bool:
        return self.now.state in RECONCILING

    @cached_property
    def has_no_member(self) -> bool:
        """Whether the group certainly has no members: by its state, or because owners are known and
        there are no members.
        """
        if self.now.state in WITHOUT_MEMBERS:
            return True
        return self.member_count == 0 and self.owner is not None and not self.is_rebalancing

    @cached_property
    def reads_without_members(self) -> bool:
        """Whether commits grow without members: a consumer assigns partitions to itself."""
        return self.has_no_member and self.earlier is not None and bool(self.moved.any())

    @cached_property
    def is_judged(self) -> bool:
        """Whether owners can be judged: they are known, not temporary, and not of a share group."""
        return self._is_at_rest and self.owner is not None

    @cached_property
    def _is_at_rest(self) -> bool:
        return not (self.is_rebalancing or self.has_no_member or self.is_share)

    @property
    def reading_count(self) -> int:
        return 1 if self.is_one_reading else 2

    @cached_property
    def is_one_reading(self) -> bool:
        """Whether only the later reading is used. Then there is no earlier reading; or the readings
        are less than five minutes apart, and no commit grew.
        """
        return self.earlier is None or not self.tells

    # Two readings

    @cached_property
    def moved(self) -> np.ndarray:
        """bool (P,): partitions whose commit grew between the two readings."""
        before, now = self.before.committed, self.group.committed_offset
        return (before != UNKNOWN) & (now > before)

    @cached_property
    def tells(self) -> bool:
        """Whether the readings can show a stalled partition: the commit of another partition grew,
        or the readings are at least five minutes apart.
        """
        return bool(self.moved.any()) or self.before.seconds >= PATIENCE_SECONDS

    @cached_property
    def waits(self) -> np.ndarray:
        """bool (P,): partitions whose commit did not grow although ten or more records were
        waiting. If owners are known, only partitions with the same owner at both readings count.
        """
        if self.is_one_reading or not self._is_at_rest:
            return np.zeros(self.group.tp_count, dtype=bool)
        same = self.before.committed == self.group.committed_offset
        waits = same & (self.group.committed_offset != UNKNOWN) & (self.before.lag >= 10)
        if self.owner is None:
            return waits
        return waits & self.before.has_same_owner & (self.owner != UNASSIGNED)

    # Members

    @cached_property
    def lag_now(self) -> np.ndarray:
        """Lag, int64 (P,). If the commit has reached the end offset of the earlier reading, the lag
        counts as 0, because its records arrived later.
        """
        if self.earlier is None:
            return self.known
        end, committed = self.earlier.end, self.group.committed_offset
        is_on_its_way = (end != UNKNOWN) & (committed != UNKNOWN) & (committed >= end)
        return np.where(is_on_its_way, 0, self.known)

    @cached_property
    def held(self) -> np.ndarray:
        """Row numbers of held partitions, int64 (H,). They have an owner and a known lag."""
        is_held = (self.owner != UNASSIGNED) & self.now.is_read
        return (is_held & ~self.is_unknown if self.unknown_count else is_held).nonzero()[0]

    @cached_property
    def held_owner(self) -> np.ndarray:
        """Owners of held partitions, int32 (H,)."""
        return self.owners[self.held]

    @cached_property
    def held_lag_now(self) -> np.ndarray:
        """`lag_now` of the held partitions, int64 (H,)."""
        return self.lag_now[self.held]

    @cached_property
    def held_lag(self) -> int:
        return int(self.held_lag_now.sum())

    @cached_property
    def member_lag(self) -> np.ndarray:
        """The sum of `lag_now` over each member's held partitions, int64 (M,)."""
        return self.lag_of_members(self.held)

    def is_of(self, members: np.ndarray) -> np.ndarray:
        """bool (H,): held partitions whose owner is one of `members`."""
        chosen = np.zeros(self.member_count, dtype=bool)
        chosen[members] = True
        return chosen[self.held_owner]

    def lag_of_members(self, tps: np.ndarray) -> np.ndarray:
        """Return each member's lag in the partitions `tps`, int64 (M,). All need an owner."""
        lag = np.zeros(self.member_count, dtype=np.int64)
        np.add.at(lag, self.owners[tps], self.lag_now[tps])
        return lag

    @cached_property
    def is_small(self) -> bool:
        """Whether every member has so little lag that it is no problem."""
        lag = self.lag_now if self.owner is None else self.held_lag_now
        if int(lag.max(initial=0)) <= SMALL_LAG // 10:
            return True
        return self.owner is not None and int(self.member_lag.max(initial=0)) <= SMALL_LAG

    @cached_property
    def keeps_up_unseen(self) -> bool:
        """Whether every partition keeps up, judged by two readings. Only for groups with unknown
        owners.

        A partition keeps up if it has almost no lag. It also keeps up if its commit reached the
        end offset of the earlier reading and grew by at least half of the records that arrived
        since.
        """
        if self.owner is not None or self.is_one_reading or self.unknown_count:
            return False
        before, group = self.before, self.group
        read = group.committed_offset - before.committed
        arrived = group.end_offset - before.end
        is_known = (before.committed != UNKNOWN) & (before.end != UNKNOWN)
        is_reading = is_known & (self.lag_now == 0) & (2 * read >= arrived)
        return bool((is_reading | (self.known <= SMALL_LAG // 10)).all())

    @cached_property
    def is_open(self) -> bool:
        """Whether findings about members are possible: owners can be judged, lag is not small."""
        return self.is_judged and not self.is_small

    @cached_property
    def spread(self) -> Spread:
        """How the lag of the topics with most of the lag is spread over the members."""
        return spread_of(self.now, self.owners, self.held, self.lag_now)

    @cached_property
    def pace(self) -> Pace | None:
        """Read rates and capacities between the two readings. None if an owner changed, or if the
        lag of a partition with an owner or a subscriber is unknown.
        """
        counts = self.now.is_read & ~self.is_left
        if self.is_one_reading or not self.is_judged or self.is_unknown[counts].any():
            return None
        before, held = self.before, self.held
        if not before.has_same_owner[held].all():
            return None
        count, lag = self.member_count, self.lag_now
        return pace_of(self.flow, counts, count, before, held, self.owners, lag, SMALL_LAG)

    @cached_property
    def flow(self) -> Flow:
        """Records/s between two readings."""
        return flow_of(self.group, self.before)

    def rates(self, tps: np.ndarray) -> dict[str, float]:
        """Return the records/s that arrive and that are read. Empty if a rate is unknown."""
        if self.is_one_reading:
            return {}
        comes, reads = (float(each[tps].sum()) for each in self.flow)
        if math.isnan(comes + reads):
            return {}
        return {"in_rate": rounded(comes), "read_rate": rounded(reads)}

    @property
    def is_short(self) -> bool:
        """Whether all members together read fewer records/s than arrive."""
        return self.pace is not None and self.pace.is_short

    @property
    def never_drains(self) -> bool:
        """Whether the group's lag would never drain, whatever the assignment."""
        return self.pace is not None and self.pace.never_drains

    def drained_in(self, owner: np.ndarray) -> float:
        """Return the seconds until the lag drains if these are the owners, int32 (P,). inf if it
        never drains; NaN if unknown, or if the commit of a partition does not grow.
        """
        if self.never_drains:
            return math.inf
        if self.pace is None or self.waits.any():
            return math.nan
        return float(self.pace.drained(self.lag_now, owner).group)

    @cached_property
    def is_late(self) -> np.ndarray:
        """bool (M,): late members. A member is late if it has more than `SMALL_LAG` records of lag,
        or more than a quarter of the lag of all members.
        """
        return (self.member_lag > SMALL_LAG) | (self.member_lag > self.held_lag / 4)

    @cached_property
    def are_few_late(self) -> bool:
        """Whether at most half of the members are late. Otherwise members are not the cause."""
        return 2 * int(np.count_nonzero(self.is_late)) <= self.member_count

    @property
    def doubt(self) -> Certainty:
        """How certain it is that the group is behind. In a single reading, a small lag may be the
        records since the last commit.
        """
        is_large = int(self.lag_now.max(initial=0)) > 10 * SMALL_LAG
        return Certainty.LIKELY if is_large or not self.is_one_reading else Certainty.UNSURE


def rounded(rate: float) -> float:
    """Return a rate for display. Low rates have one decimal place, because 0 means that no records
    are read.
    """
    return round(rate) if rate >= 10 or not rate else round(rate, 1)


def rows(mask: np.ndarray) -> tuple[int, ...]:
    """Return the positions at which `mask` is True, ascending."""
    return tuple(np.flatnonzero(mask).tolist())


def lower_median(values: np.ndarray) -> int:
    """Return the middle value, or the lower of two middle values. `values` must not be empty."""
    return int(np.partition(values, (values.size - 1) // 2)[(values.size - 1) // 2])
