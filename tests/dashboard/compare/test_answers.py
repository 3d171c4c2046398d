"""Assignors: what is said of the assignors' answers: surprises, one valid outcome of several,
releases, upgrades.
"""

import json

import pytest

from tests.assignors.groups import by_topic
from tests.assignors.kafka.sticky.test_levelling import IN_RACK_B, MEMBERS, SIZES


def test_a_surprise_is_explained_with_the_names_that_it_strikes(page):
    topics, members = (
        [{"name": "orders", "partitions": 4}],
        [
            {"member_id": "consumer1", "subscribed": ["orders"]},
            {"member_id": "consumer2", "subscribed": []},
        ],
    )
    page.paste(
        json.dumps(
            {"format": "evenkeel.group/1", "group_id": "g", "topics": topics, "members": members}
        )
    )

    page.open("compare")

    assert page.remarks["sticky, cooperative-sticky"] == [
        "consumer2 gets partitions of orders, to which it never subscribed: behaviour Q-5 of"
        " Kafka's sticky assignors."
    ]


def test_what_a_numbered_surprise_is_and_what_to_do_about_it_stands_below(page):
    topics = [{"name": name, "partitions": 1} for name in ("t0", "t1")]
    members = [
        {"member_id": name, "subscribed": ["t0", "t1"], "instance_id": "twin"}
        for name in ("a", "b")
    ]
    page.paste(
        json.dumps(
            {"format": "evenkeel.group/1", "group_id": "g", "topics": topics, "members": members}
        )
    )

    page.open("compare")

    assert "Kafka's behaviour Q-24 and Q-25: meaning and remedy" in [
        box.label for box in page.app.expander
    ]
    assert "<dd><b>What to do:</b> Give each member its own group.instance.id.</dd>" in page.html
    assert (
        "If members have equal counts and lags, the smallest member id always wins. With many"
        " topics of one partition, one member gets all partitions." in page.html
    )
    assert "Q-5" not in page.html


def test_without_a_numbered_surprise_there_is_nothing_to_look_up(page):
    page.open("compare", sample="two-consumers")

    assert not [box.label for box in page.app.expander if box.label.startswith("What Q")]


def test_a_surprise_explains_also_why_kafka_throws(page):
    topics = [{"name": "a", "partitions": 2}, {"name": "b", "partitions": 2}]
    members = [
        {"member_id": name, "subscribed": ["a", "b"], "owned": owned, "generation": 1}
        for name, owned in (("A", {"a": [9], "b": [0]}), ("B", {"b": [1]}))
    ]
    page.paste(
        json.dumps(
            {"format": "evenkeel.group/1", "group_id": "g", "topics": topics, "members": members}
        )
    )

    page.open("compare")
    page.app.selectbox(key="candidate").set_value("sticky").run()

    assert page.errors
    assert "IllegalStateException" in page.errors[0]
    assert page.remarks["sticky, cooperative-sticky"][0].startswith("IllegalStateException: ")
    assert (
        page.remarks["sticky, cooperative-sticky"][1]
        == "A claims partitions of a that do not exist: Kafka's leader fails with this exception at"
        " every rebalance until the claim is gone (restart A). Behaviour Q-6 of Kafka's sticky"
        " assignors."
    )


def test_where_kafka_throws_nobody_is_said_to_get_anything(page):
    topics = [{"name": "orders", "partitions": 1}, {"name": "refunds", "partitions": 4}]
    stale = {"refunds": [0, 1, 2, 3]}
    members = [
        {"member_id": "a", "subscribed": ["refunds"], "owned": stale, "generation": 7},
        {"member_id": "b", "subscribed": ["orders"], "owned": stale, "generation": 6},
        {"member_id": "c", "subscribed": ["refunds"], "owned": {}, "generation": 7},
    ]
    page.paste(
        json.dumps(
            {"format": "evenkeel.group/1", "group_id": "g", "topics": topics, "members": members}
        )
    )

    page.open("compare")
    page.app.selectbox(key="candidate").set_value("cooperative-sticky").run()

    thrown = "b has all the partitions that it can have, but should get one more"
    assert page.errors == [
        f"cooperative-sticky: Kafka's own class throws NullPointerException on this group: {thrown}"
    ]
    assert page.remarks["sticky, cooperative-sticky"] == [
        f"NullPointerException: {thrown}.",
        (
            "b claims partitions of refunds that it owned in an older generation, but no longer"
            " subscribes to: Kafka's leader fails with this exception at every rebalance until the"
            " stale claim is gone (restart b). Behaviour Q-8 of Kafka's sticky assignors."
        ),
    ]


