"""Numbers about an answer: balance, load and moves, and the comparison of all assignors."""

SHOWN = (
    "balance",
    "comparison",
    "facts",
    "figure",
    "moves",
    "quirks",
)
