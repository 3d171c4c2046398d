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
"""One row for each partition of a group in a listing. `listed_lag`: the printed lag, records, may
be negative. `lag_seconds`: age of the record at the committed offset by its own timestamp.
`stable_offset`: the end for readers of committed records, null unless it was asked for. Null
`member_id`: the partition has no owner, or the listing shows no owners.
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
"""One row for each member in a listing. `owned`: input of the next rebalance; `current`: a KIP-848
member's present partitions, if they differ. Both are null if not printed, empty if the member owns
nothing.

A row with null `member_id` is about the group alone (`--state`, or the head of a group document).
It carries the assumptions of a document, and in `subscribed` the topics of the document in order.
Consumers of a Kafka Streams application have rows here and in CONSUMERS.
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
"""Topics, whichever group reads them. A row with null `partition` has id, size and the settings
that delete records, null unless they were asked for; a row with a partition has its replica brokers
and racks.
"""

REJECTED = pa.schema(SOURCE + [("text", "string"), ("reason", "string")])
"""One row for each line that is neither row nor note. `text`: the line, cut at `MAX_TEXT`;
`reason`: value and expectation.
"""

MAX_TEXT = 1_000
"""Characters."""

NOTES = pa.schema(SOURCE + [("text", "string"), ("reason", "string")])
"""One row for each note with content: headers, messages of a tool, repeats of a row; blank lines
are only counted.

`reason`: its kind, as in `data/group/tables/parsed.py`. `text`: null if there are very many
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
"""One row for each task of a Kafka Streams application that a source describes, with the columns of
the streams document.

Tasks that only consumers name have no row.
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
"""One row for each consumer of a Kafka Streams application; the consumers of a process share its
id, client id, host, rack and tags.

`member_order`: place in the document. `list_order`: place in the coordinator's list. `owned`,
`standby`, `warmup`: tasks that are input of the next rebalance. `current_…`: tasks that run now.
Null where not printed. A row with null `member_id` is the head of a streams document: `settings` as
JSON, rates in records per second, `assumed`.
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
"""What sources return. EARLIER: rows of earlier readings without times, whose lines are notes."""

GROUP_KEY = INSTANT + [("group_id", "string"), ("unnamed_in", "string")]
"""The identity of a group in results. `unnamed_in`: the file of a group without name, null for a
named group.
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
"""One row for each row of OFFSETS. `lag`: records, for pages. `assignor_lag`: records as the `lag`
assignor reads them, null if it must take 0 because the end offset is missing. `lag_flag`: `past
end` (committed beyond the end, counted as 0), `before begin` (the committed record is deleted),
else null. `member_id`: the current owner, null without one.
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
"""LAG and MEMBERS summed in parts, never stored. A row has some of a member's partitions, how many
have a known lag, and the sum of those lags; or the number in the member's own listing.
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
"""One row for each member, also idle ones, and one with null `member_id` for partitions without
owner. `lag`: the sum of known lags, null if the member owns partitions and none has a known lag.
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
"""One row for each group and instant. `lag`: all partitions, owned or not; `max_lag`: of the worst
member. Both are null if there are partitions and no lag is known. All numbers are null if only the
name or the state of a group is known.
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

`lag`: records of partitions with a known lag; `max_lag`: of the worst partition; null without known
lags. Numbers of topics, partitions and unknown lags are null if hidden. `assignor`: null if the
group uses none now. `leader`: the client whose code assigns a classic group, null if unknown;
`leader_certain`: its bytes say so. `problem`: why part of the group cannot be seen. `names`: its
topics, and of its members the member id, client id, host and group.instance.id, one a line, for a
search.
"""

RESULTS = {"LAG": LAG, "MEMBER_LOAD": MEMBER_LOAD, "GROUP_LOAD": GROUP_LOAD}
"""What the transforms compute."""

STORED = TABLES | RESULTS
