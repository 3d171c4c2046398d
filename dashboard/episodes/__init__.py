"""Members of groups, and clusters that have stopped sending, for the server's gauges."""

SHOWN = ("loading", "members")