def test_where_kafka_never_ends_no_exception_is_said_to_end_it(page):
    topics = [
        {
            "name": name,
            "partitions": [
                {"racks": ["b"] if number in IN_RACK_B.get(name, ()) else []}
                for number in range(size)
            ],
        }
        for name, size in SIZES.items()
    ]
    members = [
        {
            "member_id": name,
            "subscribed": who.topics.split(),
            "rack": who.rack,
            "owned": by_topic(who.owned),
            "generation": who.generation,
        }
        for name, who in MEMBERS.items()
    ]
    page.paste(
        json.dumps(
            {"format": "evenkeel.group/1", "group_id": "g", "topics": topics, "members": members}
        )
    )

    page.open("compare")

    assert page.remarks["sticky, cooperative-sticky"][1:] == [
        "C claims partitions of t4 that do not exist: Kafka's leader does not finish a rebalance"
        " until the claim is gone (restart C). Behaviour Q-6 of Kafka's sticky assignors."
    ]


def test_racks_are_named_where_they_decide_and_not_the_members_that_come_first(page):
    racks = {
        "audit": (["a"], ["b"]),
        "clicks": (["a", "b"], ["a", "b"]),
        "logins": (["a", "b"], ["a", "b"]),
    }
    topics = [
        {"name": name, "partitions": [{"racks": each} for each in of_topic]}
        for name, of_topic in racks.items()
    ]
    members = [
        {"member_id": name, "subscribed": list(racks), "rack": rack}
        for name, rack in (("m1", "z"), ("m2", "a"), ("m3", "b"))
    ]
    page.paste(
        json.dumps(
            {"format": "evenkeel.group/1", "group_id": "g", "topics": topics, "members": members}
        )
    )

    page.open("compare")

    assert page.remarks["range"] == [
        (
            "m1 is served last in clicks and logins, because its rack lacks replicas; Kafka uses"
            " racks for clicks and logins only because another topic needs racks: behaviour Q-2 of"
            " Kafka's range assignor."
        ),
        "Racks decide: without racks, 6 of 6 partitions would have another owner.",
    ]
    assert (
        page.remarks["uniform"][-1]
        == "m1 and m2 get partitions of audit and clicks without a replica in their rack, because"
        " this assignor ignores racks: behaviour Q-10 of Kafka's broker."
    )


def test_one_valid_outcome_is_said_with_its_reason(page):
    page.open("compare", sample="third-consumer-joins")

    rows = {row["name"]: row for row in page.rows}
    reason = (
        "the answer depends on topic ids, which are unknown (topic1 and topic2): Evenkeel made ids"
        " from the names"
    )
    assert (rows["uniform"]["note"], rows["lag"]["note"]) == ("KIP-848", "KAFKA-5337")
    assert page.remarks["uniform"] == [f"This is one valid outcome of several: {reason}."]
    assert rows["range"]["note"] == ""


def test_what_nobody_knows_of_any_answer_is_said_once(page):
    page.open("compare", sample="ten-consumers-kafka-0.10")

    said = page.remarks
    assert list(said) == ["every assignor"]
    assert "every member subscribes to all topics that any member owns" in said["every assignor"][0]
    assert [row["note"] for row in page.rows if row["name"] == "lag"] == ["KAFKA-5337"]


