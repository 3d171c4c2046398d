"""What only Compare shows."""

SHOWN = ("fit_scatter", "many_members", "tables")
