"""Numbers about an answer: balance, load, moves, and the comparison of all assignors."""

SHOWN = (
    "balance",
    "comparison",
    "facts",
    "figure",
    "moves",
    "quirks",
)
