"""Rebalances of groups from coordinators' logs and `__consumer_offsets`: why, when, for how long,
and which members caused them.
"""

SHOWN = (
    "chains",
    "event",
    "frozen",
    "history",
    "lines",
    "live",
    "replayed",
    "store",
    "table",
    "words",
)
