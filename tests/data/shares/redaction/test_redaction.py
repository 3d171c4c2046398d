"""No original name leaves with a redacted share, and what was equal or different stays so."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.run.results import result_of
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.decode import decode_scenario
from evenkeel.data.shares.redaction import KINDS, check_author_texts, preview, redacted
from evenkeel.data.shares.redaction.redaction import replaced
from tests.data.shares.frozen import RESULT, SCENARIO, frozen
from tests.data.shares.redaction import named
from tests.generated.small_documents import EXAMPLE


def texts_of(value: Any) -> Iterator[str]:
    """Every text of a JSON value, keys among them."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from texts_of(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_of(each)
    elif isinstance(value, str):
        yield value


_PLAIN = named.Names(*([letter] for letter in "ABCDEFGH"))
WORDS = "\n".join(
    [
        *texts_of([named.scenario(_PLAIN), named.result(_PLAIN)]),
        "host- client- instance- rack- topic- group- word- step scenario no-topic",
    ]
)
"""Words of the format and of the program: a name that is a part of one is no secret."""


def with_steps(*names: str, **changes: Any) -> dict:
    return SCENARIO | {"steps": [{"name": name, "edits": []} for name in names]} | changes


@given(named.names())
def test_with_all_kinds_redacted_no_original_name_is_anywhere_in_the_payload(some):
    left = "\n".join(texts_of(redacted(named.scenario(some), named.result(some), KINDS)))

    # Signs alone tell nothing: the base64 of -1 is slashes, a regular expression without a letter
    # stays.
    secrets = [
        name
        for names in some
        for name in names
        if len(name) >= 3 and any(map(str.isalnum, name)) and name not in WORDS
    ]
    assert [name for name in secrets if name in left] == []


@given(named.names(), st.sets(st.sampled_from(KINDS)))
def test_equal_names_get_one_stand_in_different_names_differ_and_other_kinds_stay(some, kinds):
    scenario, _ = redacted(named.scenario(some), named.result(some), kinds)

    places = {
        "hosts": ("host", scenario["group"]["members"]),
        "client ids": ("client_id", scenario["group"]["members"]),
        "members": ("member_id", scenario["group"]["members"]),
        "instance ids": ("instance_id", scenario["group"]["members"]),
        "racks": ("rack", scenario["group"]["members"]),
        "topics": ("name", scenario["group"]["topics"]),
        "group name": ("group_id", [scenario["group"]]),
        "other words": ("assignor", [scenario["group"]]),
    }
    for kind, names in named.of_kind(some).items():
        key, objects = places[kind]
        pairs = {(names[row % len(names)], each[key]) for row, each in enumerate(objects)}
        assert (
            len({before for before, _ in pairs}) == len(pairs) == len({after for _, after in pairs})
        )
        assert kind in kinds or all(before == after for before, after in pairs)


@given(named.names())
def test_keys_of_the_result_are_the_members_and_topics_of_the_scenario(some):
    scenario, result = redacted(named.scenario(some), named.result(some), KINDS)

    members = {each["member_id"] for each in scenario["group"]["members"]}
    for line in result[1:]:
        assert members < set(line["assignment"]) == set(line["withheld"])
        assert {topic for held in line["assignment"].values() for topic in held} == {
            each["name"] for each in scenario["group"]["topics"]
        }


@given(named.names(), st.sets(st.sampled_from(KINDS)))
def test_the_preview_lists_every_name_with_what_leaves_in_its_place(some, kinds):
    rows = preview(named.scenario(some), named.result(some), kinds)

    listed = {(row.kind, row.name) for row in rows}
    ones = ("host", "client id", "member", "instance id", "rack", "topic", "group", "word")
    assert {(one, name) for one, names in zip(ones, some, strict=True) for name in names} <= listed
    chosen = [kind in kinds for kind in named.of_kind(some)]
    assert all(
        (row.stand_in is not None) == chosen[ones.index(row.kind)]
        for row in rows
        if row.kind in ones
    )


def test_stand_ins_are_numbered_in_the_order_of_the_names_with_as_many_digits_as_it_takes():
    document = EXAMPLE | {
        "topics": [{"name": f"t{number:03}", "partitions": 1} for number in range(100, 0, -1)]
    }

    scenario, _ = redacted(SCENARIO | {"group": document}, RESULT, ["topics"])

    # "orders", which a member still subscribes to, comes before t001.
    assert [each["name"] for each in scenario["group"]["topics"][-1::-99]] == [
        "topic-002",
        "topic-101",
    ]


def test_a_group_whose_topics_are_called_as_stand_ins_are_gets_others():
    document = EXAMPLE | {
        "topics": [{"name": f"topic-0{number}", "partitions": 1} for number in (1, 2)]
    }

    scenario, _ = redacted(SCENARIO | {"group": document}, RESULT, ["topics"])

    assert [each["name"] for each in scenario["group"]["topics"]] == ["topic-002", "topic-003"]


def test_a_redacted_scenario_is_a_scenario():
    import msgspec

    scenario, _ = redacted(SCENARIO, RESULT, KINDS)

    assert decode_scenario(msgspec.json.encode(scenario)).steps[0].edits[0].like == "member-01"


def test_what_the_engine_answers_is_redacted_too():
    import msgspec

    step = {
        "edits": [
            {"op": "add_members", "like": "pay-a-0f3c", "count": 2, "seed": 7},
            {"op": "add_topic", "name": "audit", "partitions": 2},
        ]
    }
    true = SCENARIO | {"settings": {}, "steps": [step]}
    lines = lines_of(result_of(decode_scenario(msgspec.json.encode(true))))

    scenario, result = redacted(true, lines, KINDS)

    left = "\n".join(texts_of([scenario, result]))
    assert [
        name
        for name in ("pay-a", "0f3c", "10.4.1.17", "orders", "audit", "payments")
        if name in left
    ] == []
    assert {member for line in result[1:] for member in line["assignment"]} == {
        "member-01",
        "member-02",
        "member-03",
    }
    assert {
        topic for line in result[1:] for held in line["assignment"].values() for topic in held
    } <= {"topic-01", "topic-02"}


