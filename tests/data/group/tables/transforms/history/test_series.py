"""Rows of OFFSETS and MEMBERS become a series."""

import numpy as np
import pyarrow as pa

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.series import MEMBER_COLUMNS, axis_of, series_of

_AXIS = axis_of(("a", "b"), np.array([0.0, 30.0]), np.array([0.7, 30.7]))


def _series(*rows, others=()):
    columns = ("batch", "partition", "committed_offset", "end_offset", "lag_seconds")
    given = [dict(zip(columns, row, strict=True)) | {"group_id": "g", "topic": "t"} for row in rows]
    offsets = pa.Table.from_pylist(
        given, schema=schemas.OFFSETS.append(pa.field("batch", pa.string()))
    )
    for name, value in (("topic", "t"), ("member_id", "m")) if others else ():
        codes = pa.array([0] * len(rows), pa.int32())
        coded = pa.DictionaryArray.from_arrays(codes, pa.array([value, *others]))
        offsets = offsets.set_column(offsets.schema.get_field_index(name), name, coded)
    members = (
        schemas.MEMBERS.empty_table()
        .select(MEMBER_COLUMNS)
        .append_column("batch", pa.array([], pa.string()))
    )
    return series_of(offsets, members, _AXIS)


def test_ages_of_records_stand_where_they_were_read():
    series = _series(("a", 0, 5, 9, 41.5), ("a", 1, 5, 9, None), ("b", 1, 5, 9, 7.25))

    assert series.read_seconds.tolist() == [[41.5, -1.0], [-1.0, 7.25]]


def test_a_lake_without_ages_of_records_has_no_column_of_them():
    assert _series(("a", 0, 5, 9, None), ("b", 0, 5, 9, None)).read_seconds is None


def test_a_column_that_names_topics_and_members_of_other_groups_adds_none_of_them():
    series = _series(("a", 0, 5, 9, None), others=("another",))

    assert (series.topic_name, series.member_id, series.is_member.shape) == (("t",), ("m",), (2, 1))
