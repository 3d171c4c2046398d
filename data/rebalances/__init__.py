"""Why groups rebalanced, when, how long and who: from coordinators' logs and from the records of
`__consumer_offsets`.
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
