"""Rebalances of groups: why, when, how long, and which members caused them.

The input is coordinators' logs and the records of `__consumer_offsets`.
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
