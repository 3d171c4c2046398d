"""Both lags of each partition, as `assignors/lag.py` has them for arrays."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F


def with_lag(offsets: DataFrame) -> DataFrame:
    """OFFSETS -> LAG (beside the columns of OFFSETS).

    Adds `lag`, the page's, in records: end_offset - max(committed_offset, begin_offset), never below 0. Where nothing is committed: 0 if the group's `auto_offset_reset` is latest,
    all records if it is anything else, null if it is not known. `assignor_lag`, what the `lag` assignor reads: end_offset - committed_offset without the begin offset, an unknown
    `auto_offset_reset` taken as latest, an unknown begin offset as 0. A `listed_lag` stands in for both where one of end and committed offset is missing. `lag_flag`: `past end`
    where a lag below 0 became 0, `before begin` where the committed record is deleted. Source: KAFKA-5337.
    """
    listed = F.when(F.col("end_offset").isNull() | F.col("committed_offset").isNull(), F.col("listed_lag"))
    behind = F.coalesce(listed, F.col("end_offset") - _start())
    assignor_behind = F.coalesce(listed, F.col("end_offset") - _assignor_start())
    return offsets.withColumns({"lag": _not_negative(behind), "assignor_lag": _not_negative(assignor_behind), "lag_flag": _flag(behind)})


def _start() -> Column:
    committed, begin = F.col("committed_offset"), F.col("begin_offset")
    reset = F.lower("auto_offset_reset")
    by_policy = F.when(reset == "latest", F.col("end_offset")).when(reset.isNotNull(), begin)
    return F.coalesce(F.when(_before_begin(), begin).otherwise(committed), by_policy)


def _assignor_start() -> Column:
    reset = F.coalesce(F.lower("auto_offset_reset"), F.lit("latest"))
    by_policy = F.when(reset == "latest", F.col("end_offset")).otherwise(F.coalesce("begin_offset", F.lit(0)))
    return F.coalesce("committed_offset", by_policy)


def _not_negative(lag: Column) -> Column:
    # Not F.greatest(lag, 0): it skips nulls and would report an unknown lag as 0.
    return F.when(lag < 0, F.lit(0)).otherwise(lag)


def _flag(behind: Column) -> Column:
    return F.when(behind < 0, "past end").when(_before_begin(), "before begin")


def _before_begin() -> Column:
    return F.col("committed_offset") < F.col("begin_offset")
