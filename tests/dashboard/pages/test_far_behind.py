"""Lags that add up to more than any sum holds: unknown on every page, and nothing negative."""

import json

import pytest

MEMBERS = [
    {"member_id": "a", "subscribed": ["t"], "owned": {"t": list(range(12))}},
    {"member_id": "b", "subscribed": ["t"], "owned": {}},
]
DOCUMENT = {
    "format": "evenkeel.group/1",
    "group_id": "g",
    "topics": [{"name": "t", "partitions": [{"lag": 10**18}] * 12}],
    "members": MEMBERS,
}


@pytest.fixture
def far_behind(page):
    return page.paste(json.dumps(DOCUMENT))


def test_compare_shows_the_sums_as_unknown(far_behind):
    far_behind.open("compare", candidate="range")

    assert not far_behind.app.exception
    assert {"Lag", "Worst member"}.isdisjoint(far_behind.kpis)
    assert {row[2] for row in far_behind.table.values()} == {"–"}
    assert "−" not in far_behind.html


def test_moves_shows_them_as_unknown_and_the_partitions_one_by_one(far_behind):
    far_behind.open("moves", candidate="range")

    assert not far_behind.app.exception
    (table,) = (frame.value for frame in far_behind.app.dataframe if "Partition" in frame.value)
    assert set(table["Lag, records"]) == {10**18}
    assert table["Share of known lag"].isna().all()
