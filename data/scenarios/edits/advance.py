"""`advance`: time passes; records come in, and members read."""

from typing import Annotated

import msgspec
import numpy as np

from assignors.assignment import UNASSIGNED
from assignors.edits.advance import advance
from data.columns.observed import ObservedGroup
from data.scenarios.edits.edit import Edit, EditPlace
from data.scenarios.edits.parts.changed import changed

Rate = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
"""Records/s."""

OTHERS = "*"
"""Stands for every topic or member that is not named."""

_MOST_SECONDS = 366 * 86_400


class Advance(Edit, frozen=True, kw_only=True, tag="advance"):
    """Rates are constant. `in_rate`: records/s into each partition, by topic: one number, or one for each partition.

    `capacity`: records/s that each member can read, by member id. `*` stands for all others.
    """

    seconds: Annotated[float, msgspec.Meta(gt=0, le=_MOST_SECONDS)]
    in_rate: dict[str, Rate | list[Rate]]
    capacity: dict[str, Rate]

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        if group.current is None:
            raise at.refusal("capacity", "the owners are unknown, so who reads what is unknown, expected a group with owners")
        snapshot = group.snapshot
        in_rate = np.concatenate(
            [self._of_topic(name, int(count), at) for name, count in zip(snapshot.topic_name, snapshot.partition_count)]
        )
        edited = advance(snapshot, group.current.owner, self.seconds, in_rate, self._capacities(group, at))
        return changed(group, edited)

    def _of_topic(self, name: str, count: int, at: EditPlace) -> np.ndarray:
        rate = self.in_rate.get(name, self.in_rate.get(OTHERS, 0.0 if not count else None))
        if rate is None:
            raise at.refusal("in_rate", f'no rate of topic "{name}", expected one, or "{OTHERS}" for all others')
        if isinstance(rate, list) and len(rate) != count:
            raise at.refusal(f'in_rate["{name}"]', f"{len(rate):,} rates, expected {count:,}, one for each partition")
        return np.broadcast_to(np.array(rate, dtype=np.float64), count)

    def _capacities(self, group: ObservedGroup, at: EditPlace) -> np.ndarray:
        owners = set(np.unique(group.current.owner).tolist()) - {UNASSIGNED}
        found = [self.capacity.get(member_id, self.capacity.get(OTHERS)) for member_id in group.snapshot.member_id]
        missing = next((row for row in sorted(owners) if found[row] is None), None)
        if missing is not None:
            raise at.refusal(
                "capacity", f'no rate of member "{group.snapshot.member_id[missing]}", expected one, or "{OTHERS}" for all others'
            )
        return np.array([0.0 if rate is None else rate for rate in found])