def test_assignors_of_a_release_that_is_not_known_say_so(page):
    page.open("compare", sample="differing-subscriptions", kafka="3.9.0", candidate="uniform")

    errors = {row["name"]: row["error"] for row in page.rows if row["error"]}
    assert errors == {
        "uniform": (
            "no answer for Kafka 3.9.0: members subscribe to different topics; answers are known"
            " from 4.0.0 on"
        )
    }
    assert [info.value for info in page.app.info] == [
        "No charts of uniform\\. Choose another candidate, or Kafka 4\\.0\\.0 or a later release\\."
    ]
    assert "uniform" not in page.remarks
    assert {trace["name"] for trace in page.figure()["data"]} == {"current"}
    assert not page.errors
    assert not page.app.exception
    assert page.app.selectbox(key="kafka").value == "3.9.0"


@pytest.mark.parametrize(
    ("release", "unknown"),
    [
        ("3.8.0", ["uniform", "broker-range"]),
        ("3.4.0", ["range", "sticky", "cooperative-sticky", "uniform", "broker-range"]),
    ],
)
def test_an_older_release_knows_fewer_assignors(page, release, unknown):
    page.open("compare", sample="two-consumers", kafka=release, candidate="roundrobin")

    assert [row["name"] for row in page.rows if row["error"]] == unknown


def test_what_an_upgrade_moves_is_one_line_and_a_list(page):
    members = [{"member_id": name, "subscribed": ["t"]} for name in ("A", "B")]
    topics = [{"name": "t", "topic_id": "LkLS-N4OSSK11RYzgIc1Eg", "partitions": 3}]
    page.paste(
        json.dumps(
            {"format": "evenkeel.group/1", "group_id": "g", "topics": topics, "members": members}
        )
    )
    page.open("compare")

    page.app.selectbox(key="candidate").set_value("uniform").run()
    page.app.selectbox(key="kafka").set_value("4.0.0").run()
    page.app.session_state["upgrade"] = True
    page.app.run()

    # Kafka 4.0.0 gives the first member two partitions, 4.0.1 and later the last one.
    assert (
        "Upgrading the brokers from 4.0.0 to 4.3.1: 1 partition of uniform moves, because up to"
        " 4.0.0 an extra place is never taken back" in [box.label for box in page.app.expander]
    )
    assert page.app.dataframe[0].value[["From", "To"]].values.tolist() == [["A", "B"]]


def test_an_upgrade_that_moves_nothing_says_so_and_the_newest_release_says_nothing(page):
    page.open("compare", sample="two-consumers", kafka="4.0.1", candidate="uniform")
    assert "Upgrading the brokers from 4.0.1 to 4.3.1: no partition of uniform moves." in page.html

    page.app.selectbox(key="kafka").set_value("4.3.1").run()
    assert "Upgrading" not in page.html


def test_a_release_that_does_not_exist_is_refused_in_one_line(page):
    page.open("compare", sample="two-consumers", kafka="9.9.9")

    assert page.app.selectbox(key="kafka").value == "4.3.1"
    assert page.app.warning[0].value.startswith("The URL asks for the client and release")


@pytest.mark.parametrize(
    ("candidate", "label"),
    [
        ("lag", "Leader"),
        ("sticky", "Leader"),
        ("uniform", "Release of the brokers"),
        ("broker-range", "Release of the brokers"),
    ],
)
def test_whose_release_is_chosen_is_said_in_front_of_it_with_help(page, candidate, label):
    page.open("compare", sample="two-consumers", candidate=candidate)

    (said,) = [
        caption for caption in page.app.caption if caption.value.startswith(("Release", "Leader"))
    ]
    assert (said.value, said.help.startswith("A classic group is assigned by its leader")) == (
        label,
        True,
    )


def test_a_share_group_is_answered_by_the_release_of_the_brokers(page):
    topics, members = [{"name": "t", "partitions": 2}], [{"member_id": "a", "subscribed": ["t"]}]
    page.paste(
        json.dumps(
            {
                "format": "evenkeel.group/1",
                "group_id": "s",
                "type": "share",
                "topics": topics,
                "members": members,
            }
        )
    )
    page.open("compare")

    assert "Release of the brokers" in [caption.value for caption in page.app.caption]


def test_an_upgrade_of_clients_is_called_that(page):
    page.open("compare", sample="two-consumers", kafka="4.0.1", candidate="range")

    assert "Upgrading the clients from 4.0.1 to 4.3.1: no partition of range moves." in page.html
