"""Tables that histories are made into; null means absent or unknown, as in every table."""

import pyarrow as pa

from evenkeel.data.tables.field_lists import TIME

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

`verdict`: of its worst partition; `lasting_verdict`: the same, but OK where that is SLOW that has not lasted yet. `verdict_since`: the
first slot of which the lasting one is true without a break, `verdict_is_older` where it may be true for longer; `verdict_before`: what it
was before, null where unknown. `unobserved_count`: partitions without any observation, which count as OK. `lag`: the sum of known lags;
`lag_seconds`: of the partition farthest behind, null where none is known; `lag_seconds_method`: how it was found, one of `METHODS` of
`assignors/history/time_lag.py`. Rates in records/s. `drain_seconds`: the middle of a band, 5 to 95 %, null where unknown or never;
its ends are null of fewer than six readings, which give no band; `drain_assumed_count`: members whose rate is the median of the group and
decides that time, null in rows that older versions stored. `lags`: `lag` of the last 40 slots, null where none is known.

A row that `evenkeel collect` stores is a change: `taken_at` and `verdict_since` are the first slot of the new verdict; rates, time lags and
drain times are null in it."""

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
"""One row for each member that owns something in the last snapshot. `capacity`: records/s that it can read, the median of its group where
that is assumed. A stored row is a change of its lasting verdict, as in GROUP_VERDICT."""

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
"""One row for each group and snapshot; lists by assignor, `current` first. `max_lag`: that of the worst member under what the assignor
would have answered, null without an answer or any known lag; unknown lags are left out. `moved_partitions`: from its answer before, null
for the first."""

HISTORY = {"GROUP_VERDICT": GROUP_VERDICT, "MEMBER_VERDICT": MEMBER_VERDICT, "REPLAY": REPLAY}
"""What histories are made into, by cluster: each is stored anew, over the one before."""