def test_names_in_names_of_steps_are_replaced_and_a_step_of_names_alone_gets_its_number():
    scenario, _ = redacted(
        with_steps("pay-a-0f3c dies", "orders, pay-a", "one more", "ORDERS grows"), RESULT, KINDS
    )

    assert [step["name"] for step in scenario["steps"]] == [
        "member-01 dies",
        "step 2",
        "one more",
        "topic-01 grows",
    ]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (".*", ".*"),
        ("^ord.*", ".*"),
        ("audit|none", "topic-01"),
        ("(audit|orders)$", ".*"),
        ("pay.*", "no-topic"),
        ("(broken", "no-topic"),
    ],
)
def test_an_expression_matches_the_stand_ins_of_what_it_matched(expression, expected):
    topics = [
        {"name": name, "partitions": 1}
        for name in (("orders", "audit") if "audit" in expression else ("orders",))
    ]
    member = EXAMPLE["members"][0] | {"subscribed": [], "subscribed_regex": expression}
    group = EXAMPLE | {"topics": topics, "members": [member | {"owned": None}]}

    scenario, _ = redacted(SCENARIO | {"group": group}, RESULT, ["topics"])

    assert scenario["group"]["members"][0]["subscribed_regex"] == expected


def test_an_expression_of_very_many_stand_ins_is_folded_and_matches_the_same():
    names = {
        f"{'pay' if number <= 5_000 else 'log'}-{number}": f"topic-{number:05}"
        for number in range(1, 10_001)
    }

    expression = replaced("pay.*", names)

    assert len(expression) <= 4_096
    assert [bool(re.fullmatch(expression, stand_in)) for stand_in in names.values()] == [
        True
    ] * 5_000 + [False] * 5_000


def test_hashes_of_the_true_names_the_source_and_ids_of_topics_do_not_leave():
    head, *lines = RESULT

    scenario, result = redacted(
        SCENARIO, [head | {"source": "the cluster production"}, *lines], ["topics"]
    )

    assert result[0] == {
        "format": "evenkeel.replay/1",
        "content_hash": None,
        "result_hash": None,
        "engine": "0.1.0",
        "source": None,
    }
    assert scenario["group"]["topics"][0]["topic_id"] is None


def test_a_client_id_and_a_host_that_a_member_id_spells_are_flagged_as_still_readable():
    member = EXAMPLE["members"][0] | {"member_id": "pay-a-0f3c/10.4.1.17"}
    rows = preview(
        SCENARIO | {"group": EXAMPLE | {"members": [member]}},
        RESULT,
        ["client ids", "hosts", "topics"],
    )

    flags = {row.name: row.readable_in for row in rows if row.stand_in and row.kind != "text"}
    assert flags == {"/10.4.1.17": ("members",), "pay-a": ("members",), "orders": ()}


def test_the_preview_says_what_becomes_of_texts_and_expressions():
    member = EXAMPLE["members"][0] | {"subscribed_regex": "ord.*"}

    rows = preview(
        with_steps("orders grows", "one more", group=EXAMPLE | {"members": [member]}),
        [],
        ["topics"],
    )

    assert [tuple(row)[:3] for row in rows if row.kind in ("text", "regular expression")] == [
        ("regular expression", "ord.*", ".*"),
        ("text", "one more", None),
        ("text", "orders grows", "topic-01 grows"),
    ]


@pytest.mark.parametrize("field", ["title", "note", "author"])
def test_a_text_of_the_author_that_holds_a_redacted_name_is_refused_by_its_field(field):
    with pytest.raises(
        SnapshotError,
        match=f'^{field} contains "orders", which is to be redacted: write the {field} without it',
    ):
        check_author_texts({field: "Why do ORDERS lag?"}, SCENARIO, RESULT, ["topics"])

    check_author_texts({field: "Why do ORDERS lag?"}, SCENARIO, RESULT, ["members"])


def test_a_key_that_redaction_does_not_know_is_refused():
    with pytest.raises(
        SnapshotError,
        match=(
            r"^\$\.group\.nickname: it may contain a name, so it cannot be"
            r" redacted$"
        ),
    ):
        redacted(SCENARIO | {"group": EXAMPLE | {"nickname": "pay"}}, RESULT, ["topics"])


def test_a_kind_that_there_is_not_is_refused():
    with pytest.raises(
        SnapshotError,
        match='^names to redact: found "brokers", expected one of: hosts, client ids, ',
    ):
        redacted(SCENARIO, RESULT, ["brokers"])


def test_a_redacted_share_holds_no_original_name_and_no_way_to_the_share_it_was_forked_from(store):
    shares = store()

    made = shares.make(frozen(redact=KINDS, forked_from="A" * 22), "browser")

    opened = shares.open(made.share_id)
    assert (opened.about.redacted, opened.about.forked_from) == (KINDS, None)
    document = "\n".join(texts_of([opened.scenario, opened.result]))
    assert [name for name in ("pay-a", "10.4.1.17", "orders", "payments") if name in document] == []


def test_a_title_with_a_redacted_name_makes_no_share(store):
    with pytest.raises(SnapshotError, match='^title contains "pay-a"'):
        store().make(frozen(title="pay-a dies", redact=["client ids"]), "browser")
