"""The tables: their columns, types and units, and the meaning of null.

Arrow schemas, because parsing, storing and reading need no Spark. Null means absent or unknown,
never 0.
"""

import pyarrow as pa

TIME = pa.timestamp("us", tz="UTC")
OWNED = pa.list_(pa.struct([("topic", pa.string()), ("partitions", pa.list_(pa.int32()))]))

INSTANT = [("taken_at", TIME), ("cluster", pa.string())]
SOURCE = [("source_format", pa.string()), ("source_file", pa.string()), ("source_line", pa.int64())]

_GROUP = [
    ("group_id", pa.string()),
    ("group_type", pa.string()),
    ("group_state", pa.string()),
    ("assignor", pa.string()),
    ("auto_offset_reset", pa.string()),
]
_MEMBER = [
    ("member_id", pa.string()),
    ("instance_id", pa.string()),
    ("client_id", pa.string()),
    ("host", pa.string()),
    ("rack", pa.string()),
]

OFFSETS = pa.schema(
    INSTANT
    + _GROUP
    + [
        pa.field("topic", pa.string(), nullable=False),
        pa.field("partition", pa.int32(), nullable=False),
        ("begin_offset", pa.int64()),
        ("committed_offset", pa.int64()),
        ("end_offset", pa.int64()),
        ("listed_lag", pa.int64()),
        ("lag_seconds", pa.float64()),
        ("stable_offset", pa.int64()),
        ("leader_epoch", pa.int32()),
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
        ("member_order", pa.int32()),
        ("subscribed", pa.list_(pa.string())),
        ("subscribed_regex", pa.string()),
        ("owned", OWNED),
        ("current", OWNED),
        ("partition_count", pa.int32()),
        ("generation", pa.int32()),
        ("joined_owned", OWNED),
        ("joined_generation", pa.int32()),
        ("epoch", pa.int32()),
        ("group_epoch", pa.int32()),
        ("assignment_epoch", pa.int32()),
        ("leader", pa.string()),
        ("leader_certain", pa.bool_()),
        ("protocol_type", pa.string()),
        ("protocol", pa.string()),
        ("assignment_user_data", pa.int64()),
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
        pa.field("topic", pa.string(), nullable=False),
        ("topic_id", pa.string()),
        ("partition_count", pa.int32()),
        ("partition", pa.int32()),
        ("replicas", pa.list_(pa.int32())),
        ("racks", pa.list_(pa.string())),
        ("cleanup_policy", pa.string()),
        ("retention_ms", pa.int64()),
        ("retention_bytes", pa.int64()),
        ("segment_ms", pa.int64()),
        ("segment_bytes", pa.int64()),
    ]
    + SOURCE
)
"""Topics, whichever group reads them. A row with null `partition` has id, size and the settings
that delete records, null unless they were asked for; a row with a partition has its replica brokers
and racks.
"""

REJECTED = pa.schema(SOURCE + [("text", pa.string()), ("reason", pa.string())])
"""One row for each line that is neither row nor note. `text`: the line, cut at `MAX_TEXT`;
`reason`: value and expectation.
"""

MAX_TEXT = 1_000
"""Characters."""

NOTES = pa.schema(SOURCE + [("text", pa.string()), ("reason", pa.string())])
"""One row for each note with content: headers, messages of a tool, repeats of a row; blank lines
are only counted.

`reason`: its kind, as in `data/group/tables/parsed.py`. `text`: null if there are very many
repeats.
"""

_TASK_IDS = pa.list_(pa.string())
_RACKS = pa.list_(pa.list_(pa.string()))
_RATES = pa.list_(pa.struct([("name", pa.string()), ("rate", pa.float64())]))

TASKS = pa.schema(
    INSTANT
    + [
        ("group_id", pa.string()),
        pa.field("task_id", pa.string(), nullable=False),
        ("task_order", pa.int32()),
        ("stateful", pa.bool_()),
        ("end_offset_sum", pa.int64()),
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
        ("group_id", pa.string()),
        ("group_type", pa.string()),
        ("member_id", pa.string()),
        ("member_order", pa.int32()),
        ("list_order", pa.int64()),
        ("process_id", pa.string()),
        ("client_id", pa.string()),
        ("host", pa.string()),
        ("rack", pa.string()),
        ("client_tags", pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())]))),
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
            pa.list_(pa.struct([("task_id", pa.string()), ("offset_sum", pa.int64())])),
        ),
        ("settings", pa.string()),
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

GROUP_KEY = INSTANT + [("group_id", pa.string()), ("unnamed_in", pa.string())]
"""The identity of a group in results. `unnamed_in`: the file of a group without name, null for a
named group.
"""

