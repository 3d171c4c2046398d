"""The schemas of all tables: columns, types, units and the meaning of null.

They are Arrow schemas, because parsing, storing and reading need no Spark. Null means absent or
unknown, never 0.
"""

import pyarrow as pa

TIME = pa.timestamp("us", tz="UTC")
OWNED = pa.list_(pa.struct([("topic", "string"), ("partitions", pa.list_(pa.int32()))]))

INSTANT = [("taken_at", TIME), ("cluster", "string")]
SOURCE = [("source_format", "string"), ("source_file", "string"), ("source_line", "int64")]

_GROUP = [
    ("group_id", "string"),
    ("group_type", "string"),
    ("group_state", "string"),
    ("assignor", "string"),
    ("auto_offset_reset", "string"),
]
_MEMBER = [
    ("member_id", "string"),
    ("instance_id", "string"),
    ("client_id", "string"),
    ("host", "string"),
    ("rack", "string"),
]

OFFSETS = pa.schema(
    INSTANT
    + _GROUP
    + [
        pa.field("topic", "string", nullable=False),
        pa.field("partition", "int32", nullable=False),
        ("begin_offset", "int64"),
        ("committed_offset", "int64"),
        ("end_offset", "int64"),
        ("listed_lag", "int64"),
        ("lag_seconds", "float64"),
        ("stable_offset", "int64"),
        ("leader_epoch", "int32"),
    ]
    + _MEMBER
    + SOURCE
)
"""A row for each partition of a group in a listing.

`listed_lag`: the printed lag in records, may be negative. `lag_seconds`: age of the record at the
committed offset, by its own timestamp. `stable_offset`: the end offset for readers of committed
records, null if it was not requested. `member_id`: null if the partition has no owner, or the
listing shows no owners.
"""

MEMBERS = pa.schema(
    INSTANT
    + _GROUP
    + _MEMBER
    + [
        ("member_order", "int32"),
        ("subscribed", pa.list_(pa.string())),
        ("subscribed_regex", "string"),
        ("owned", OWNED),
        ("current", OWNED),
        ("partition_count", "int32"),
        ("generation", "int32"),
        ("joined_owned", OWNED),
        ("joined_generation", "int32"),
        ("epoch", "int32"),
        ("group_epoch", "int32"),
        ("assignment_epoch", "int32"),
        ("leader", "string"),
        ("leader_certain", "bool"),
        ("protocol_type", "string"),
        ("protocol", "string"),
        ("assignment_user_data", "int64"),
        ("assumed", pa.list_(pa.string())),
    ]
    + SOURCE
)
"""A row for each member in a listing.

`owned`: input of the next rebalance. `current`: present partitions of a KIP-848 member, if they
differ from `owned`. Both are null if not printed, and empty if the member owns nothing.

A row with null `member_id` is about the group: a row of `--state`, or the head of a group document.
The head has the document's assumptions, and its topics in `subscribed`, in order. Consumers of a
Kafka Streams application have rows here and in CONSUMERS.
"""

TOPICS = pa.schema(
    INSTANT
    + [
        pa.field("topic", "string", nullable=False),
        ("topic_id", "string"),
        ("partition_count", "int32"),
        ("partition", "int32"),
        ("replicas", pa.list_(pa.int32())),
        ("racks", pa.list_(pa.string())),
        ("cleanup_policy", "string"),
        ("retention_ms", "int64"),
        ("retention_bytes", "int64"),
        ("segment_ms", "int64"),
        ("segment_bytes", "int64"),
    ]
    + SOURCE
)
"""Topics, with or without a group that reads them.

A row with null `partition` has the topic's id, size and retention settings, null if they were not
requested. A row with a partition has its replica brokers and racks.
"""

REJECTED = pa.schema(SOURCE + [("text", "string"), ("reason", "string")])
"""A row for each line that is neither a row nor a note.

`text`: the line, cut at `MAX_TEXT`. `reason`: the value and the expected value.
"""

MAX_TEXT = 1_000
"""Characters."""

NOTES = pa.schema(SOURCE + [("text", "string"), ("reason", "string")])
"""A row for each note with content: a header, a message of a tool, or a repeated row. Blank lines
are only counted.

`reason`: the kind of note, as in `parsed.py`. `text`: null for most lines if there are many
repeats.
"""

_TASK_IDS = pa.list_(pa.string())
_RACKS = pa.list_(pa.list_(pa.string()))
_RATES = pa.list_(pa.struct([("name", "string"), ("rate", "float64")]))

TASKS = pa.schema(
    INSTANT
    + [
        ("group_id", "string"),
        pa.field("task_id", "string", nullable=False),
        ("task_order", "int32"),
        ("stateful", "bool"),
        ("end_offset_sum", "int64"),
        ("source_racks", _RACKS),
        ("changelog_racks", _RACKS),
        ("input_partitions", OWNED),
    ]
    + SOURCE
)
"""A row for each task that a source describes, with the columns of the streams document.

Tasks that only consumers list have no row.
"""

