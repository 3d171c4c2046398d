"""Parts of the Timeline page."""

SHOWN = ("figures.time_axis", "loading.verdicts")
