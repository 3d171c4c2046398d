"""Big groups in the shapes of the benchmarks: ids `m00000`, topics `t0000`, everybody subscribes to
everything.
"""

import numpy as np

from evenkeel.assignors.group import NO_GENERATION, NO_RACK, UNKNOWN, GroupSnapshot


def columns(
    topic_count: int,
    partition_count: int,
    member_count: int,
    *,
    lag: np.ndarray | None = None,
    from_offsets: bool = False,
) -> GroupSnapshot:
    """Build a snapshot of `topic_count` topics with `partition_count` partitions each; `lag` int64
    (P,) stands in the lag column or in offsets.
    """
    tp_count = topic_count * partition_count
    unknown = np.full(tp_count, UNKNOWN)
    offsets = (
        [np.zeros(tp_count, dtype=np.int64), lag + 1000, np.full(tp_count, 1000)]
        if from_offsets
        else [unknown, unknown, unknown]
    )
    nothing = np.empty(0, dtype=np.int32)
    return GroupSnapshot(
        topic_name=tuple(f"t{row:04d}" for row in range(topic_count)),
        topic_known=np.ones(topic_count, dtype=bool),
        partition_count=np.full(topic_count, partition_count),
        topic_id=np.zeros((topic_count, 2), dtype=np.int64),
        topic_id_known=np.zeros(topic_count, dtype=bool),
        begin_offset=offsets[0],
        end_offset=offsets[1],
        committed_offset=offsets[2],
        given_lag=unknown if lag is None or from_offsets else lag,
        rack_name=(),
        replica_start=np.zeros(tp_count + 1, dtype=np.int32),
        replica_rack=nothing,
        member_id=tuple(f"m{row:05d}" for row in range(member_count)),
        instance_id=(None,) * member_count,
        member_rack=np.full(member_count, NO_RACK, dtype=np.int32),
        generation=np.full(member_count, NO_GENERATION, dtype=np.int32),
        topic_lists=(np.arange(topic_count, dtype=np.int32),),
        subscription=np.zeros(member_count, dtype=np.int32),
        claim_member=nothing,
        claim_topic=nothing,
        claim_partition=nothing,
    )


def lags(distribution: str, count: int) -> np.ndarray:
    """Draw lags, int64 (count,): `uniform` up to a million records, or `lognormal` (8, 2)."""
    rng = np.random.default_rng(0)
    return (
        rng.integers(0, 1_000_000, count)
        if distribution == "uniform"
        else rng.lognormal(8, 2, count).astype(np.int64)
    )
