"""`set_lag`: the lag of one partition changes."""

from typing import ClassVar

import numpy as np

from evenkeel.assignors.group.edits.lag import set_lag
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document.shape import Offset, PartitionNumber
from evenkeel.data.scenarios.edits.edit import (
    TOPIC,
    EditPlace,
    Field,
    Form,
    GroupEdit,
    Names,
    require_topic,
)
from evenkeel.data.scenarios.edits.group_after import observed_after
from evenkeel.data.text.formats import count


class SetLag(GroupEdit, frozen=True, kw_only=True, tag="set_lag"):
    """The end offset changes; the commit stays. If offsets are unknown, only the lag changes."""

    form: ClassVar = Form(
        10,
        "Lag of a partition",
        "bar_chart",
        (
            TOPIC,
            Field("partition", "Partition", "whole", 0),
            Field("lag", "Lag in records", "whole", 100_000),
        ),
    )

    causes_rebalance: ClassVar[bool] = False

    topic: str
    partition: PartitionNumber
    lag: Offset

    def in_words(self, names: Names) -> str:
        return f"{partition_name(self.topic, self.partition)} lags {count(self.lag, 'record')}"

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        row = require_topic(group, self.topic, at)
        count = int(group.snapshot.partition_count[row])
        if self.partition >= count:
            raise at.refusal(
                "partition",
                f'found {self.partition}, but topic "{self.topic}" has {count:,} partitions,'
                " counted from 0",
            )
        tps = group.snapshot.first_tp[row : row + 1] + self.partition
        try:
            return observed_after(group, set_lag(group.snapshot, tps, np.array([self.lag])))
        except OverflowError as error:
            raise at.refusal("lag", f"found {self.lag:,}: {error}") from None
