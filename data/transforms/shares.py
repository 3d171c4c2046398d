"""LAG summed where it is made: names of groups and members, which cost most of the time in the JVM, enter it once for each member and task."""

import pyarrow as pa

from data import schemas

_MEMBER = [name for name in schemas.SHARES.names if name in schemas.LAG.names and name != "lag"]


def shares_of(lag: pa.Table) -> pa.Table:
    """LAG, text encoded as dictionaries -> SHARES."""
    sums = lag.group_by(_MEMBER, use_threads=False).aggregate([([], "count_all"), ("lag", "count"), ("lag", "sum")])
    return sums.rename_columns({"count_all": "owned_count", "lag_count": "known_count", "lag_sum": "lag"}).select(schemas.SHARES.names)
