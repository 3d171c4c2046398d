"""Group documents: the one of the contract, small changes of it, and random ones."""

import copy
from typing import Any

from hypothesis import strategies as st

EXAMPLE = {
    "format": "evenkeel.group/1",
    "group_id": "payments",
    "taken_at": "2026-11-20T08:00:00Z",
    "auto_offset_reset": "latest",
    "assumed": [],
    "topics": [
        {
            "name": "orders",
            "topic_id": "LkLS-N4OSSK11RYzgIc1Eg",
            "partitions": [
                {
                    "begin_offset": 9000,
                    "end_offset": 121003,
                    "committed_offset": 120455,
                    "racks": ["a", "b"],
                },
                {"begin_offset": 0, "end_offset": 88120, "committed_offset": None},
            ],
        }
    ],
    "members": [
        {
            "member_id": "pay-a-0f3c",
            "client_id": "pay-a",
            "host": "/10.4.1.17",
            "instance_id": None,
            "rack": None,
            "subscribed": ["orders"],
            "owned": {"orders": [0]},
            "generation": 7,
        }
    ],
}
"""The document of CONTRACT.md."""


def changed(path: str, value: Any) -> dict:
    """Return the example with another value at a path such as `topics.0.name`."""
    document = copy.deepcopy(EXAMPLE)
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place = document
    for step in steps:
        place = place[step]
    place[last] = value
    return document


def document(topics: dict, /, **members: str) -> dict:
    """Spell a small group: `document({"t0": 3}, A="t0", B="t0")`; a topic is a count or a list of
    partitions, a member the topics it subscribes to.
    """
    return {
        "format": "evenkeel.group/1",
        "topics": [{"name": name, "partitions": partitions} for name, partitions in topics.items()],
        "members": [
            {"member_id": member, "subscribed": subscribed.split()}
            for member, subscribed in members.items()
        ],
    }


_NAMES = st.sampled_from(
    ["a", "b", "orders", "pay ments", "ü", "\U0001f600", "\uffee", "-", "=cmd()", "<b>"]
)
_OFFSETS = st.none() | st.integers(0, 2**63 - 1)
_RACKS = st.none() | st.sampled_from(["", "a", "b"])
_HELD = st.none() | st.dictionaries(_NAMES, st.lists(st.integers(0, 5), max_size=4), max_size=3)
_EPOCHS = st.none() | st.integers(0, 2**31 - 1)
_GENERATIONS = st.none() | st.integers(-1, 2**31 - 1)


def _optional(**keys):
    return st.fixed_dictionaries({}, optional=keys)


_partitions = _optional(
    begin_offset=_OFFSETS,
    end_offset=_OFFSETS,
    committed_offset=_OFFSETS,
    racks=st.none() | st.lists(_RACKS, max_size=3),
) | _optional(lag=_OFFSETS, racks=st.lists(_RACKS, max_size=2))
_topics = st.fixed_dictionaries(
    {"name": _NAMES, "partitions": st.integers(0, 6) | st.lists(_partitions, max_size=5)},
    optional={
        "topic_id": st.sampled_from(
            [None, "LkLS-N4OSSK11RYzgIc1Eg", "____________________8A", "AAAAAAAAAAAAAAAAAAAAAQ"]
        )
    },
)
_members = st.fixed_dictionaries(
    {"member_id": _NAMES, "subscribed": st.lists(_NAMES, max_size=4)},
    optional={
        "client_id": st.none() | _NAMES,
        "host": st.none() | _NAMES,
        "instance_id": st.none() | _NAMES,
        "rack": _RACKS,
        "owned": _HELD,
        "current": _HELD,
        "generation": _GENERATIONS,
        "epoch": _EPOCHS,
        "subscribed_regex": st.none() | st.just("^ord.*"),
        "joined_with": st.none() | _optional(owned=_HELD, generation=_GENERATIONS),
    },
)

DOCUMENTS = st.fixed_dictionaries(
    {"format": st.just("evenkeel.group/1")},
    optional={
        "group_id": st.none() | _NAMES,
        "taken_at": st.sampled_from([None, "2026-11-20T08:00:00Z", "2026-11-20T10:00:00.25+02:00"]),
        "auto_offset_reset": st.sampled_from([None, "latest", "EARLIEST", "by_duration:PT1H"]),
        "type": st.sampled_from([None, "classic", "consumer", "share", "streams"]),
        "state": st.none() | st.just("Stable"),
        "assignor": st.none() | st.just("range"),
        "group_epoch": _EPOCHS,
        "assignment_epoch": _EPOCHS,
        "leader": st.sampled_from(
            [None, {"client": "librdkafka", "certain": True}, {"client": "java"}]
        ),
        "assumed": st.none()
        | st.lists(
            st.sampled_from(["members", "members[*].subscribed", "topics[0].partitions"]),
            unique=True,
        ),
        "topics": st.none() | st.lists(_topics, max_size=4, unique_by=lambda topic: topic["name"]),
        "members": st.none()
        | st.lists(_members, max_size=4, unique_by=lambda member: member["member_id"]),
    },
)
"""Every document that the contract accepts, small."""
