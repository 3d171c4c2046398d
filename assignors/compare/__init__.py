"""Numbers about an assignment: balance, load and moves. Also the comparison of all assignors."""

SHOWN = (
    "balance",
    "comparison",
    "facts",
    "figure",
    "moves",
    "quirks",
)
