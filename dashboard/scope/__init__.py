"""The line above every page of a group: group, candidate, release, and whether the input is
complete.
"""

SHOWN = (
    "choices",
    "choose_cluster",
    "gain",
    "group_facts",
    "live",
    "open_group",
    "readings",
    "scope",
    "snapshots",
)