CONSUMERS = pa.schema(
    INSTANT
    + [
        ("group_id", "string"),
        ("group_type", "string"),
        ("member_id", "string"),
        ("member_order", "int32"),
        ("list_order", "int64"),
        ("process_id", "string"),
        ("client_id", "string"),
        ("host", "string"),
        ("rack", "string"),
        ("client_tags", pa.list_(pa.struct([("key", "string"), ("value", "string")]))),
        *(
            (name, _TASK_IDS)
            for name in (
                "owned",
                "standby",
                "warmup",
                "current_active",
                "current_standby",
                "current_warmup",
            )
        ),
        (
            "task_offset_sums",
            pa.list_(pa.struct([("task_id", "string"), ("offset_sum", "int64")])),
        ),
        ("settings", "string"),
        ("restore_rates", _RATES),
        ("end_offset_rates", _RATES),
        ("assumed", pa.list_(pa.string())),
    ]
    + SOURCE
)
"""A row for each consumer of a Kafka Streams application. All consumers of a process have the same
process id, client id, host, rack and tags.

`member_order`: place in the document. `list_order`: place in the coordinator's list. `owned`,
`standby`, `warmup`: tasks, the input of the next rebalance. `current_…`: tasks that run now. Null
if not printed.

A row with null `member_id` is the head of a streams document: `settings` as JSON, rates in records
per second, and `assumed`.
"""

TABLES = {
    "OFFSETS": OFFSETS,
    "MEMBERS": MEMBERS,
    "TOPICS": TOPICS,
    "TASKS": TASKS,
    "CONSUMERS": CONSUMERS,
    "REJECTED": REJECTED,
    "NOTES": NOTES,
    "EARLIER": OFFSETS,
}
"""The tables of a source. EARLIER: rows of earlier readings without times; their lines are
notes.
"""

GROUP_KEY = INSTANT + [("group_id", "string"), ("unnamed_in", "string")]
"""The columns that identify a group in results.

`unnamed_in`: the file of a group without name, null for a group with a name.
"""

LAG = pa.schema(
    GROUP_KEY
    + [
        ("topic", "string"),
        ("partition", "int32"),
        ("member_id", "string"),
        ("lag", "int64"),
        ("assignor_lag", "int64"),
        ("lag_flag", "string"),
    ]
)
"""A row for each row of OFFSETS.

`lag`: records, for pages. `assignor_lag`: records as the `lag` assignor reads them, null if it uses
0 because the end offset is missing. `lag_flag`: `past end` if the commit is past the end, which
counts as 0; `before begin` if the committed record is deleted; else null. `member_id`: the current
owner, null if there is none.
"""

SHARES = pa.schema(
    GROUP_KEY
    + [
        ("member_id", "string"),
        ("owned_count", "int64"),
        ("known_count", "int64"),
        ("lag", "int64"),
        ("printed_count", "int64"),
    ]
)
"""Partial sums of LAG and MEMBERS, never stored.

A row has some of a member's partitions, how many of them have a known lag, and the sum of these
lags; or it has the number of partitions in the member's own listing.
"""

MEMBER_LOAD = pa.schema(
    GROUP_KEY
    + [
        ("member_id", "string"),
        ("partition_count", "int64"),
        ("lag", "int64"),
        ("unknown_lag_count", "int64"),
    ]
)
"""A row for each member, including idle members, and a row with null `member_id` for partitions
without owner.

`lag`: sum of known lags, null if all lags are unknown.
"""

GROUP_LOAD = pa.schema(
    GROUP_KEY
    + [
        ("member_count", "int64"),
        ("idle_members", "int64"),
        ("partition_count", "int64"),
        ("unassigned_count", "int64"),
        ("unknown_lag_count", "int64"),
        ("lag", "int64"),
        ("max_lag", "int64"),
    ]
)
"""A row for each group and instant.

`lag`: of all partitions, owned or not. `max_lag`: lag of the worst member. Both are null if all
lags are unknown. All numbers are null if only the name or the state of a group is known.
"""

GROUPS = pa.schema(
    [
        ("group_id", "string"),
        ("group_type", "string"),
        ("state", "string"),
        ("assignor", "string"),
        ("leader", "string"),
        ("leader_certain", "bool"),
        ("member_count", "int64"),
        ("idle_members", "int64"),
        ("topic_count", "int64"),
        ("partition_count", "int64"),
        ("lag", "int64"),
        ("max_lag", "int64"),
        ("worst_partition", "string"),
        ("unknown_lag_count", "int64"),
        ("problem", "string"),
        ("names", "string"),
    ]
)
"""The groups of a live cluster, never stored.

`lag`: records of partitions with a known lag. `max_lag`: lag of the worst partition. Both are null
if all lags are unknown. Numbers of topics, partitions and unknown lags are null if hidden.
`assignor`: null if the group uses none now. `leader`: the client whose code assigns a classic
group, null if unknown. `leader_certain`: whether its bytes prove it. `problem`: why a part of the
group is hidden. `names`: for a search, one name a line: topics, and each member's id, client id,
host and group.instance.id.
"""

RESULTS = {"LAG": LAG, "MEMBER_LOAD": MEMBER_LOAD, "GROUP_LOAD": GROUP_LOAD}
"""The results of the transforms."""

STORED = TABLES | RESULTS