LAG = pa.schema(
    GROUP_KEY
    + [
        ("topic", pa.string()),
        ("partition", pa.int32()),
        ("member_id", pa.string()),
        ("lag", pa.int64()),
        ("assignor_lag", pa.int64()),
        ("lag_flag", pa.string()),
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
        ("member_id", pa.string()),
        ("owned_count", pa.int64()),
        ("known_count", pa.int64()),
        ("lag", pa.int64()),
        ("printed_count", pa.int64()),
    ]
)
"""LAG and MEMBERS summed in parts, never stored. A row has some of a member's partitions, how many
have a known lag, and the sum of those lags; or the number in the member's own listing.
"""

MEMBER_LOAD = pa.schema(
    GROUP_KEY
    + [
        ("member_id", pa.string()),
        ("partition_count", pa.int64()),
        ("lag", pa.int64()),
        ("unknown_lag_count", pa.int64()),
    ]
)
"""One row for each member, also idle ones, and one with null `member_id` for partitions without
owner. `lag`: the sum of known lags, null if the member owns partitions and none has a known lag.
"""

GROUP_LOAD = pa.schema(
    GROUP_KEY
    + [
        ("member_count", pa.int64()),
        ("idle_members", pa.int64()),
        ("partition_count", pa.int64()),
        ("unassigned_count", pa.int64()),
        ("unknown_lag_count", pa.int64()),
        ("lag", pa.int64()),
        ("max_lag", pa.int64()),
    ]
)
"""One row for each group and instant. `lag`: all partitions, owned or not; `max_lag`: of the worst
member. Both are null if there are partitions and no lag is known. All numbers are null if only the
name or the state of a group is known.
"""

