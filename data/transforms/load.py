"""What each member carries, and each group."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from data.transforms.group import GROUP, with_unnamed

MEMBER = (*GROUP, "member_id")


def load_by_member(lag: DataFrame, members: DataFrame) -> DataFrame:
    """(LAG, MEMBERS) -> MEMBER_LOAD.

    A member owns a partition in LAG or has a row in MEMBERS; the null one stands for the partitions of nobody. `partition_count` is that of LAG or what its own listing
    names or printed, whichever is more: a topic of which only the size is known has no rows in LAG, and no lag of its partitions is known.
    """
    known = F.when(F.col("lag").isNull(), 0).otherwise(1)
    return load_by_share(lag.select(*MEMBER, F.lit(1).cast("long").alias("owned_count"), known.cast("long").alias("known_count"), "lag"), members)


def load_by_share(shares: DataFrame, members: DataFrame) -> DataFrame:
    """(SHARES, MEMBERS) -> MEMBER_LOAD, as `load_by_member` gives it, from LAG that is already summed in parts."""
    none = F.lit(0).cast("long")
    owned = shares.select(*MEMBER, "owned_count", "known_count", "lag", none.alias("printed_count"))
    printed = _printed_count().alias("printed_count")
    listed = with_unnamed(members).select(*MEMBER, none.alias("owned_count"), none.alias("known_count"), F.lit(None).cast("long").alias("lag"), printed)
    added = [F.sum(name).alias(name) for name in ("owned_count", "known_count", "lag")]
    sums = owned.unionByName(listed).groupBy(*MEMBER).agg(*added, F.max("printed_count").alias("printed_count"))
    count = F.greatest("owned_count", "printed_count")
    unknown = count - F.col("known_count")
    return sums.select(*MEMBER, count.alias("partition_count"), _sum_of_known(count, unknown).alias("lag"), unknown.alias("unknown_lag_count"))


def load_by_group(member_load: DataFrame) -> DataFrame:
    """MEMBER_LOAD -> GROUP_LOAD.

    `max_lag` is the largest lag of a member of whose partitions any lag is known; 0 where every member is idle, null where there is no member.
    """
    is_member, count = F.col("member_id").isNotNull(), F.col("partition_count")
    some_known = count > F.col("unknown_lag_count")
    sums = member_load.groupBy(*GROUP).agg(
        F.count("member_id").alias("member_count"),
        F.count_if(is_member & (count == 0)).alias("idle_members"),
        F.sum("partition_count").alias("partition_count"),
        F.sum(F.when(is_member, 0).otherwise(count)).alias("unassigned_count"),
        F.sum("unknown_lag_count").alias("unknown_lag_count"),
        F.sum("lag").alias("lag"),
        F.max(F.when(is_member & some_known, F.col("lag"))).alias("worst"),
    )
    every_member_is_idle = (F.col("member_count") > 0) & (F.col("member_count") == F.col("idle_members"))
    worst = F.coalesce("worst", F.when(every_member_is_idle, 0)).alias("max_lag")
    return sums.withColumns({"lag": _sum_of_known(F.col("partition_count"), F.col("unknown_lag_count")), "max_lag": worst}).drop("worst")


def _printed_count() -> Column:
    by_topic = F.aggregate("owned", F.lit(0), lambda total, topic: total + F.size(topic["partitions"]))
    return F.coalesce("partition_count", by_topic, F.lit(0)).cast("long")


def _sum_of_known(count: Column, unknown: Column) -> Column:
    """Return `lag`, 0 of no partitions, null where there are partitions and no lag of them is known."""
    return F.when(count == 0, 0).when(unknown < count, F.col("lag"))
