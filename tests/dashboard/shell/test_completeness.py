"""What an input shows, and what is still missing."""

import json

import pytest

from evenkeel.dashboard.shell.input_words import missing, shown
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import decode
from tests.generated.small_documents import document

ID = "LkLS-N4OSSK11RYzgIc1Eg"


def observed(partitions=({"lag": 5}, {"lag": 7}), **facts):
    """One topic and two members, each with what is said of them; other facts are the document's."""
    group = document({"t": list(partitions)}, A="t", B="t")
    group["topics"][0] |= facts.pop("topic", {"topic_id": ID})
    group["members"][0] |= {"owned": {"t": [0, 1]}} | facts.pop("member", {})
    return observed_from_document(decode(json.dumps(group | facts).encode()))


def test_subscriptions_alone_are_not_called_racks_and_static_ids():
    assert shown(observed()) == "subscriptions"


@pytest.mark.parametrize(
    ("member", "said"),
    [
        ({"rack": "a"}, "subscriptions and racks"),
        ({"instance_id": "a"}, "subscriptions and static ids"),
        ({"rack": "a", "instance_id": "a"}, "subscriptions, racks and static ids"),
    ],
)
def test_racks_and_static_ids_are_said_where_there_are_some(member, said):
    assert shown(observed(member=member)) == said


def test_racks_of_replicas_count_as_racks():
    assert shown(observed([{"lag": 5, "racks": ["a"]}])) == "subscriptions and racks"


def test_nothing_is_missing_where_ids_and_lag_are_known():
    assert missing(observed()) == []


def test_topic_ids_and_offsets_are_missing_with_who_needs_them():
    assert missing(observed([{"lag": 5}, {}], topic={})) == [
        "topic ids (uniform needs them)",
        "offsets of 1 of 2 partitions (lag needs them)",
    ]
    assert missing(observed([{}, {}])) == ["offsets of every partition (lag needs them)"]


def test_a_share_group_needs_topic_ids_for_simple_and_no_offsets():
    assert missing(observed([{}, {}], topic={}, type="share")) == ["topic ids (simple needs them)"]


def test_a_lower_level_misses_what_the_next_ones_have():
    assumed = observed(assumed=["members", "members[*].subscribed"])

    assert (shown(assumed), missing(assumed)) == (
        "offsets and owners",
        ["all members", "subscriptions"],
    )


def test_where_nobody_says_who_owns_what_members_and_subscriptions_are_there_all_the_same():
    without_owners = observed_from_document(
        decode(json.dumps(document({"t": [{"lag": 5}]}, A="t")).encode())
    )

    assert without_owners.level == 1
    assert shown(without_owners) == "offsets, all members and subscriptions"
    assert missing(without_owners) == ["owners", "topic ids (uniform needs them)"]
