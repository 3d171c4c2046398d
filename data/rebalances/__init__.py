"""Rebalances of groups: why, when, how long, and which members caused them; from coordinators' logs
and from the records of `__consumer_offsets`.
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
