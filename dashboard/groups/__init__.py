"""The page Groups: the groups of a cluster, worst first."""

SHOWN = ("group_table", "group_table.choices", "listing")
