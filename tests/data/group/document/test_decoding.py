import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import decode
from tests.generated.small_documents import DOCUMENTS, EXAMPLE, changed, document

REFUSED = {
    "topics.0.partitions.1.end_offset is text": (
        changed("topics.0.partitions.1.end_offset", "88120"),
        '$.topics[0].partitions[1].end_offset: found "88120", expected int or null',
    ),
    "a whole number written with a point": (
        changed("topics.0.partitions.0.end_offset", 5.0),
        "$.topics[0].partitions[0].end_offset: found 5.0, expected int or null",
    ),
    "a truth value for a count": (
        changed("topics.0.partitions", True),
        "$.topics[0].partitions: found true, expected int or array",
    ),
    "a number for a name": (changed("topics.0.name", 5), "$.topics[0].name: found 5, expected str"),
    "no array of topics": (changed("topics", {}), "$.topics: found {}, expected array or null"),
    "null in a list of partitions": (
        changed("topics.0.partitions.1", None),
        "$.topics[0].partitions[1]: found null, expected object",
    ),
    "null among subscribed topics": (
        changed("members.0.subscribed", [None]),
        "$.members[0].subscribed[0]: found null, expected str",
    ),
    "null for a required key": (
        changed("members.0.member_id", None),
        "$.members[0].member_id: found null, expected str",
    ),
    "a negative offset": (
        changed("topics.0.partitions.0.begin_offset", -1),
        "$.topics[0].partitions[0].begin_offset: found -1, expected int >= 0",
    ),
    "a negative count": (
        changed("topics.0.partitions", -3),
        "$.topics[0].partitions: found -3, expected int >= 0",
    ),
    "a negative owned partition": (
        changed("members.0.owned", {"a": [1], "orders": [0, -2]}),
        "$.members[0].owned.orders[1]: found -2, expected int >= 0",
    ),
    "a negative current partition": (
        changed("members.0.current", {"orders": [-2]}),
        "$.members[0].current.orders[0]: found -2, expected int >= 0",
    ),
    "a negative joined partition": (
        changed("members.0.joined_with", {"owned": {"orders": [-2]}}),
        "$.members[0].joined_with.owned.orders[0]: found -2, expected int >= 0",
    ),
    "a time before the years of UTC": (
        changed("taken_at", "0001-01-01T00:00:00+14:00"),
        (
            "$.taken_at: found 0001-01-01T00:00:00+14:00, expected a time from the years 1 to"
            " 9999 in UTC"
        ),
    ),
    "generation -2": (
        changed("members.0.generation", -2),
        "$.members[0].generation: found -2, expected int >= -1",
    ),
    "a negative epoch": (
        changed("members.0.epoch", -1),
        "$.members[0].epoch: found -1, expected int >= 0",
    ),
    "an offset beyond int64": (
        changed("topics.0.partitions.0.end_offset", 2**63),
        "found 9223372036854775808, expected int <= 9223372036854775807",
    ),
    "a partition number beyond int32": (
        changed("members.0.owned", {"orders": [2**31]}),
        "$.members[0].owned.orders[0]: found 2147483648, expected int <= 2147483647",
    ),
    "more partitions than fit": (
        changed("topics.0.partitions", 10_000_001),
        "$.topics[0].partitions: found 10000001, expected int <= 10000000",
    ),
    "more partitions in all than fit": (
        document({"a": 6_000_000, "b": 6_000_000}),
        "$.topics: found 12,000,000 partitions in all, expected at most 10,000,000",
    ),
    "a repeated member": (
        changed("members", [EXAMPLE["members"][0]] * 2),
        (
            '$.members[1].member_id: "pay-a-0f3c" is the same as in $.members[0], expected every'
            " member_id once"
        ),
    ),
    "a repeated topic": (
        changed("topics", [EXAMPLE["topics"][0]] * 2),
        '$.topics[1].name: "orders" is the same as in $.topics[0], expected every name once',
    ),
    "a lag beside both offsets": (
        changed("topics.0.partitions.1", {"lag": 5, "committed_offset": 1, "end_offset": 7}),
        (
            "$.topics[0].partitions[1].lag: found 5 together with end_offset and committed_offset,"
            " expected a lag only if one of them is missing"
        ),
    ),
    "an unknown key of the document": (
        {**EXAMPLE, "groupid": "x"},
        "$.groupid: unknown key, expected one of format, group_id, taken_at",
    ),
    "an unknown key of a topic": (
        changed("topics.0.size", 1),
        "$.topics[0].size: unknown key, expected one of name, partitions, topic_id",
    ),
    "an unknown key of a partition": (
        changed("topics.0.partitions.0.offset", 1),
        (
            "$.topics[0].partitions[0].offset: unknown key, expected one of begin_offset,"
            " end_offset, committed_offset, lag, racks"
        ),
    ),
    "an unknown key of a member": (
        changed("members.0.id", 1),
        "$.members[0].id: unknown key, expected one of member_id, subscribed",
    ),
    "an unknown key of joined_with": (
        changed("members.0.joined_with", {"epoch": 1}),
        "$.members[0].joined_with.epoch: unknown key, expected one of owned, generation",
    ),
    "no format": ({"topics": []}, '$.format: missing, expected "evenkeel.group/1"'),
    "another format": (
        {"format": "evenkeel.group/2", "shape": "new"},
        '$.format: found "evenkeel.group/2", expected "evenkeel.group/1"',
    ),
    "another format and nothing else wrong": (
        {"format": "other"},
        '$.format: found "other", expected "evenkeel.group/1"',
    ),
    "no name of a topic": (
        changed("topics.0", {"partitions": 1}),
        "$.topics[0].name: missing, expected a value",
    ),
    "no partitions of a topic": (
        changed("topics.0", {"name": "a"}),
        "$.topics[0].partitions: missing, expected a value",
    ),
    "no subscription": (
        changed("members.0", {"member_id": "a"}),
        "$.members[0].subscribed: missing, expected a value",
    ),
    "a topic id of 21 characters": (
        changed("topics.0.topic_id", "LkLS-N4OSSK11RYzgIc1E"),
        '$.topics[0].topic_id: found "LkLS-N4OSSK11RYzgIc1E", expected the 22 characters',
    ),
    "a topic id that is no base64url": (
        changed("topics.0.topic_id", "LkLS+N4OSSK11RYzgIc1Eg"),
        "$.topics[0].topic_id: found",
    ),
    "a topic id that no UUID has": (
        changed("topics.0.topic_id", "LkLS-N4OSSK11RYzgIc1Ef"),
        "$.topics[0].topic_id: found",
    ),
    "a time without a zone": (
        changed("taken_at", "2026-11-20T08:00:00"),
        '$.taken_at: found "2026-11-20T08:00:00", expected datetime with a timezone component',
    ),
    "a time as a number": (
        changed("taken_at", 5),
        "$.taken_at: found 5, expected datetime or null",
    ),
    "a type that Kafka does not have": (
        changed("type", "connect"),
        '$.type: found "connect", expected one of classic, consumer, share, streams',
    ),
    "an array": ([], "$: found [], expected the object of a group document"),
}


