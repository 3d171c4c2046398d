"""The current assignment, where only rows of members tell it.

Of many rows, Spark joins the same (`data/pipeline/ingest/on_spark.py`).
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.tables.repeats.keys import unnamed_in
from evenkeel.data.tables.transforms.group_key import GROUP

_PARTITION = (*GROUP, "topic", "partition")


def with_owner(lag: pa.Table, members: pa.Table) -> pa.Table:
    """(LAG, MEMBERS) -> LAG.

    Fills a null `member_id` with the member whose row claims the partition at the same instant: what it has (`current`), else what it owns.
    Of several members, takes the one with the smallest id.
    """
    rows = lag.select(_PARTITION).append_column("row", pa.array(np.arange(lag.num_rows)))
    both = pa.concat_tables([rows, _claims(members)], promote_options="default")
    # Not a join: it finds no partner for a null, and a group without a name is a group.
    found = both.group_by(_PARTITION, use_threads=False).aggregate([("claimed_by", "min"), ("row", "list")]).combine_chunks()
    listed = found["row_list"].combine_chunks()
    claimed = pa.table({"row": pc.list_flatten(listed), "by": found["claimed_by_min"].take(pc.list_parent_indices(listed))})
    in_order = claimed.filter(pc.is_valid(claimed["row"])).sort_by("row")
    place = lag.schema.get_field_index("member_id")
    return lag.set_column(place, lag.schema.field(place), pc.coalesce(lag["member_id"], in_order["by"]))


def _claims(members: pa.Table) -> pa.Table:
    """MEMBERS -> a row for each partition that a member has, else owns: the partition, and `claimed_by`."""
    held = pc.coalesce(members["current"], members["owned"]).combine_chunks()
    topics = pc.list_flatten(held)
    partitions = topics.field("partitions")
    topic = pc.list_parent_indices(partitions)
    member = pc.list_parent_indices(held).take(topic)
    keys = members.select([name for name in GROUP if name in members.column_names]).append_column("unnamed_in", unnamed_in(members))
    claims = keys.append_column("claimed_by", members["member_id"]).take(member)
    return claims.append_column("topic", topics.field("topic").take(topic)).append_column("partition", pc.list_flatten(partitions))
