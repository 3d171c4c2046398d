"""The current assignment, where only members tell it."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from data.transforms.group import GROUP, with_unnamed


def with_owner(lag: DataFrame, members: DataFrame) -> DataFrame:
    """(LAG, MEMBERS) -> the same.

    Fills a null `member_id` with the member whose row claims the partition at the same instant: what it has (`current`), else what it owns. Of several claims the smallest id.
    """
    claims = F.explode(F.coalesce("current", "owned")).alias("claim")
    by_topic = with_unnamed(members).select(*GROUP, "member_id", claims).select(*GROUP, "member_id", "claim.topic", F.explode("claim.partitions").alias("partition"))
    owners = by_topic.groupBy(*GROUP, "topic", "partition").agg(F.min("member_id").alias("claimed_by")).alias("owners")
    same = [F.col(f"lag.{name}").eqNullSafe(F.col(f"owners.{name}")) for name in (*GROUP, "topic", "partition")]
    filled = F.coalesce("member_id", "claimed_by").alias("member_id")
    columns = [filled if name == "member_id" else F.col(f"lag.{name}") for name in lag.columns]
    return lag.alias("lag").join(F.broadcast(owners), on=same, how="left").select(*columns)
