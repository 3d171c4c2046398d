"""The lag of a table and the lag of arrays are the same rule twice."""

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as some

from evenkeel.assignors.group.lag import UNKNOWN_LAG, assignor_lag, lag_taken_as_zero, page_lag
from evenkeel.data.group.columns import observed_from_tables
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.load import with_lag

offsets = some.one_of(some.none(), some.integers(0, 6))
rows = some.fixed_dictionaries(
    {
        "begin_offset": offsets,
        "committed_offset": offsets,
        "end_offset": offsets,
        "listed_lag": some.one_of(some.none(), some.integers(-2, 6)),
    }
)
resets = some.sampled_from([None, "latest", "LATEST", "earliest", "none", ""])


@settings(max_examples=100)
@given(some.lists(rows, min_size=1, max_size=40), resets)
def test_a_table_and_a_snapshot_of_the_same_offsets_have_the_same_lags(rows, reset):
    table = pa.Table.from_pylist(
        [
            {"group_id": "g", "topic": "t", "partition": place, "auto_offset_reset": reset, **row}
            for place, row in enumerate(rows)
        ],
        schema=schemas.OFFSETS,
    )
    group = observed_from_tables(
        table, schemas.MEMBERS.empty_table(), schemas.TOPICS.empty_table(), "g"
    ).snapshot

    found = with_lag(table).select(["lag", "assignor_lag"])

    page, of_assignor = (column.fill_null(UNKNOWN_LAG).to_numpy() for column in found.columns)
    assert page.tolist() == page_lag(group).tolist()
    assert np.maximum(of_assignor, 0).tolist() == assignor_lag(group).tolist()
    assert (of_assignor == UNKNOWN_LAG).tolist() == lag_taken_as_zero(group).tolist()