@pytest.mark.parametrize(("refused", "message"), REFUSED.values(), ids=REFUSED)
def test_a_document_is_refused_with_the_path_the_value_and_what_was_expected(refused, message):
    with pytest.raises(SnapshotError) as error:
        decode(json.dumps(refused))

    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nope",
        '{"format": "evenkeel.group/1"',
        b"\xff\xfe",
        '{"format": NaN}',
        "[" * 100_000,
        '{"a":' * 100_000,
    ],
)
def test_what_is_no_json_is_refused(text):
    with pytest.raises(SnapshotError, match="^not JSON: "):
        decode(text)


ACCEPTED = {
    "the example of the contract": EXAMPLE,
    "nothing but its format": {"format": "evenkeel.group/1"},
    "no members and no topics": {"format": "evenkeel.group/1", "topics": [], "members": []},
    "null everywhere": {
        "format": "evenkeel.group/1",
        "group_id": None,
        "taken_at": None,
        "auto_offset_reset": None,
        "assumed": None,
        "topics": None,
        "members": None,
    },
    "a topic of 0 partitions": changed("topics.0.partitions", 0),
    "a topic of an empty list": changed("topics.0.partitions", []),
    "a subscribed topic that is not there": changed("members.0.subscribed", ["gone"]),
    "an owned topic that is not there": changed("members.0.owned", {"gone": [0]}),
    "null for an owned topic": changed("members.0.owned", {"gone": None}),
    "an owned partition beyond the topic": changed("members.0.owned", {"orders": [2**31 - 1]}),
    "one partition of two members": changed(
        "members",
        [{"member_id": name, "subscribed": [], "owned": {"orders": [0]}} for name in "ab"],
    ),
    "a topic twice in a subscription": changed("members.0.subscribed", ["orders", "orders"]),
    "a replica without rack": changed("topics.0.partitions.0.racks", ["a", None]),
    "no racks": changed("topics.0.partitions.0.racks", []),
    "no generation": changed("members.0.generation", -1),
    "the largest offset": changed("topics.0.partitions.0.end_offset", 2**63 - 1),
    "ten million partitions": changed("topics.0.partitions", 10_000_000),
    "any auto.offset.reset": changed("auto_offset_reset", "by_duration:PT24H"),
    "what only a live group knows": {
        **EXAMPLE,
        "type": "consumer",
        "state": "Reconciling",
        "assignor": "range",
        "group_epoch": 15,
        "assignment_epoch": 15,
        "members": [
            {
                "member_id": "a",
                "subscribed": [],
                "subscribed_regex": "^ord.*",
                "epoch": 14,
                "owned": {"orders": [0]},
                "current": {"orders": [0, 1]},
            }
        ],
    },
    "what a classic member sent": changed(
        "members.0.joined_with", {"owned": {"orders": [0]}, "generation": 6}
    ),
}


