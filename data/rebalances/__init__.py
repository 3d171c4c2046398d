"""Rebalances of groups, read from coordinators' logs and from the records of `__consumer_offsets`.

They answer why a group rebalanced, when, for how long, and which members caused it.
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
