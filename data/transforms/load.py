"""What each member carries, and each group.

In SQL, because a transform is one call to the JVM then; built in Python each of its expressions is several, and a pasted listing waits for them.
"""

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame

from data.transforms.group import GROUP, UNNAMED_IN

_GROUP = ", ".join(GROUP)
_OF_MEMBER = ("member_id", "partition_count", "lag", "unknown_lag_count")

_OF_LAG = f"SELECT {_GROUP}, member_id, 1 AS owned_count, if(lag IS NULL, 0, 1) AS known_count, lag FROM {{lag}}"

_BY_MEMBER = f"""
SELECT {_GROUP}, member_id, count AS partition_count,
       CASE WHEN count = 0 THEN 0 WHEN known_count > 0 THEN lag END AS lag, count - known_count AS unknown_lag_count
FROM (
    SELECT {_GROUP}, member_id, greatest(sum(owned_count), max(printed_count)) AS count, sum(known_count) AS known_count, sum(lag) AS lag
    FROM (
        SELECT {_GROUP}, member_id, owned_count, known_count, lag, 0 AS printed_count FROM {{shares}}
        UNION ALL
        SELECT taken_at, cluster, group_id, {UNNAMED_IN}, member_id, 0, 0, NULL,
               coalesce(partition_count, aggregate(owned, 0, (total, topic) -> total + size(topic.partitions)), 0) FROM {{members}}
    )
    GROUP BY {_GROUP}, member_id
)
"""

_BY_GROUP = f"""
SELECT *, CASE WHEN partition_count = 0 THEN 0 WHEN unknown_lag_count < partition_count THEN known_lag END AS lag,
       coalesce(worst, if(member_count > 0 AND member_count = idle_members, 0, NULL)) AS max_lag
FROM (
    SELECT {_GROUP}, count(member_id) AS member_count, count_if(member_id IS NOT NULL AND partition_count = 0) AS idle_members,
           sum(partition_count) AS partition_count, sum(if(member_id IS NULL, partition_count, 0)) AS unassigned_count,
           sum(unknown_lag_count) AS unknown_lag_count, sum(lag) AS known_lag,
           max(lag) FILTER (WHERE member_id IS NOT NULL AND unknown_lag_count < partition_count) AS worst,
           collect_list(struct({', '.join(_OF_MEMBER)})) AS members
    FROM {{member_load}}
    GROUP BY {_GROUP}
)
"""


def load_by_member(lag: DataFrame, members: DataFrame) -> DataFrame:
    """(LAG, MEMBERS) -> MEMBER_LOAD.

    A member owns a partition in LAG or has a row in MEMBERS; the null one stands for the partitions of nobody. `partition_count` is that of LAG or what its own listing
    names or printed, whichever is more: a topic of which only the size is known has no rows in LAG, and no lag of its partitions is known.
    """
    return load_by_share(lag.sparkSession.sql(_OF_LAG, lag=lag), members)


def load_by_share(shares: DataFrame, members: DataFrame) -> DataFrame:
    """(SHARES, MEMBERS) -> MEMBER_LOAD, as `load_by_member` gives it, from LAG that is already summed in parts."""
    return shares.sparkSession.sql(_BY_MEMBER, shares=shares, members=members)


def load_by_group(member_load: DataFrame) -> DataFrame:
    """MEMBER_LOAD -> GROUP_LOAD and `members`, the group's own rows of MEMBER_LOAD.

    `max_lag` is the largest lag of a member of whose partitions any lag is known; 0 where every member is idle, null where there is no member.
    """
    return member_load.sparkSession.sql(_BY_GROUP, member_load=member_load).drop("known_lag", "worst")


def members_of(groups: pa.Table) -> pa.Table:
    """GROUP_LOAD and `members`, as `load_by_group` gives them, collected -> MEMBER_LOAD."""
    lists = groups["members"].combine_chunks()
    members = pc.list_flatten(lists)
    of_group = groups.select(GROUP).take(pc.list_parent_indices(lists))
    return pa.table([*of_group.columns, *(members.field(name) for name in _OF_MEMBER)], [*GROUP, *_OF_MEMBER])
