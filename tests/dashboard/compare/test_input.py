"""Compare: what is said of the input itself: topics that nobody reads, claims that cannot hold,
partitions with several readers.
"""

import json

import pytest


def opened(page, sizes, members, **head):
    """A group of topics by the lags of their partitions, and of members by what they subscribe to
    and own.
    """
    topics = [
        {"name": name, "partitions": [{"lag": lag} for lag in lags]} for name, lags in sizes.items()
    ]
    listed = [
        {"member_id": name, "subscribed": subscribed, "owned": owned, "generation": 5}
        for name, (subscribed, owned) in members.items()
    ]
    page.paste(
        json.dumps(
            {"format": "evenkeel.group/1", "group_id": "g", "topics": topics, "members": listed}
            | head
        )
    )
    return page.open("compare")


def test_topics_that_nobody_reads_and_topics_that_are_not_there_are_named(page):
    opened(
        page,
        {"orders": [100, 200], "lonely": [100, 200, 300]},
        {"m1": (["orders"], {"orders": [0, 1]}), "m2": (["orders", "ghost"], {})},
    )

    assert page.remarks["this input"] == [
        (
            "lonely: no member subscribes; its 3 partitions with 600 records stay without an owner"
            " under every assignor."
        ),
        "m2 subscribes to ghost, which is not in this input.",
    ]


def test_a_topic_that_somebody_still_has_is_not_said_to_stay_without_owner(page):
    opened(
        page,
        {"orders": [1, 1], "old": [7]},
        {"m1": (["orders"], {"orders": [0, 1]}), "m2": (["orders"], {"old": [0]})},
    )

    assert page.remarks["this input"] == [
        "old: no member subscribes; its 1 partition with 7 records gets no owner from any assignor."
    ]


@pytest.mark.parametrize(
    ("owned", "said"),
    [
        (
            {"a": {"orders": [0, 1, 7]}, "b": {"orders": [2, 3]}},
            ["a claims orders-7; orders has 4 partitions."],
        ),
        (
            {"a": {"orders": [0, 1, 2, 3]}, "b": {"orders": [0, 1, 2, 3]}},
            ["orders-0 to 3 are claimed by a and b."],
        ),
        (
            {"a": {"orders": [0, 1, 3]}, "b": {"orders": [0, 1, 3]}},
            ["orders-0, 1 and 3 are claimed by a and b."],
        ),
        (
            {"a": {"orders": [2]}, "b": {"orders": [2, 4, 5, 6, 9]}},
            [
                "b claims orders-4 to 6 and 9; orders has 4 partitions.",
                "orders-2 is claimed by a and b.",
            ],
        ),
        (
            {"a": {"orders": [0]}, "b": {"gone": [3]}},
            ["b claims gone-3; gone is not in this input."],
        ),
    ],
)
def test_claims_that_cannot_hold_are_named(page, owned, said):
    opened(
        page,
        {"orders": [1, 1, 1, 1]},
        {name: (["orders"], claims) for name, claims in owned.items()},
    )

    assert page.remarks["this input"] == said


def test_an_input_that_is_whole_and_surprises_nobody_gets_one_sentence(page):
    opened(
        page,
        {"orders": [1, 1]},
        {"a": (["orders"], {"orders": [0]}), "b": (["orders"], {"orders": [1]})},
    )

    assert page.remarks == {}
    assert "Nothing is assumed, and no known quirk of Kafka affects these answers." in [
        caption.value for caption in page.app.caption
    ]


SHARED = {f"s{number}": (["orders"], {"orders": [number % 2]}) for number in range(5)}


def test_in_a_share_group_lag_counts_at_each_reader_and_every_partition_can_be_split(
    page,
):
    opened(page, {"orders": [100, 200]}, SHARED, type="share", assignor="simple")

    assert not page.app.info
    words = (
        "Lag of the partitions that a member reads; a shared partition counts for each of its"
        " readers."
    )
    assert words in [caption.value for caption in page.app.caption]
    assert page.remarks == {
        "simple": [
            "5 members share 2 partitions, and each record goes to one of these members: behaviour"
            " Q-29 of Kafka's broker."
        ]
    }


def test_in_a_share_group_with_a_reader_for_each_partition_nothing_is_shared(page):
    opened(
        page,
        {"orders": [100, 200]},
        {"a": (["orders"], {"orders": [0]}), "b": (["orders"], {"orders": [1]})},
        type="share",
        assignor="simple",
    )

    assert page.remarks == {}
    assert not [caption.value for caption in page.app.caption if "shared" in caption.value]
