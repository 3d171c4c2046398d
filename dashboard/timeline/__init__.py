"""Parts of the Timeline page."""

SHOWN = ("loading.verdicts",)
