"""What only Compare shows."""

SHOWN = ("many_members", "member_bars", "tables")
