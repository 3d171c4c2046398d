"""What `evenkeel compare` says of the rows beside their figures."""

import json

import pytest

from evenkeel.data.commands.main import main
from tests.assignors.groups import by_topic
from tests.assignors.kafka.sticky.test_levelling import IN_RACK_B, MEMBERS, SIZES
from tests.generated.small_documents import document


@pytest.fixture
def written(tmp_path):
    def write(group):
        path = tmp_path / "group.json"
        path.write_text(json.dumps(group))
        return str(path)

    return write


@pytest.fixture
def endless():
    """A member that subscribes to nothing is given partitions by the sticky assignors, and refuses
    them each time.
    """
    group = document({"orders": 6}, a="", b="orders", c="orders")
    for member, owned in zip(
        group["members"], ({}, {"orders": [0, 1, 2]}, {"orders": [3, 4, 5]}), strict=True
    ):
        member |= {"owned": owned, "generation": 5}
    return group


def test_rounds_that_never_end_and_surprises_are_said_under_the_table(written, endless, capsys):
    assert (
        main(["compare", written(endless), "--assignor", "range", "sticky", "cooperative-sticky"])
        == 0
    )

    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines[4:9]] == ["rounds", "–", "1", "∞", "∞"]
    assert lines[9:] == [
        "",
        (
            "sticky, cooperative-sticky: never ends: a member refuses its assignment in every round"
            " and rejoins"
        ),
        (
            "sticky, cooperative-sticky: a gets partitions of orders, to which it never subscribed:"
            " behaviour Q-5 of Kafka's sticky assignors"
        ),
    ]


def test_the_json_has_the_same(written, endless, capsys):
    main(["compare", written(endless), "--assignor", "cooperative-sticky", "uniform", "--json"])

    sticky, uniform = json.loads(capsys.readouterr().out)["rows"][1:]
    assert [sticky[key] for key in ("rounds", "never_ends", "quirks")] == [2, True, ["Q-5"]]
    assert sticky["remarks"] == [
        "never ends: a member refuses its assignment in every round and rejoins",
        (
            "a gets partitions of orders, to which it never subscribed: behaviour Q-5 of Kafka's"
            " sticky assignors"
        ),
    ]
    assert [uniform[key] for key in ("rounds", "never_ends", "quirks")] == [1, False, []]
    assert uniform["remarks"] == ["the broker assigns (KIP-848): needs group.protocol=consumer"]


def test_one_valid_outcome_is_said_with_what_is_not_known(written, capsys):
    group = document({"t": [{"lag": 5}, {}]}, A="t", B="t")

    main(["compare", written(group), "--assignor", "range", "lag"])

    assert "\nlag: one valid outcome of several; unknown: lags\n" in capsys.readouterr().out


def test_members_that_a_surprise_strikes_are_three_at_most(written, capsys):
    group = document(
        {f"t{number}": 7 for number in range(3)},
        **{f"m{number}": "t0 t1 t2" for number in range(16)},
    )

    main(["compare", written(group), "--assignor", "range"])

    said = "in every topic the first members get the remainder"
    assert (
        "range: m0, m1, m10 and 4 more have at least two more partitions than other subscribers of"
        f" t0, t1 and t2: {said}" in capsys.readouterr().out.splitlines()
    )


def test_where_kafka_throws_nobody_is_said_to_get_anything(written, capsys):
    group = document({"orders": 1, "refunds": 4}, a="refunds", b="orders", c="refunds")
    for member, generation in zip(group["members"], (7, 6, 7), strict=True):
        member |= {
            "owned": {"refunds": [0, 1, 2, 3]} if member["member_id"] != "c" else {},
            "generation": generation,
        }

    main(["compare", written(group), "--assignor", "sticky", "--json"])

    sticky = json.loads(capsys.readouterr().out)["rows"][1]
    assert sticky["error"]["type"] == "NullPointerException"
    assert sticky["remarks"] == [
        "b claims partitions of refunds that it owned in an older generation, but no longer"
        " subscribes to: Kafka's leader fails with this exception at every rebalance until the"
        " stale claim is gone (restart b). Behaviour Q-8 of Kafka's sticky assignors"
    ]


def test_where_kafka_never_ends_the_row_says_so_and_names_the_assignor_once(written, capsys):
    group = document(SIZES, **{name: who.topics for name, who in MEMBERS.items()})
    for topic in group["topics"]:
        topic["partitions"] = [
            {"racks": ["b"] if number in IN_RACK_B.get(topic["name"], ()) else []}
            for number in range(SIZES[topic["name"]])
        ]
    for member, who in zip(group["members"], MEMBERS.values(), strict=True):
        member |= {"rack": who.rack, "owned": by_topic(who.owned), "generation": who.generation}

    main(["compare", written(group), "--assignor", "sticky"])

    assert (
        capsys.readouterr()
        .out.splitlines()[6]
        .startswith("sticky    Kafka's class never ends on this group")
    )


def test_a_group_is_answered_by_its_leader_and_by_the_client_that_is_asked_for(tmp_path, capsys):
    document = {
        "format": "evenkeel.group/1",
        "type": "classic",
        "leader": {"client": "librdkafka", "certain": True},
        "topics": [{"name": "t", "partitions": 2}],
        "members": [{"member_id": "a", "subscribed": ["t"], "owned": {"t": [0, 1]}}],
    }
    path = tmp_path / "group.json"
    path.write_text(json.dumps(document))

    asked = ["compare", str(path), "--json", "--assignor", "sticky", "uniform"]
    assert main(asked) == 0
    led = capsys.readouterr()
    assert main([*asked, "--client", "java"]) == 0
    java = capsys.readouterr()

    errors = [
        {row["assignor"]: row["error"] for row in json.loads(told.out)["rows"]}
        for told in (led, java)
    ]
    assert errors[0]["sticky"]["type"] == "NotOffered"
    assert errors[0]["uniform"] is None
    assert errors[1] == {"current": None, "sticky": None, "uniform": None}
    assert led.err.startswith("evenkeel: The answers follow the code of librdkafka")
    assert not java.err
