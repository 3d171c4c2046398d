"""The jar for brokers and its twin in Python are one rule: on a thousand random groups under one
file of weights they give one answer.
"""

import json
import time
from random import Random

import numpy as np
import pytest

from evenkeel.assignors.weighted import spread
from evenkeel.data.group.columns import assignment_by_name, observed_from_document
from evenkeel.data.group.columns.rows import uuid_text
from evenkeel.data.group.document import decode
from tests.data.test_weights import ORDERS as OTHER_ORDERS
from tests.data.test_weights import REFUSED
from tests.generated.documents import group_document
from tests.generated.large_documents import large_document
from tests.judge.differences import meaning

GROUPS = 1_000


def weight_of(random):
    """Draw what a file says of one partition: some equal, some far above the others, nothing of
    some.
    """
    return random.choice(
        [None, 0, 1, 1, 3.5, random.randint(0, 9), random.random() * 100, random.random() ** -2]
    )


def with_ids(document, number):
    """Give each topic an id that no other group has."""
    for place, topic in enumerate(document["topics"]):
        topic["topic_id"] = uuid_text((number + 1, 7 * place + 1))
    return document


def answered(observed, assignment):
    return {"assignment": assignment_by_name(observed, assignment), "withheld": {}, "error": None}


def twins(document, weights, **settings):
    """Return the answer of the twin."""
    observed = observed_from_document(decode(json.dumps(document)))
    group = observed.snapshot
    given = {topic["name"]: weights.get(topic["topic_id"], []) for topic in document["topics"]}
    weight = np.full(group.tp_count, np.nan)
    for topic, name in enumerate(group.topic_name):
        known = [np.nan if one is None else one for one in given.get(name, [])][
            : int(group.partition_count[topic])
        ]
        weight[group.first_tp[topic] : group.first_tp[topic] + len(known)] = known
    return answered(observed, spread(group, weight, **settings))


def file_of(path, weights, as_of_ms=None, plans=()):
    """Write a file of weights by topic id."""
    topics = [
        {"topic_id": topic_id, "name": "any", "weights": numbers}
        for topic_id, numbers in weights.items()
    ]
    as_of_ms = int(time.time() * 1000) if as_of_ms is None else as_of_ms
    path.write_text(
        json.dumps(
            {
                "format": "evenkeel.weights/1",
                "as_of_ms": as_of_ms,
                "topics": topics,
                "plans": list(plans),
            }
        )
    )
    return path


