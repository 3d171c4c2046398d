"""The line above every page of a group: which group, which candidate, which release, how complete
the input is.
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
