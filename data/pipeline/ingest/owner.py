"""The current assignment, where only rows of members tell it."""

from pyspark.sql import DataFrame

from evenkeel.data.tables.load import GROUP, UNNAMED_IN

_PARTITION = (*GROUP, "topic", "partition")
_SAME = " AND ".join(f"lag.{name} <=> owners.{name}" for name in _PARTITION)

_WITH_OWNER = f"""
SELECT /*+ BROADCAST(owners) */ lag.* EXCEPT (member_id), coalesce(lag.member_id, claimed_by) AS member_id
FROM {{lag}} AS lag LEFT JOIN (
    SELECT {", ".join(_PARTITION)}, min(member_id) AS claimed_by
    FROM (
        SELECT {", ".join(GROUP)}, member_id, topic, explode(partitions) AS partition
        FROM (SELECT taken_at, cluster, group_id, {UNNAMED_IN}, member_id, inline(coalesce(current, owned)) FROM {{members}})
    )
    GROUP BY {", ".join(_PARTITION)}
) AS owners ON {_SAME}
"""


def with_owner(lag: DataFrame, members: DataFrame) -> DataFrame:
    """(LAG, MEMBERS) -> the same.

    Fills a null `member_id` with the member whose row claims the partition at the same instant: what it has (`current`), else what it owns.
    Of several members, takes the one with the smallest id.
    """
    return lag.sparkSession.sql(_WITH_OWNER, lag=lag, members=members).select(lag.columns)
