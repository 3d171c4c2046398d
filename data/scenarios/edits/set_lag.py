"""`set_lag`: one partition lags otherwise."""

from typing import ClassVar

import numpy as np

from evenkeel.assignors.edits.set_lag import set_lag
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.document.shape import Offset, PartitionNumber
from evenkeel.data.scenarios.edits.edit import Edit, EditPlace, require_topic
from evenkeel.data.scenarios.edits.parts.observed_edit import observed_after


class SetLag(Edit, frozen=True, kw_only=True, tag="set_lag"):
    """The end offset changes, the commit stays; where a lag alone is known, it changes."""

    causes_rebalance: ClassVar[bool] = False

    topic: str
    partition: PartitionNumber
    lag: Offset

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        row = require_topic(group, self.topic, at)
        count = int(group.snapshot.partition_count[row])
        if self.partition >= count:
            raise at.refusal("partition", f'found {self.partition}, but topic "{self.topic}" has {count:,} partitions, counted from 0')
        tps = group.snapshot.first_tp[row : row + 1] + self.partition
        try:
            return observed_after(group, set_lag(group.snapshot, tps, np.array([self.lag])))
        except OverflowError as error:
            raise at.refusal("lag", f"found {self.lag:,}: {error}") from None
