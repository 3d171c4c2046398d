"""What-if: the scenarios of the open group as lists of steps, and what each step does."""

SHOWN = ("charts", "effects", "scenario")
