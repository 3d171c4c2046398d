"""An answer that names no unknown input is the same whatever that input is."""

import json
from random import Random

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.data.group.columns.rows import uuid_text
from tests.assignors.asking import ask
from tests.generated.documents import group_document
from tests.recorded.scenarios import as_sets

BROKER = ("uniform", "broker-range", "simple", "evenkeel-weighted")
CLIENT = tuple(name for name in ASSIGNORS if name not in BROKER)
BEYOND = {
    "format": "evenkeel.group/1",
    "topics": [
        {"name": "BBBB", "partitions": 5, "topic_id": "xK3DT-C6zWzjbW8W4cp3xA"},
        {"name": "BBAa", "partitions": 2},
    ],
    "members": [
        {"member_id": "m", "subscribed": ["BBBB", "BBAa"], "owned": {"BBBB": [1, 2, 3, 4, 21]}}
    ],
}

POSSIBLE = [
    ({"m": {"BBBB": {0, 1, 2, 3, 4, 21}, "BBAa": {0}}}, {}),
    ({"m": {"BBBB": {0, 1, 2, 3, 4, 21}, "BBAa": {1}}}, {}),
    ({"m": {"BBBB": {1, 2, 3, 4, 21}, "BBAa": {0, 1}}}, {}),
]


def meaning(answer):
    return answer["error"] or (as_sets(answer["assignment"]), as_sets(answer["withheld"]))


def forget(document, random):
    """Take away ids of topics, and offsets and lags of partitions."""
    for topic in document["topics"]:
        if random.random() < 0.5:
            topic.pop("topic_id", None)
        for partition in topic["partitions"]:
            if random.random() < 0.4:
                partition.pop("lag", None)
                partition.pop("end_offset", None)
    return document


def guessed(document, random):
    """Say something where nothing is known."""
    document = json.loads(json.dumps(document))
    for topic in document["topics"]:
        topic.setdefault(
            "topic_id", uuid_text([random.randrange(-(2**63), 2**63) for _ in range(2)])
        )
        for partition in topic["partitions"] if isinstance(topic["partitions"], list) else ():
            if partition.get("lag") is None and partition.get("end_offset") is None:
                for key in ("begin_offset", "committed_offset"):
                    partition.pop(key, None)
                partition["lag"] = random.choice([0, 1, 5, 100, 10**6])
    return document


@pytest.mark.parametrize("names", [BROKER, CLIENT], ids=["broker", "client"])
@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_an_input_that_is_not_named_changes_nothing(names, seed):
    random = Random(seed)
    document = forget(group_document(random, names is BROKER), random)
    others = [guessed(document, random) for _ in range(8)]

    for name in names:
        note(name)
        answer = ask(name, document)

        # An error names no inputs: where claims are beyond a topic's size, ids decide whether one
        # comes.
        names_none = not any(path.endswith((".topic_id", ".lag")) for path in answer["assumed"])
        if names_none and not answer["error"]:
            assert all(meaning(ask(name, other)) == meaning(answer) for other in others)


@pytest.mark.parametrize("seed", range(20))
def test_a_single_member_whose_places_are_taken_by_partitions_that_do_not_exist_depends_on_ids(
    seed,
):
    answer = ask("simple", BEYOND)

    assert answer["assumed"] == ["topics[1].topic_id"]
    assert meaning(ask("simple", guessed(BEYOND, Random(seed)))) in POSSIBLE


@pytest.mark.parametrize(
    ("name", "topics"),
    [
        ("uniform", {"t0": {}, "t1": {}}),
        ("simple", {"t0": {}, "t1": {}}),
        ("lag", {"t0": {"topic_id": "xK3DT-C6zWzjbW8W4cp3xA"}}),
    ],
)
def test_an_input_that_is_named_changes_something(name, topics):
    document = {
        "format": "evenkeel.group/1",
        "topics": [
            {"name": topic, "partitions": [{}, {}, {}]} | said for topic, said in topics.items()
        ],
    }
    document["members"] = [{"member_id": member, "subscribed": list(topics)} for member in "ABCD"]
    answer = ask(name, document)

    others = [meaning(ask(name, guessed(document, Random(seed)))) for seed in range(30)]

    assert answer["assumed"]
    assert any(other != meaning(answer) for other in others)


def test_topics_whose_order_cannot_matter_are_not_named():
    document = {
        "format": "evenkeel.group/1",
        "topics": [
            {"name": name, "partitions": size}
            for name, size in {"t0": 2, "t1": 2, "t2": 0, "t3": 0}.items()
        ],
    }
    document["members"] = [
        {"member_id": "A", "subscribed": ["t0", "t1", "t2", "t3"]},
        {"member_id": "B", "subscribed": ["t2", "t3"]},
    ]

    assert ask("uniform", document)["assumed"] == []
