"""The page Best: aim and limits, figures and first sentence, the plan, and the right size."""

SHOWN = ("best_plan", "plan", "why")
