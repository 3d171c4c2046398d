"""What tells groups apart."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

GROUP = ("taken_at", "cluster", "group_id", "unnamed_in")


def with_unnamed(table: DataFrame) -> DataFrame:
    """OFFSETS or MEMBERS -> the same with `unnamed_in`: the file of a group without name, null where the group has one."""
    return table.withColumn("unnamed_in", F.when(F.col("group_id").isNull(), F.col("source_file")))
