"""`scale_lag`: the lag of all partitions of a topic grows or falls by a factor."""

from typing import Annotated, ClassVar

import msgspec
import numpy as np

from evenkeel.assignors.group.edits.lag import set_lag
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag
from evenkeel.data.group.columns.observed import ObservedGroup
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

_MOST = 2**63 - 1


class ScaleLag(GroupEdit, frozen=True, kw_only=True, tag="scale_lag"):
    """Multiply the lag of each partition by `factor`, rounded to whole records.

    An unknown lag remains unknown.
    """

    form: ClassVar = Form(
        11,
        "Lag of a topic",
        "stacked_bar_chart",
        (TOPIC, Field("factor", "Times", "number", 2.0, most=1e12)),
    )

    causes_rebalance: ClassVar[bool] = False

    topic: str
    factor: Annotated[float, msgspec.Meta(ge=0, le=1e9)]

    def in_words(self, names: Names) -> str:
        return f"lag of {self.topic} × {self.factor:g}"

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        row = require_topic(group, self.topic, at)
        lag, tps = (
            page_lag(group.snapshot),
            np.arange(*group.snapshot.tps_of(row).indices(group.snapshot.tp_count)),
        )
        tps = tps[lag[tps] != UNKNOWN_LAG]
        scaled = [round(value * self.factor) for value in lag[tps].tolist()]
        if max(scaled, default=0) > _MOST:
            raise at.refusal("factor", f"found {self.factor:g}: a lag would exceed {_MOST:,}")
        try:
            return observed_after(
                group, set_lag(group.snapshot, tps, np.array(scaled, dtype=np.int64))
            )
        except OverflowError as error:
            raise at.refusal("factor", f"found {self.factor:g}: {error}") from None