@pytest.mark.parametrize(("gain", "above_even"), [(0.1, None), (0.0, 1)])
def test_the_jar_and_its_twin_answer_differently(judge, tmp_path, gain, above_even):
    random = Random(f"weighted {gain}")
    groups = [
        with_ids((large_document if random.random() < 0.1 else group_document)(random, True), one)
        for one in range(GROUPS // 2)
    ]
    weights = {
        topic["topic_id"]: [weight_of(random) for _ in topic["partitions"]]
        for group in groups
        for topic in group["topics"]
        if random.random() < 0.8
    }
    settings = {"file": str(file_of(tmp_path / "weights.json", weights)), "gain": gain}
    settings |= {} if above_even is None else {"max.count.skew": above_even}

    of_jar = judge.answers(
        {"assignor": "evenkeel-weighted", "group": group, "settings": settings} for group in groups
    )

    differing = [
        (group, jar, twin)
        for group, jar in zip(groups, of_jar, strict=True)
        if meaning(jar) != meaning(twin := twins(group, weights, gain=gain, above_even=above_even))
    ]
    assert differing[:1] == []


def test_the_jar_and_its_twin_differ_where_weights_have_no_sum(judge, tmp_path):
    random, sizes = Random("huge"), [1.7e308, 1e308, 1.0, 0, 4.9e-324, None]
    groups = [with_ids(group_document(random, True), one) for one in range(100)]
    weights = {
        topic["topic_id"]: [random.choice(sizes) for _ in topic["partitions"]]
        for group in groups
        for topic in group["topics"]
    }
    settings = {"file": str(file_of(tmp_path / "weights.json", weights))}

    of_jar = judge.answers(
        {"assignor": "evenkeel-weighted", "group": group, "settings": settings} for group in groups
    )

    assert [
        group
        for group, jar in zip(groups, of_jar, strict=True)
        if meaning(jar) != meaning(twins(group, weights))
    ][:1] == []


ORDERS = uuid_text((3, 1))
EVEN = {
    "format": "evenkeel.group/1",
    "topics": [{"name": "orders", "topic_id": ORDERS, "partitions": 4}],
    "members": [
        {"member_id": "a", "subscribed": ["orders"], "owned": {"orders": [0, 1]}},
        {"member_id": "b", "subscribed": ["orders"], "owned": {"orders": [2, 3]}},
    ],
}
BY_WEIGHT = {"a": {"orders": [1]}, "b": {"orders": [0, 2, 3]}}
KEPT = {"a": {"orders": [0, 1]}, "b": {"orders": [2, 3]}}
HEAVY = {ORDERS: [100, 300, 10, 10]}
WRONG = {
    "missing": None,
    "too old": {"weights": HEAVY, "as_of_ms": 1},
    "of a time to come": {"weights": HEAVY, "as_of_ms": 4_000_000_000_000},
    "without the group's topics": {"weights": {uuid_text((8, 8)): [1, 2]}},
    "all zero": {"weights": {ORDERS: [0, 0, 0, 0]}},
    "all unknown": {"weights": {ORDERS: [None, None]}},
}


def asked(judge, path, **settings):
    return judge.answer("evenkeel-weighted", EVEN, {"file": str(path)} | settings)["assignment"]


def test_weights_decide_where_they_gain_enough(judge, tmp_path):
    path = file_of(tmp_path / "weights.json", HEAVY)

    assert (asked(judge, path), asked(judge, path, gain=0.5)) == (BY_WEIGHT, KEPT)


@pytest.mark.parametrize("given", WRONG.values(), ids=WRONG)
def test_a_file_without_weights_for_the_group_moves_nobody(judge, tmp_path, given):
    path = tmp_path / "weights.json"
    if given is not None:
        file_of(path, **given)

    assert asked(judge, path) == KEPT


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_the_jar_refuses_what_its_twin_refuses(judge, tmp_path, text):
    path = tmp_path / "weights.json"
    path.write_bytes(
        text.replace("NOW", str(int(time.time() * 1000)))
        .replace(OTHER_ORDERS, ORDERS)
        .encode(errors="surrogateescape")
    )

    assert asked(judge, path) == KEPT


@pytest.mark.parametrize(
    ("members", "answer"),
    [
        (
            {"a": {ORDERS: [3]}, "b": {ORDERS: [0, 1, 2]}},
            {"a": {"orders": [3]}, "b": {"orders": [0, 1, 2]}},
        ),
        ({"a": {}, "b": {ORDERS: [0, 1, 2, 3]}}, {"a": {}, "b": {"orders": [0, 1, 2, 3]}}),
        ({"a": {ORDERS: [3]}, "b": {ORDERS: [0, 1]}}, BY_WEIGHT),
        ({"a": {ORDERS: [3]}, "b": {ORDERS: [0, 1, 2, 3]}}, BY_WEIGHT),
        ({"a": {ORDERS: [3]}, "b": {ORDERS: [0, 1, 2, 4]}}, BY_WEIGHT),
        ({"a": {ORDERS: [3], uuid_text((8, 8)): [0]}, "b": {ORDERS: [0, 1, 2]}}, BY_WEIGHT),
        ({"b": {ORDERS: [0, 1, 2, 3]}}, BY_WEIGHT),
        ({"a": {ORDERS: [3]}, "b": {ORDERS: [0, 1, 2]}, "c": {}}, BY_WEIGHT),
    ],
)
def test_a_plan_is_carried_out_or_weights_decide(judge, tmp_path, members, answer):
    path = file_of(
        tmp_path / "weights.json", HEAVY, plans=[{"group": "payments", "members": members}]
    )

    assert asked(judge, path) == answer


@pytest.mark.parametrize("wrong", ["gain", "max.age.ms", "max.count.skew"])
def test_a_setting_that_is_no_number_has_its_default(judge, tmp_path, wrong):
    assert asked(judge, file_of(tmp_path / "weights.json", HEAVY), **{wrong: "much"}) == BY_WEIGHT
