"""What-if: the scenarios of the open group as lists of steps, and the effect of each step."""

SHOWN = ("charts", "effects", "scenario")
