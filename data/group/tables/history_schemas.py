"""Schemas of the tables that are computed from histories."""

import pyarrow as pa

from evenkeel.data.group.tables.schemas import INSTANT, TIME

_DRAIN = [
    ("drain_low_seconds", "float64"),
    ("drain_seconds", "float64"),
    ("drain_high_seconds", "float64"),
    ("drain_is_never", "bool"),
]
_VERDICT = [
    ("verdict", "string"),
    ("lasting_verdict", "string"),
    ("verdict_since", TIME),
    ("verdict_is_older", "bool"),
    ("verdict_before", "string"),
]
_HISTORY_KEY = [*INSTANT, ("group_id", "string")]

GROUP_VERDICT = pa.schema(
    _HISTORY_KEY
    + [
        ("since", TIME),
        ("slot_count", "int64"),
        *_VERDICT,
        ("partition_count", "int64"),
        ("unobserved_count", "int64"),
        ("member_count", "int64"),
        ("lag", "int64"),
        ("unknown_lag_count", "int64"),
        ("lag_seconds", "float64"),
        ("lag_seconds_method", "string"),
        ("unknown_seconds_count", "int64"),
        ("in_rate", "float64"),
        ("out_rate", "float64"),
        *_DRAIN,
        ("drain_assumed_count", "int64"),
        ("lags", pa.list_(pa.int64())),
    ]
)
"""A row for each group: the verdict on its last snapshot, from snapshots between `since` and
`taken_at`.

`verdict`: of the worst partition. `lasting_verdict`: the same, but OK for a SLOW that has not
lasted yet. `verdict_since`: first slot of the unbroken lasting verdict. `verdict_is_older`: it may
be older than `verdict_since`. `verdict_before`: the previous lasting verdict, null if unknown.

`unobserved_count`: partitions without any observation, which count as OK. `lag`: sum of known lags.
`lag_seconds`: of the partition farthest behind, null if all are unknown. `lag_seconds_method`: one
of `METHODS` of `assignors/timeline/time_lag.py`. Rates are in records/s. `lags`: `lag` of the last
40 slots, null if unknown.

`drain_seconds`: the middle of a band from 5 to 95 %, null if unknown or never. The ends of the band
are null with fewer than six readings. `drain_assumed_count`: members that decide this time and
whose rate is assumed to be the median of the group, null in rows of older versions.

A row that `evenkeel collect` stores is a change: `taken_at` and `verdict_since` are the first slot
of the new verdict. Its rates, time lags and drain times are null.
"""

MEMBER_VERDICT = pa.schema(
    _HISTORY_KEY
    + [
        ("member_id", "string"),
        *_VERDICT,
        ("partition_count", "int64"),
        ("lag", "int64"),
        ("unknown_lag_count", "int64"),
        ("in_rate", "float64"),
        ("out_rate", "float64"),
        ("capacity", "float64"),
        ("capacity_is_assumed", "bool"),
        *_DRAIN,
    ]
)
"""A row for each member that owns partitions in the last snapshot.

`capacity`: records/s that the member can read; if assumed, the median of its group. A stored row is
a change of the lasting verdict, as in GROUP_VERDICT.
"""

REPLAY = pa.schema(
    _HISTORY_KEY
    + [
        ("assignor", pa.list_(pa.string())),
        ("max_lag", pa.list_(pa.int64())),
        ("moved_partitions", pa.list_(pa.int64())),
        ("partition_count", "int64"),
        ("member_count", "int64"),
    ]
)
"""A row for each group and snapshot; lists are by assignor, `current` first.

`max_lag`: lag of the worst member with the assignor's answer; unknown lags are left out; null
without an answer or a known lag. `moved_partitions`: moves since the assignor's previous answer,
null for the first answer.
"""

_PERSON = [("member_id", "string"), ("client_id", "string"), ("instance_id", "string")]
_CAUSE = [("cause", "string"), ("alternatives", pa.list_(pa.string()))]
_PERSONS = pa.list_(pa.struct(_PERSON))

REBALANCES = pa.schema(
    [
        ("cluster", "string"),
        ("group_id", "string"),
        ("protocol", "string"),
        ("generation_before", "int64"),
        ("generation", "int64"),
        ("start", TIME),
        ("joined", TIME),
        ("assigned", TIME),
        ("stable", TIME),
        ("end_is", "string"),
        ("duration_ms", "int64"),
        ("completed", "bool"),
        *_CAUSE,
        (
            "triggers",
            pa.list_(
                pa.struct(
                    [
                        *_CAUSE,
                        *_PERSON,
                        ("reason", "string"),
                        ("at", TIME),
                        ("evidence", "string"),
                    ]
                )
            ),
        ),
        ("members_joined", _PERSONS),
        ("members_left", _PERSONS),
        ("members", "int64"),
        ("static_members", "int64"),
        ("leader", "string"),
        ("assignor", "string"),
        ("slowest", pa.struct([*_PERSON, ("waited_ms", "int64")])),
        (
            "moved",
            pa.list_(
                pa.struct(
                    [
                        ("partition", "string"),
                        ("from_member", "string"),
                        ("to_member", "string"),
                    ]
                )
            ),
        ),
        ("partitions", "int64"),
        ("owned", pa.list_(pa.struct([("partition", "string"), ("member", "string")]))),
        ("paused", "float64"),
        ("follow_up_of", "int64"),
        ("conversion", "string"),
        ("chain", "string"),
        ("coordinator", "int64"),
        ("rebalance_timeout_ms", "int64"),
        ("session_timeout_ms", "int64"),
        ("source", "string"),
        ("zone_assumed", "bool"),
        (
            "evidence",
            pa.list_(pa.struct([("place", "string"), ("at", TIME), ("text", "string")])),
        ),
    ]
)
"""A row for each rebalance: a generation of a classic group, or an epoch of a KIP-848 group.

`cause`: an item of `CAUSES` of `data/rebalances/words.py`. `alternatives`: other causes that fit
the same evidence. Times are null if the source does not have them. `end_is`: name of the last known
time. `duration_ms`: from `start` to that time. `paused`: partition-seconds without reading.
`owned`: owners before the rebalance, only for the first one; later owners follow from `moved`.
`partitions`, `moved`, `owned` and both timeouts are null without records of __consumer_offsets.
`evidence`: lines of logs with their text, and records.
"""

HISTORY = {
    "GROUP_VERDICT": GROUP_VERDICT,
    "MEMBER_VERDICT": MEMBER_VERDICT,
    "REPLAY": REPLAY,
    "REBALANCES": REBALANCES,
}
"""The tables that are computed from a cluster's history; a new table replaces the stored one."""
