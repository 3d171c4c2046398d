"""What tells groups apart."""

GROUP = ("taken_at", "cluster", "group_id", "unnamed_in")

UNNAMED_IN = "if(group_id IS NULL, source_file, NULL) AS unnamed_in"
"""SQL over OFFSETS or MEMBERS: the file of a group without name, null where the group has one."""
