"""What lags of listed groups say."""

import pyarrow as pa

from evenkeel.data.group.tables.load import with_lag_change


def _groups(**rows):
    columns = ("lag", "unknown_lag_count", "problem")
    return pa.Table.from_pylist(
        [{"group_id": name, **dict(zip(columns, row, strict=True))} for name, row in rows.items()]
    )


def test_a_lag_of_which_a_part_is_unknown_and_a_group_that_was_not_there_have_no_change():
    now = _groups(
        pays=(90, 0, None),
        partly=(70, 1, None),
        hidden=(50, None, "TOPIC_AUTHORIZATION_FAILED"),
        new=(30, 0, None),
    )
    before = _groups(hidden=(40, 0, None), partly=(60, 0, None), pays=(100, 0, None))

    change = with_lag_change(now, before, seconds=30).column("lag_change").to_pylist()

    assert change == [-20, None, None, None]
