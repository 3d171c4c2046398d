"""Header words as names of the tables' columns."""

_COLUMN_OF = {
    "PID": "partition",
    "OFFSET": "committed_offset",
    "CURRENT-OFFSET": "committed_offset",
    "LOGSIZE": "end_offset",
    "LOG-END-OFFSET": "end_offset",
    "LAG": "listed_lag",
    "OFFSET-LAG": "listed_lag",
    "GROUP": "group_id",
    "CONSUMER-ID": "member_id",
    "GROUP-INSTANCE-ID": "instance_id",
    "#PARTITIONS": "partition_count",
    "CURRENT-EPOCH": "epoch",
    "MEMBER-EPOCH": "epoch",
    "MEMBER": "member_id",
    "PROCESS": "process_id",
    "TARGET-EPOCH": "assignment_epoch",
    "TARGET-ASSIGNMENT-EPOCH": "assignment_epoch",
    "COORDINATOR (ID)": "coordinator",
    "ASSIGNMENT-STRATEGY": "assignor",
    "TASK-ASSIGNOR": "assignor",
    "TYPE": "group_type",
    "STATE": "group_state",
    "#MEMBERS": "member_count",
}


def column_of(word: str) -> str:
    """Return the column that a header word stands for, also as 0.8.2 and 0.9.0 write it; words that are not here name their column."""
    plain = word.upper().replace(" ", "-") if word not in _COLUMN_OF else word
    return _COLUMN_OF.get(plain, plain.lower().replace("-", "_"))
