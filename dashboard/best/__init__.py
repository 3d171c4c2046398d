"""Widgets of the page Best: aim and limits, its figures and first sentence, the plan, and the right
size.
"""

SHOWN = ("best_plan", "plan", "why")
