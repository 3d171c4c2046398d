"""The line above every page of a group: the group, the candidate, the release, and the completeness
of the input.
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
