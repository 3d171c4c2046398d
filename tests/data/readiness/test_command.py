"""`evenkeel readiness` of documents and listings: what it prints, its lines of JSON, its exit
codes.
"""

import json

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.readiness.words import CODES, KINDS

_BROKER = [
    "group.version=1",
    "group.coordinator.rebalance.protocols=classic,consumer",
    "group.consumer.migration.policy=bidirectional",
    "group.consumer.max.size=2147483647",
]


def _document(name, **facts):
    client = facts.pop("client", "java")
    members = [
        {
            "member_id": f"{name}-{one}",
            "client_id": f"{name}-{one}",
            "subscribed": ["orders", "pay"],
            "owned": owned,
            "assignment_user_data": facts.get("bytes", 0),
        }
        for one, owned in (
            ("a", {"orders": [0, 1], "pay": [0, 1]}),
            ("b", {"orders": [2, 3], "pay": [2, 3]}),
        )
    ]
    about = {
        "type": "classic",
        "protocol_type": "consumer",
        "state": "Stable",
        "assignor": facts.get("assignor", "range"),
    }
    topics = [
        {"name": topic, "partitions": 4, "topic_id": one * 21 + "A"}
        for topic, one in (("orders", "a"), ("pay", "Z"))
    ]
    leader = {"client": client, "certain": True}
    return {
        "format": "evenkeel.group/1",
        "group_id": name,
        **about,
        "leader": leader,
        "topics": topics,
        "members": members,
    }


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Four groups as files, in a folder that has no configuration."""
    monkeypatch.chdir(tmp_path)
    documents = [
        _document("java"),
        _document("sticky", client="librdkafka", assignor="cooperative-sticky", bytes=44),
        _document("python", client="kafka-python"),
        {
            "format": "evenkeel.group/1",
            "group_id": "empty",
            "type": "classic",
            "state": "Empty",
            "members": [],
        },
    ]
    for one in documents:
        (tmp_path / f"{one['group_id']}.json").write_text(json.dumps(one))
    return [f"{one['group_id']}.json" for one in documents]


def _ran(capsys, *words):
    code = main(["readiness", *map(str, words)])
    said = capsys.readouterr()
    return code, said.out, said.err


def _lines(capsys, *words):
    code, out, _ = _ran(capsys, *words, "--json")
    assert code == 0
    *groups, last = map(json.loads, out.splitlines())
    return groups, last["summary"]


def test_groups_come_by_verdict_from_the_worst_and_a_summary_ends_them(files, capsys):
    groups, summary = _lines(capsys, *files, "--broker-config", *_BROKER, "--client", "java=4.0")

    assert [(one["group_id"], one["verdict"], one["broker"], one["refusal"]) for one in groups] == [
        ("python", "blocked", "accepts", None),
        ("sticky", "blocked", "refuses", "user-data"),
        ("java", "note", "accepts", None),
        ("empty", "ready", "accepts", None),
    ]
    assert summary == {
        "groups": 4,
        "blocked": 2,
        "unknown": 0,
        "note": 1,
        "ready": 1,
        "done": 0,
        "other": 0,
        "members": 6,
        "moves": groups[2]["switch"]["moves"],
    }


def test_moves_that_are_not_predicted_are_unknown_and_no_zero(files, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("evenkeel.data.readiness.command._MANY", 0)
    _, summary = _lines(capsys, "java.json", "--broker-config", *_BROKER, "--client", "java=4.0")
    _, other = _lines(capsys, "java.json", "--broker-config", *_BROKER, "--plan", "cooperative")
    _, empty = _lines(capsys, "empty.json", "--broker-config", *_BROKER)

    assert (summary["note"], summary["moves"], other["moves"], empty["moves"]) == (1, None, None, 0)


@pytest.mark.parametrize(
    ("condition", "code"), [("moves > 0", 2), ("moves <= 8", 1), ("moves > 8", 0)]
)
def test_every_partition_of_a_group_without_a_way_can_move(
    files, tmp_path, capsys, condition, code
):
    document = _document("java", assignor="with-words")
    (tmp_path / "java.json").write_text(json.dumps(document))

    given = ["--broker-config", *_BROKER, "--client", "java=4.0"]
    (one,), _ = _lines(capsys, "java.json", *given)
    assert one["switch"] is None
    assert one["verdict"] in ("note", "ready")
    assert _ran(capsys, "java.json", *given, "--fail-if", condition)[0] == code


def test_a_line_has_clients_switch_steps_and_settings(files, capsys):
    (one,), _ = _lines(
        capsys, "java.json", "--broker-config", *_BROKER, "--remote-assignor", "range"
    )

    assert [(each["family"], each["can"], each["since"]) for each in one["clients"]] == [
        ("java", "ask", "4.0")
    ] * 2
    assert one["switch"]["assignor"] == "range"
    assert one["switch"]["pairs"] == [{"topics": ["orders", "pay"], "before": 4, "after": 4}]
    assert [each["member_id"] for each in one["steps"]] == ["java-a", "java-b"]
    first = one["steps"][0]["stopped"]
    assert first == {
        "type": "classic",
        "assignor": "range",
        "owners": {"java-b": {"orders": [0, 1, 2, 3], "pay": [0, 1, 2, 3]}},
        "moved": 4,
        "certain": True,
        "others": 0,
        "moved_between": [4, 4],
    }
    assert [(each["back"]["open"], each["back"]["restarts"]) for each in one["steps"]] == [
        (True, 1),
        (True, 2),
    ]
    assert set(one["steps"][0]["started"]["owners"]) == {"java-a", "java-b"}
    assert one["settings"]["java"]["add"] == {
        "group.protocol": "consumer",
        "group.remote.assignor": "range",
    }


def test_the_table_has_every_reason_and_one_group_its_restarts_with_the_way_back(files, capsys):
    _, out, _ = _ran(capsys, "java.json", "--broker-config", *_BROKER)
    head, first, second, *_ = lines = out.splitlines()

    why = head.index("why")
    assert first[why:].startswith("orders and pay lose pairs with uniform")
    assert first.startswith("Note     java")
    assert second == " " * why + "Ask for the version of the Java client: it needs 4.0 or later."
    assert lines[-3].split() == ["restart", "moves", "then"]
    # The one that stays gets the other's four partitions, and then gives four away.
    assert lines[-2].split(None, 5)[:5] == ["1", "java-a", "4", "+", "4"]
    assert "back: restart java-a, 8 moves" in lines[-2]
    assert "back: roll again, " in lines[-1]


def test_with_the_policy_upgrade_the_way_back_is_closed_and_partitions_lose_their_owner(
    files, capsys
):
    given = [*_BROKER[:2], "group.consumer.migration.policy=upgrade", _BROKER[3]]
    (one,), _ = _lines(capsys, "java.json", "--broker-config", *given)
    _, out, _ = _ran(capsys, "java.json", "--broker-config", *given)

    assert one["steps"][0]["back"] == {
        "open": False,
        "restarts": 1,
        "moved": None,
        "without_owner": 4,
    }
    assert "no way back: 4 partitions without owner" in out


def test_without_the_brokers_settings_the_answer_is_unknown_and_says_how_to_give_them(
    files, capsys
):
    (one,), _ = _lines(capsys, "java.json")

    assert (one["verdict"], one["broker"], one["reasons"][0]["code"]) == (
        "unknown",
        "unknown",
        "settings-unknown",
    )
    assert "kafka-configs.sh" in one["reasons"][0]["text"]
    assert "--broker-config" in one["reasons"][0]["text"]


def test_an_old_document_and_a_listing_are_unknown_because_they_show_no_bytes(
    files, tmp_path, capsys
):
    old = _document("old")
    old.pop("protocol_type")
    for member in old["members"]:
        member.pop("assignment_user_data")
    (tmp_path / "old.json").write_text(json.dumps(old))
    header = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
    (tmp_path / "listing.txt").write_text(
        f"{header}\npasted orders 0 1 2 1 pay-a-0f3c1e52 /10.4.1.17 pay-a\n"
    )

    groups, _ = _lines(capsys, "old.json", "listing.txt", "--broker-config", *_BROKER)

    assert [(one["group_id"], one["verdict"], one["reasons"][0]["code"]) for one in groups] == [
        ("old", "unknown", "bytes-unknown"),
        ("pasted", "unknown", "bytes-unknown"),
    ]


@pytest.mark.parametrize(
    ("condition", "more", "code"),
    [
        ("blocked > 0", [], 1),
        ("blocked > 2", [], 2),
        ("blocked > 2", ["--broker-config", *_BROKER], 0),
        ("members == 6", [], 1),
        ("ready == 0", ["--broker-config", *_BROKER], 0),
    ],
)
def test_a_condition_that_unknown_groups_could_turn_ends_with_2(
    files, capsys, condition, more, code
):
    assert _ran(capsys, *files, *more, "--fail-if", condition)[0] == code


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--client", "jvm=4"], "client: found jvm, expected one of java, librdkafka"),
        (["--client", "java=new"], "client java: found release 'new', expected such as 4.0.1"),
        (
            ["--broker-config", "group.max=1"],
            "broker settings: found group.max, expected one of group.version",
        ),
        (
            ["--broker-config", "group.consumer.max.size=many"],
            "group.consumer.max.size: found 'many', expected a whole number",
        ),
        (
            ["--remote-assignor", "sticky"],
            "remote assignor: found sticky, expected one of uniform, range",
        ),
        (
            ["--cluster", "production"],
            "--cluster production and the file java.json, expected one of them",
        ),
    ],
)
def test_a_wrong_word_is_named_with_what_is_expected(files, capsys, words, said):
    code, out, err = _ran(capsys, "java.json", *words)

    assert (code, out) == (2, "")
    assert said in err


def test_the_other_plan_is_about_eager_groups_alone(files, capsys):
    groups, _ = _lines(capsys, *files, "--plan", "cooperative")

    assert [(one["group_id"], one["verdict"], one["reasons"][0]["code"]) for one in groups] == [
        ("python", "note", "stop-all"),
        ("java", "ready", "two-bounces"),
    ]


def test_the_other_plan_keeps_groups_whose_assignor_is_unknown(files, tmp_path, capsys):
    document = _document("unknown", assignor=None)
    (tmp_path / "unknown.json").write_text(json.dumps(document))

    groups, summary = _lines(capsys, *files, "unknown.json", "--plan", "cooperative")
    alone = _ran(capsys, "unknown.json", "--plan", "cooperative")

    assert [(one["group_id"], one["verdict"], one["reasons"][0]["code"]) for one in groups] == [
        ("unknown", "unknown", "assignor-unknown"),
        ("python", "note", "stop-all"),
        ("java", "ready", "two-bounces"),
    ]
    assert summary["unknown"] == 1
    assert (alone[0], alone[2]) == (
        2,
        "evenkeel readiness: the assignor of the group is not known, so there is no plan\n",
    )
    assert "The assignor is not known." in alone[1]


def test_every_code_has_words_and_is_told_in_the_documentation():
    from pathlib import Path

    text = (Path(__file__).parents[3] / "docs/readiness.md").read_text()
    of_the_other_plan = {"assignor-unknown", "no-cooperative", "stop-all", "two-bounces"}

    assert set(KINDS) == set(CODES)
    assert [
        code for code in CODES if f"`{code}`" not in text and code not in of_the_other_plan
    ] == []
