"""What-if: the scenarios of the open group as lists of steps, and what each step does."""

SHOWN = (
    "effects",
    "figures.step_lines",
    "figures.step_members",
    "figures.step_sides",
    "scenario",
    "step_tables",
    "steps.charts",
    "steps.form",
    "steps.state",
    "steps.step_list",
    "steps.strip",
    "strips",
)
