"""`advance`: time passes; records come in, and members read."""

from typing import Annotated, ClassVar

import msgspec
import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.edits.advance import advance
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.document.shape import Shape, Time
from evenkeel.data.scenarios.edits.edit import Edit, EditPlace
from evenkeel.data.scenarios.edits.parts.observed_edit import observed_after

Rate = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
"""Records/s."""

OTHERS = "*"
"""Stands for every topic or member that is not named."""

MOST_SECONDS = 366 * 86_400


class Measured(Shape, frozen=True):
    """From when to when the rates of an edit were measured."""

    since: Time
    until: Time


class Advance(Edit, frozen=True, kw_only=True, tag="advance"):
    """Rates are constant. `in_rate`: records/s into each partition, by topic: one number, or one for each partition, null where unknown.

    `capacity`: records/s that each member can read, by member id. `*` stands for all others. What is missing is taken from a history of
    the group, over its last `window_seconds`, and written here with `measured`; nothing computes without both. Measured rates hold for the
    partitions that a topic had then: those that come later get equal parts of what comes into it.
    """

    causes_rebalance: ClassVar[bool] = False

    seconds: Annotated[float, msgspec.Meta(gt=0, le=MOST_SECONDS)]
    in_rate: dict[str, Rate | list[Rate | None]] | None = None
    capacity: dict[str, Rate] | None = None
    window_seconds: Annotated[float, msgspec.Meta(gt=0, le=MOST_SECONDS)] | None = None
    measured: Measured | None = None

    @property
    def lacks_rates(self) -> bool:
        """Whether a history has to give them."""
        return self.in_rate is None or self.capacity is None

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        for key, given in (("in_rate", self.in_rate), ("capacity", self.capacity)):
            if given is None:
                raise at.refusal(key, "missing, and there is no history of the group to take it from, expected records/s")
        if group.current is None:
            raise at.refusal("capacity", "the owners are unknown, so who reads what is unknown, expected a group with owners")
        edited = advance(group.snapshot, group.current.owner, self.seconds, self._in_rates(group, at), self._capacities(group, at))
        return observed_after(group, edited)

    def _in_rates(self, group: ObservedGroup, at: EditPlace) -> np.ndarray:
        snapshot = group.snapshot
        topics = zip(snapshot.topic_name, snapshot.partition_count, strict=True)
        rates = np.concatenate([np.empty(0), *(self._of_topic(name, int(count), at) for name, count in topics)])
        # A lag that is unknown stays so, whatever comes in.
        unknown = np.flatnonzero(np.isnan(rates) & (page_lag(snapshot) != UNKNOWN_LAG))
        if unknown.size:
            name = f"{snapshot.topic_name[snapshot.tp_topic[unknown[0]]]}-{snapshot.tp_partition[unknown[0]]}"
            raise at.refusal("in_rate", f'the rate of "{name}" is unknown, expected a number, because its lag is known')
        return np.nan_to_num(rates)

    def _of_topic(self, name: str, count: int, at: EditPlace) -> np.ndarray:
        rate = self.in_rate.get(name, self.in_rate.get(OTHERS, 0.0 if not count else None))
        if rate is None:
            raise at.refusal("in_rate", f'no rate of topic "{name}", expected one, or "{OTHERS}" for all others')
        if not isinstance(rate, list):
            return np.full(count, rate, dtype=np.float64)
        rates = np.array(rate, dtype=np.float64)
        if self.measured and 0 < rates.size < count:
            return np.concatenate([rates * (rates.size / count), np.full(count - rates.size, rates.sum() / count)])
        if rates.size != count:
            raise at.refusal(f'in_rate["{name}"]', f"{rates.size:,} rates, expected {count:,}, one for each partition")
        return rates

    def _capacities(self, group: ObservedGroup, at: EditPlace) -> np.ndarray:
        owners = set(np.unique(group.current.owner).tolist()) - {UNASSIGNED}
        found = [self.capacity.get(member_id, self.capacity.get(OTHERS)) for member_id in group.snapshot.member_id]
        missing = next((row for row in sorted(owners) if found[row] is None), None)
        if missing is not None:
            raise at.refusal(
                "capacity", f'no rate of member "{group.snapshot.member_id[missing]}", expected one, or "{OTHERS}" for all others'
            )
        return np.array([0.0 if rate is None else rate for rate in found])