@pytest.mark.parametrize("accepted", ACCEPTED.values(), ids=ACCEPTED)
def test_a_document_is_accepted_because_real_groups_hold_it(accepted):
    assert decode(json.dumps(accepted)).format == "evenkeel.group/1"


def with_doubled(key: str, value: str, text: str) -> str:
    """Write `key` once more before where it stands first."""
    return text.replace(f'"{key}":', f'"{key}": {value}, "{key}":', 1)


REPEATED = {
    "a key of the document": (with_doubled("topics", "[]", json.dumps(EXAMPLE)), "$.topics"),
    "the same value twice": (
        with_doubled("format", '"evenkeel.group/1"', json.dumps(EXAMPLE)),
        "$.format",
    ),
    "a key of a partition": (
        with_doubled("end_offset", "5", json.dumps(EXAMPLE)),
        "$.topics[0].partitions[0].end_offset",
    ),
    "a topic of what a member owns": (
        json.dumps(EXAMPLE).replace('"owned": {', '"owned": {"orders": [7], '),
        "$.members[0].owned.orders",
    ),
    "written closely": (
        with_doubled("end_offset", "5", json.dumps(EXAMPLE, separators=(",", ":"))),
        "$.topics[0].partitions[0].end_offset",
    ),
    "a null before the value": (
        with_doubled("end_offset", "null", json.dumps(EXAMPLE)),
        "$.topics[0].partitions[0].end_offset",
    ),
    "an escaped letter in one of both": (
        json.dumps(EXAMPLE).replace('"format":', '"form\\u0061t": "evenkeel.group/1", "format":'),
        "$.format",
    ),
    "blanks before the colon": (
        json.dumps(EXAMPLE).replace('"format":', '"format" : "evenkeel.group/1", "format"\n:'),
        "$.format",
    ),
    "a colon that begins a name": (
        '{"format":"evenkeel.group/1","group_id":":a","group_id":"b"}',
        "$.group_id",
    ),
}


@pytest.mark.parametrize(("text", "path"), REPEATED.values(), ids=REPEATED)
@pytest.mark.parametrize("encode", [str, str.encode], ids=["text", "bytes"])
def test_a_key_that_stands_twice_is_refused_with_its_path(text, path, encode):
    with pytest.raises(SnapshotError) as refused:
        decode(encode(text))

    assert str(refused.value) == f"{path}: the key appears twice, expected once"


class Doubled(dict):
    """Written with each of its keys twice."""

    def items(self):
        return [pair for pair in super().items() for _ in range(2)]


def objects(value):
    """Return all objects of a document that have a key."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value] * (isinstance(value, dict) and bool(value)) + [
        found for one in inside for found in objects(one)
    ]


def doubled(value, chosen):
    if isinstance(value, list):
        return [doubled(one, chosen) for one in value]
    return (
        (Doubled if value is chosen else dict)(
            {key: doubled(one, chosen) for key, one in value.items()}
        )
        if isinstance(value, dict)
        else value
    )


@settings(max_examples=60)
@given(DOCUMENTS, st.data(), st.sampled_from([None, (",", ":")]))
def test_a_document_is_read_unless_one_of_its_objects_has_a_key_twice(written, data, separators):
    chosen = data.draw(st.sampled_from(objects(written)))
    decode(json.dumps(written, separators=separators))

    with pytest.raises(SnapshotError, match="the key appears twice, expected once"):
        decode(json.dumps(doubled(written, chosen), separators=separators))
