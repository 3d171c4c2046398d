"""Sentences of a group's history."""

import pytest

from evenkeel.data.timeline.words import why_never


@pytest.mark.parametrize(
    ("excess", "expected"),
    [
        (1234.56, "1,234.6 records/s more come in than the owners can read"),
        (0.0, "no consumer reads a partition with lag"),
        (float("nan"), "more records come in than are read (rate unknown)"),
    ],
)
def test_an_unknown_excess_is_never_told_as_0(excess, expected):
    assert why_never(excess) == expected


@pytest.mark.parametrize(
    ("excess", "members", "partitions", "expected"),
    [
        (213.2, ["pay-3"], [], "213.2 records/s more come in than pay-3 can read"),
        (
            213.2,
            ["pay-3", "pay-4"],
            ["orders-1"],
            (
                "213.2 records/s more come in than pay-3 and pay-4 can read, and no consumer reads"
                " orders-1"
            ),
        ),
        (
            20.0,
            [],
            ["orders-1", "orders-2", "orders-3", "orders-4"],
            "no consumer reads orders-1, orders-2, orders-3 and 1 more",
        ),
        (0.0, ["pay-3"], [], "pay-3 reads nothing"),
        (
            0.0,
            ["pay-3", "pay-4"],
            ["orders-1"],
            "pay-3 and pay-4 read nothing, and no consumer reads orders-1",
        ),
        (float("nan"), ["pay-3"], [], "more records come in than pay-3 can read (rate unknown)"),
    ],
)
def test_members_and_partitions_that_keep_a_group_from_draining_are_named(
    excess, members, partitions, expected
):
    assert why_never(excess, members, partitions) == expected


def test_a_partition_without_progress_is_named_with_what_is_missing():
    assert (
        why_never(3.4, stuck=["orders-3"], missing=3.4)
        == "orders-3 makes no progress; 3.4 records/s stay unread"
    )
    assert why_never(0.0, stuck=["orders-3"], missing=0.0) == "orders-3 makes no progress"
    assert (
        why_never(3.4, partitions=["t-1"], missing=3.4)
        == "no consumer reads t-1; 3.4 records/s stay unread"
    )
    assert (
        why_never(0.0, partitions=["t-1"], stuck=["t-2", "t-3"])
        == "t-2 and t-3 make no progress, and no consumer reads t-1"
    )
