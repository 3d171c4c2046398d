import io
import json
import signal
import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.data.commands.main import main
from evenkeel.data.compare.assign_command import answer
from tests.generated.small_documents import DOCUMENTS, EXAMPLE, document

COMMAND = [
    sys.executable,
    "-c",
    "import sys; from evenkeel.data.commands.main import main; sys.exit(main())",
    "assign",
    "--jsonl",
]


def answered(request) -> dict:
    line = request if isinstance(request, bytes) else json.dumps(request).encode()
    return msgspec.to_builtins(answer(line))


def refused(request) -> str:
    """Return the message of a request that is refused."""
    found = answered(request)
    assert (found["assignment"], found["withheld"], found["assumed"], found["error"]["type"]) == (
        {},
        {},
        [],
        "RequestError",
    )
    return found["error"]["message"]


def test_the_answer_of_the_contract():
    assert answered({"assignor": "range", "group": EXAMPLE}) == {
        "assignment": {"pay-a-0f3c": {"orders": [0, 1]}},
        "withheld": {},
        "assumed": [],
        "error": None,
    }


def test_every_member_is_a_key_also_without_partitions():
    assert answered({"assignor": "range", "group": document({"t": 1}, B="t", A="t", C="")})[
        "assignment"
    ] == {
        "B": {},
        "A": {"t": [0]},
        "C": {},
    }


def by_expression(**expressions) -> dict:
    """Two topics, nothing stored; a member without an expression subscribes to both by name."""
    group = document(
        {"t0": 3, "t1": 2},
        **{member: "" if expression else "t0 t1" for member, expression in expressions.items()},
    )
    for member, expression in zip(group["members"], expressions.values(), strict=True):
        member |= {"subscribed_regex": expression, "owned": {}}
    return group


# Answers of Kafka 4.3.1.
@pytest.mark.parametrize(
    ("expressions", "assignment"),
    [
        ({"A": None, "B": None}, {"A": {"t0": [0, 1]}, "B": {"t0": [2], "t1": [0, 1]}}),
        ({"A": "t.*", "B": "t.*"}, {"A": {"t0": [0, 1]}, "B": {"t0": [2], "t1": [0, 1]}}),
        ({"A": "t.*", "B": None}, {"A": {"t0": [0, 2]}, "B": {"t0": [1], "t1": [0, 1]}}),
        ({"A": "t.*", "B": "t[01]"}, {"A": {"t0": [0, 2]}, "B": {"t0": [1], "t1": [0, 1]}}),
    ],
)
def test_uniform_takes_differing_expressions_for_differing_subscriptions_and_one_for_all_as_equal(
    expressions, assignment
):
    assert (
        answered({"assignor": "uniform", "group": by_expression(**expressions)})["assignment"]
        == assignment
    )


def test_an_expression_that_matches_topics_of_the_document_is_no_assumption():
    found = answered({"assignor": "range", "group": by_expression(A="t[0]", B="t")})

    assert (found["assignment"], found["assumed"]) == ({"A": {"t0": [0, 1, 2]}, "B": {}}, [])


def test_an_expression_that_is_none_is_refused_by_its_path():
    assert refused({"assignor": "range", "group": by_expression(A=None, B="(t")}).startswith(
        "members[1].subscribed_regex: found '(t', expected an RE2 expression: missing )"
    )


def test_a_lag_that_is_not_known_is_assumed_by_the_lag_assignor_only():
    group = document({"t": [{"lag": 5}, {}]}, A="t", B="t")

    assert answered({"assignor": "lag", "group": group})["assumed"] == [
        "topics[0].partitions[1].lag"
    ]
    assert answered({"assignor": "range", "group": group})["assumed"] == []


def test_what_the_document_assumes_of_members_and_sizes_is_assumed_by_every_answer():
    group = document({"t": 1}, A="t") | {"assumed": ["members[*].subscribed", "members"]}

    assert answered({"assignor": "range", "group": group})["assumed"] == [
        "members",
        "members[*].subscribed",
    ]


@given(DOCUMENTS, st.sampled_from(sorted(ASSIGNORS)))
def test_every_document_of_the_contract_is_answered_or_kafka_throws(group, assignor):
    found = answered({"assignor": assignor, "group": group})

    if found["error"]:
        assert found["assignment"] == {}
        assert found["error"]["type"] != "RequestError"
    else:
        assert list(found["assignment"]) == [
            member["member_id"] for member in group.get("members") or ()
        ]
        assert all(
            partitions == sorted(set(partitions)) and partitions
            for topics in found["assignment"].values()
            for partitions in topics.values()
        )


