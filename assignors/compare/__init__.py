"""Numbers about an answer: balance, load, moves, and the comparison of all assignors."""

SHOWN = (
    "advice",
    "balance",
    "comparison",
    "facts",
    "figure",
    "moves",
    "quirks",
)