GROUPS = pa.schema(
    [
        ("group_id", pa.string()),
        ("group_type", pa.string()),
        ("state", pa.string()),
        ("assignor", pa.string()),
        ("leader", pa.string()),
        ("leader_certain", pa.bool_()),
        ("member_count", pa.int64()),
        ("idle_members", pa.int64()),
        ("topic_count", pa.int64()),
        ("partition_count", pa.int64()),
        ("lag", pa.int64()),
        ("max_lag", pa.int64()),
        ("worst_partition", pa.string()),
        ("unknown_lag_count", pa.int64()),
        ("problem", pa.string()),
        ("names", pa.string()),
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


# Tables that histories are made into


_DRAIN = [
    ("drain_low_seconds", pa.float64()),
    ("drain_seconds", pa.float64()),
    ("drain_high_seconds", pa.float64()),
    ("drain_is_never", pa.bool_()),
]
_VERDICT = [
    ("verdict", pa.string()),
    ("lasting_verdict", pa.string()),
    ("verdict_since", TIME),
    ("verdict_is_older", pa.bool_()),
    ("verdict_before", pa.string()),
]
_HISTORY_KEY = [("taken_at", TIME), ("cluster", pa.string()), ("group_id", pa.string())]

GROUP_VERDICT = pa.schema(
    _HISTORY_KEY
    + [
        ("since", TIME),
        ("slot_count", pa.int64()),
        *_VERDICT,
        ("partition_count", pa.int64()),
        ("unobserved_count", pa.int64()),
        ("member_count", pa.int64()),
        ("lag", pa.int64()),
        ("unknown_lag_count", pa.int64()),
        ("lag_seconds", pa.float64()),
        ("lag_seconds_method", pa.string()),
        ("unknown_seconds_count", pa.int64()),
        ("in_rate", pa.float64()),
        ("out_rate", pa.float64()),
        *_DRAIN,
        ("drain_assumed_count", pa.int64()),
        ("lags", pa.list_(pa.int64())),
    ]
)
"""One row for each group: what its snapshots from `since` to `taken_at` say of the last one.

`verdict`: of its worst partition; `lasting_verdict`: the same, but OK if that is SLOW that has not
lasted yet. `verdict_since`: the first slot since which the lasting verdict holds without a break,
`verdict_is_older` if it may have held for longer; `verdict_before`: the verdict before it, null if
unknown. `unobserved_count`: partitions without any observation, which count as OK. `lag`: the sum
of known lags; `lag_seconds`: of the partition farthest behind, null if none is known;
`lag_seconds_method`: how it was found, one of `METHODS` of `assignors/timeline/time_lag.py`. Rates
in records/s. `drain_seconds`: the middle of a band, 5 to 95 %, null if unknown or never; its ends
are null of fewer than six readings, which give no band; `drain_assumed_count`: members whose rate
is the median of the group and decides that time, null in rows that older versions stored. `lags`:
`lag` of the last 40 slots, null if none is known.

A row that `evenkeel collect` stores is a change: `taken_at` and `verdict_since` are the first slot
of the new verdict; rates, time lags and drain times are null in it.
"""

MEMBER_VERDICT = pa.schema(
    _HISTORY_KEY
    + [
        ("member_id", pa.string()),
        *_VERDICT,
        ("partition_count", pa.int64()),
        ("lag", pa.int64()),
        ("unknown_lag_count", pa.int64()),
        ("in_rate", pa.float64()),
        ("out_rate", pa.float64()),
        ("capacity", pa.float64()),
        ("capacity_is_assumed", pa.bool_()),
        *_DRAIN,
    ]
)
"""One row for each member that owns something in the last snapshot. `capacity`: records/s that it
can read; if assumed, the median of its group. A stored row is a change of its lasting verdict, as
in GROUP_VERDICT.
"""

REPLAY = pa.schema(
    _HISTORY_KEY
    + [
        ("assignor", pa.list_(pa.string())),
        ("max_lag", pa.list_(pa.int64())),
        ("moved_partitions", pa.list_(pa.int64())),
        ("partition_count", pa.int64()),
        ("member_count", pa.int64()),
    ]
)
"""One row for each group and snapshot; lists by assignor, `current` first. `max_lag`: of the worst
member under the assignor's answer, null without an answer or any known lag; unknown lags are left
out. `moved_partitions`: from its answer before, null for the first.
"""

_PERSON = [("member_id", pa.string()), ("client_id", pa.string()), ("instance_id", pa.string())]
_CAUSE = [("cause", pa.string()), ("alternatives", pa.list_(pa.string()))]
_PERSONS = pa.list_(pa.struct(_PERSON))

REBALANCES = pa.schema(
    [
        ("cluster", pa.string()),
        ("group_id", pa.string()),
        ("protocol", pa.string()),
        ("generation_before", pa.int64()),
        ("generation", pa.int64()),
        ("start", TIME),
        ("joined", TIME),
        ("assigned", TIME),
        ("stable", TIME),
        ("end_is", pa.string()),
        ("duration_ms", pa.int64()),
        ("completed", pa.bool_()),
        *_CAUSE,
        (
            "triggers",
            pa.list_(
                pa.struct(
                    [
                        *_CAUSE,
                        *_PERSON,
                        ("reason", pa.string()),
                        ("at", TIME),
                        ("evidence", pa.string()),
                    ]
                )
            ),
        ),
        ("members_joined", _PERSONS),
        ("members_left", _PERSONS),
        ("members", pa.int64()),
        ("static_members", pa.int64()),
        ("leader", pa.string()),
        ("assignor", pa.string()),
        ("slowest", pa.struct([*_PERSON, ("waited_ms", pa.int64())])),
        (
            "moved",
            pa.list_(
                pa.struct(
                    [
                        ("partition", pa.string()),
                        ("from_member", pa.string()),
                        ("to_member", pa.string()),
                    ]
                )
            ),
        ),
        ("partitions", pa.int64()),
        ("owned", pa.list_(pa.struct([("partition", pa.string()), ("member", pa.string())]))),
        ("paused", pa.float64()),
        ("follow_up_of", pa.int64()),
        ("conversion", pa.string()),
        ("chain", pa.string()),
        ("coordinator", pa.int64()),
        ("rebalance_timeout_ms", pa.int64()),
        ("session_timeout_ms", pa.int64()),
        ("source", pa.string()),
        ("zone_assumed", pa.bool_()),
        (
            "evidence",
            pa.list_(pa.struct([("place", pa.string()), ("at", TIME), ("text", pa.string())])),
        ),
    ]
)
"""One row for each rebalance: a generation of a classic group, or an epoch of a KIP-848 group.
`cause` is an item of `CAUSES` of `data/rebalances/words.py`, `alternatives` the other causes that
fit the same evidence.

Times are null if the source does not have them; `end_is` names the last one known, `duration_ms`
runs from `start` to it. `paused`: partition-seconds without reading. `owned`: owners before it, of
the first; later ones follow from `moved`. `partitions`, `moved`, `owned` and both timeouts are null
without records of __consumer_offsets. `evidence`: lines of logs with their text, and records.
"""

HISTORY = {
    "GROUP_VERDICT": GROUP_VERDICT,
    "MEMBER_VERDICT": MEMBER_VERDICT,
    "REPLAY": REPLAY,
    "REBALANCES": REBALANCES,
}
"""What histories are made into, by cluster: each is stored again over the one before."""