def test_what_kafkas_class_throws_has_its_simple_name():
    found = answered({"assignor": "roundrobin", "group": document({"t": 1})})

    assert (found["assignment"], found["error"]["type"]) == ({}, "IllegalArgumentException")


@pytest.mark.parametrize(
    "settings",
    [None, {}, {"kafka_version": "4.3.1", "jdk": 17, "max_generation": -1}, {"jdk": None}],
)
def test_settings_are_optional(settings):
    assert answered({"assignor": "range", "group": EXAMPLE, "settings": settings})["error"] is None


REFUSED = {
    "no JSON": (b"nope", "request: JSON is malformed"),
    "a listing": (
        b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID",
        (
            "request: JSON is malformed: invalid character (byte 0), expected one JSON request a"
            " line, {assignor, group, settings}; `evenkeel snapshot PATH` turns a listing into a"
            " group document"
        ),
    ),
    "a setting beside the settings": (
        {"assignor": "range", "group": EXAMPLE, "kafka_version": "4.0.0"},
        (
            "request: Object contains unknown field `kafka_version`, which belongs in settings:"
            ' {"settings": {"kafka_version": …}}, expected {assignor, group, settings}'
        ),
    ),
    "no object": (b"[]", "request: Expected `object`, got `array`"),
    "bytes that are no UTF-8": (b'{"assignor": "\xff"}', "request: "),
    "no group": ({"assignor": "range"}, "request: Object missing required field `group`"),
    "no assignor": ({"group": EXAMPLE}, "request: Object missing required field `assignor`"),
    "an unknown key": (
        {"assignor": "range", "group": EXAMPLE, "seed": 1},
        "request: Object contains unknown field `seed`",
    ),
    "an unknown assignor": (
        {"assignor": "best", "group": EXAMPLE},
        'assignor: found "best", expected one of range, roundrobin',
    ),
    "a group that is null": (
        {"assignor": "range", "group": None},
        "$: found null, expected the object of a group document",
    ),
    "a bad document": (
        {"assignor": "range", "group": EXAMPLE | {"members": [{"member_id": "a"}]}},
        "$.members[0].subscribed: missing, expected a value",
    ),
    "an unknown setting": (
        {"assignor": "range", "group": EXAMPLE, "settings": {"max.warmup.replicas": 2}},
        'settings: "max.warmup.replicas" is not a setting of range, expected kafka_version',
    ),
    "an assignor twice": (
        b'{"assignor": "range", "assignor": "lag", "group": {}}',
        "request: $.assignor: the key appears twice, expected once",
    ),
    "a group twice": (
        b'{"assignor": "range", "group": {}, "group": {}}',
        "request: $.group: the key appears twice, expected once",
    ),
    "a setting twice": (
        b'{"assignor": "range", "group": {}, "settings": {"jdk": 17, "jdk": 21}}',
        "request: $.settings.jdk: the key appears twice, expected once",
    ),
    "a key of the group twice": (
        (
            b'{"assignor": "range", "group": {"format": "evenkeel.group/1", "members": [],'
            b' "members": []}}'
        ),
        "$.members: the key appears twice, expected once",
    ),
    "a setting of a wrong type": (
        {"assignor": "range", "group": EXAMPLE, "settings": {"jdk": "17"}},
        "jdk is '17', expected an integer",
    ),
    "a release that is not known": (
        {"assignor": "range", "group": EXAMPLE, "settings": {"kafka_version": "new"}},
        "kafka_version is 'new', expected a release",
    ),
}


@pytest.mark.parametrize(("request_line", "message"), REFUSED.values(), ids=REFUSED)
def test_what_we_refuse_is_a_request_error(request_line, message):
    assert message in refused(request_line)


def test_a_fault_of_ours_does_not_take_the_answers_that_follow(monkeypatch):
    class Broken(ASSIGNORS["range"]):
        def assign(self, group):
            raise IndexError("row 7")

    monkeypatch.setitem(ASSIGNORS, "range", Broken)

    assert (
        refused({"assignor": "range", "group": EXAMPLE})
        == "evenkeel failed on this request, IndexError: row 7"
    )


def test_the_name_of_javas_exception_goes_through(monkeypatch):
    class Throwing(ASSIGNORS["range"]):
        def assign(self, group):
            raise AssignorError("IllegalStateException", "No more unfilled consumers")

    monkeypatch.setitem(ASSIGNORS, "range", Throwing)

    assert answered({"assignor": "range", "group": EXAMPLE})["error"] == {
        "type": "IllegalStateException",
        "message": "No more unfilled consumers",
    }


