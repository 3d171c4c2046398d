"""Claims beyond a topic's size, where the size changes."""

from tests.data.scenarios.scenarios import PAYMENTS, member, result


def test_a_claim_beyond_the_size_is_a_partition_when_the_topic_has_grown():
    group = PAYMENTS | {"members": [member("pay-a", {"orders": [0, 1, 2, 3, 4]})]}
    joined = (
        result([{"op": "set_partition_count", "topic": "orders", "count": 5}], group=group)
        .steps[1]["sticky"]
        .rebalances[0]
        .joined
    )

    assert joined.current.owner.tolist() == [0, 0, 0, 0, 0]
    assert not joined.current.extra.size
