"""The journal of Evenkeel's own assignors as a source: each line is the group that its leader saw,
with what it gave.
"""

import json

import pytest

from evenkeel.data.sources import detection, documents

_GROUP = {
    "format": "evenkeel.group/1",
    "group_id": "payments",
    "taken_at": "2026-11-25T10:05:08.430Z",
    "type": "classic",
    "assignor": "cooperative-lag",
    "leader": {"client": "kafka-python", "certain": True},
    "topics": [{"name": "t", "partitions": [{"lag": 9}, {"lag": 7}]}],
    "members": [
        {"member_id": "a", "subscribed": ["t"], "owned": {"t": [0, 1]}, "generation": 3},
        {"member_id": "b", "subscribed": ["t"], "owned": {}, "generation": -1},
    ],
}
_LINE = {
    "request": {"assignor": "lag", "group": _GROUP, "settings": {}},
    "assignment": {"a": {"t": [0]}, "b": {"t": [1]}},
    "sent": {"a": {"t": [0]}, "b": {}},
    "kept": [],
    "why": None,
    "seconds": 0.004,
}


def _read(*lines):
    text = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    assert detection.source_for("journal.jsonl", text) is documents
    return documents.parse(text, "journal.jsonl")


def test_members_have_what_they_got_in_this_round_and_joined_with_what_they_said():
    members = _read(_LINE).members.to_pylist()[1:]

    assert [(one["member_id"], one["owned"]) for one in members] == [
        ("a", [{"topic": "t", "partitions": [0]}]),
        ("b", []),
    ]
    assert [one["generation"] for one in members] == [4, 4]
    assert {one["assignor"] for one in members} == {"cooperative-lag"}


def test_without_a_first_round_members_have_the_assignment():
    members = _read(_LINE | {"sent": None}).members.to_pylist()[1:]

    assert [one["owned"] for one in members] == [
        [{"topic": "t", "partitions": [0]}],
        [{"topic": "t", "partitions": [1]}],
    ]


def test_each_line_is_a_group_of_its_own_time():
    later = _LINE | {"request": {"group": _GROUP | {"taken_at": "2026-11-25T11:00:00Z"}}}

    found = _read(_LINE, later)

    assert (
        found.line_count,
        found.row_count,
        len({one["taken_at"] for one in found.members.to_pylist()}),
    ) == (2, 2, 2)


@pytest.mark.parametrize(
    "spoiled",
    [{"request": {}}, {"request": {"group": 3}, "assignment": {}}, {"request": {"group": _GROUP}}],
)
def test_a_line_that_is_none_is_rejected_with_its_number(spoiled):
    found = _read(_LINE, spoiled)

    assert (found.row_count, found.rejected.to_pylist()[0]["source_line"]) == (1, 2)