@pytest.mark.parametrize(
    ("requests", "code"),
    [
        ([{"assignor": "range", "group": EXAMPLE}], 0),
        (["nope", {"assignor": "range", "group": EXAMPLE}, "nope"], 0),
        (["nope"], 1),
        ([{"assignor": "roundrobin", "group": document({"t": 1})}, "nope"], 1),
        ([], 0),
    ],
    ids=["one answered", "one of three answered", "none answered", "Kafka throws", "no request"],
)
def test_it_ends_with_1_where_every_request_failed(requests, code, monkeypatch, capsysbinary):
    monkeypatch.setattr(
        sys,
        "stdin",
        io.TextIOWrapper(
            io.BytesIO("".join(f"{json.dumps(one)}\n\n" for one in requests).encode())
        ),
    )

    assert main(["assign", "--jsonl"]) == code
    assert capsysbinary.readouterr().out.count(b"\n") == len(requests)


@pytest.fixture
def running():
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    yield process
    process.kill()
    process.wait()


def test_each_line_is_answered_before_the_next_one_comes(running):
    for line in (
        json.dumps({"assignor": "range", "group": EXAMPLE}),
        "nope",
        json.dumps({"assignor": "lag", "group": EXAMPLE}),
    ):
        running.stdin.write(b"\n  \n" + line.encode() + b"\n")
        running.stdin.flush()
        found = json.loads(running.stdout.readline())

        assert (found["error"] is None) == (line != "nope")


def test_errors_carry_the_line_of_the_input(running):
    requests = (
        "\n"
        + json.dumps({"assignor": "range", "group": EXAMPLE})
        + "\nnope\n\n"
        + json.dumps({"assignor": "roundrobin", "group": document({"t": 1})})
        + "\n"
    )

    answers, _ = running.communicate(requests.encode(), timeout=500)

    errors = [json.loads(line)["error"] for line in answers.splitlines()]
    assert [error and (error["type"], error["line"]) for error in errors] == [
        None,
        ("RequestError", 3),
        ("IllegalArgumentException", 5),
    ]


def test_it_ends_with_its_input(running):
    answers, errors = running.communicate(
        json.dumps({"assignor": "range", "group": EXAMPLE}).encode(), timeout=500
    )

    assert (answers.count(b"\n"), errors, running.returncode) == (1, b"", 0)


def test_control_c_ends_it_quietly(running):
    running.stdin.write(json.dumps({"assignor": "range", "group": EXAMPLE}).encode() + b"\n")
    running.stdin.flush()
    running.stdout.readline()
    running.send_signal(signal.SIGINT)

    assert running.communicate(timeout=500)[1] == b""


def test_a_reader_that_goes_away_ends_it_quietly(running):
    running.stdout.close()
    running.stdin.write(json.dumps({"assignor": "range", "group": EXAMPLE}).encode() + b"\n")
    running.stdin.close()

    assert running.wait(timeout=500) == 0
    assert running.stderr.read() == b""


def test_it_starts_without_what_the_other_commands_import():
    code = (
        "import sys; import evenkeel.data.compare.assign_command; print([name for name in"
        " ('pyarrow', 'pandas', 'pyspark', 'streamlit') if name in sys.modules])"
    )

    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "[]\n"
    )


def test_the_setting_client_overrides_the_leader_of_the_document():
    led = EXAMPLE | {"leader": {"client": "librdkafka", "certain": True}}

    assert answered({"assignor": "sticky", "group": led})["error"]["type"] == "NotOffered"
    assert (
        answered({"assignor": "sticky", "group": led, "settings": {"client": "java"}})["error"]
        is None
    )
    assert (
        answered({"assignor": "sticky", "group": EXAMPLE, "settings": {"client": "kafka-go"}})[
            "error"
        ]["type"]
        == "NotOffered"
    )


def test_an_assignor_that_no_client_ships_does_not_ask_who_leads():
    led = EXAMPLE | {"leader": {"client": "librdkafka"}}

    assert answered({"assignor": "uniform", "group": led})["error"] is None
    assert '"client" is not a setting of lag' in refused(
        {"assignor": "lag", "group": EXAMPLE, "settings": {"client": "java"}}
    )


@pytest.mark.parametrize("client", ["spring", 5, [], ""])
def test_an_unknown_client_is_refused_with_those_that_there_are(client):
    told = refused({"assignor": "range", "group": EXAMPLE, "settings": {"client": client}})

    assert told.startswith(
        f'settings.client: found "{client}", expected one of java, librdkafka, kafka-python'
    )


def test_an_assignor_whose_answer_no_input_decides_says_so():
    told = refused({"assignor": "sticky", "group": EXAMPLE, "settings": {"client": "sarama"}})

    assert (
        told == "sticky of sarama is not a function of the inputs: it iterates over Go maps, whose"
        " order is random"
    )
