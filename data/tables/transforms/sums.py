"""Sums of a column `lag` by key: Arrow's own sums silently wrap around beyond int64."""

from collections.abc import Sequence
from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc

_MOST = 2**63 - 1
_WIDE = pa.decimal128(19)


def sums_by(table: pa.Table, keys: Sequence[str], aggregations: Sequence[tuple]) -> pa.Table:
    """Aggregate by `keys`; `lag_sum` int64 is null where the sum is above what int64 holds."""
    if (pc.max(table["lag"]).as_py() or 0) * table.num_rows <= _MOST:
        return table.group_by(list(keys), use_threads=False).aggregate(aggregations)
    wide = table.set_column(table.column_names.index("lag"), "lag", table["lag"].cast(_WIDE))
    sums = wide.group_by(list(keys), use_threads=False).aggregate(aggregations)
    place, lag = sums.column_names.index("lag_sum"), sums["lag_sum"]
    fits = pc.less_equal(lag, pa.scalar(Decimal(_MOST), lag.type))
    return sums.set_column(place, "lag_sum", pc.if_else(fits, lag, pa.scalar(None, lag.type)).cast(pa.int64()))
