"""What only the page Assignors shows."""

SHOWN = ("many_members", "member_bars", "tables")
