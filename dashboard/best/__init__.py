"""The page Best: aim and limits, figures and first sentence, the plan, and the number of members
that the group needs.
"""

SHOWN = ("best_plan", "plan", "why")
