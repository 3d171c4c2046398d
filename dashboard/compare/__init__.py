"""The page Assignors."""

SHOWN = ("many_members", "member_bars", "tables")
