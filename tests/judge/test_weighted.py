"""The jar for brokers and its twin in Python are one rule: on a thousand random groups under one file of weights they give one answer."""

import json
import time
from random import Random

import numpy as np
import pytest

from evenkeel.assignors.weighted import spread
from evenkeel.data.columns import assignment_by_name, observed_from_document
from evenkeel.data.columns.rows import uuid_text
from evenkeel.data.document import decode
from tests.generated.documents import group_document
from tests.generated.large_documents import large_document
from tests.judge.differences import meaning

GROUPS = 1_000


def weight_of(random):
    """Draw what a file says of one partition: some equal, some far above the others, nothing of some."""
    return random.choice([None, 0, 1, 1, 3.5, random.randint(0, 9), random.random() * 100, random.random() ** -2])


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
        known = [np.nan if one is None else one for one in given.get(name, [])][: int(group.partition_count[topic])]
        weight[group.first_tp[topic] : group.first_tp[topic] + len(known)] = known
    return answered(observed, spread(group, weight, **settings))


def file_of(path, weights, as_of_ms=None):
    """Write a file of weights by topic id."""
    topics = [{"topic_id": topic_id, "name": "any", "weights": numbers} for topic_id, numbers in weights.items()]
    path.write_text(json.dumps({"format": "evenkeel.weights/1", "as_of_ms": as_of_ms or int(time.time() * 1000), "topics": topics}))
    return path


@pytest.mark.parametrize(("gain", "above_even"), [(0.1, None), (0.0, 1)])
def test_the_jar_and_its_twin_answer_differently(judge, tmp_path, gain, above_even):
    random = Random(f"weighted {gain}")
    groups = [with_ids((large_document if random.random() < 0.1 else group_document)(random, True), one) for one in range(GROUPS // 2)]
    weights = {
        topic["topic_id"]: [weight_of(random) for _ in topic["partitions"]]
        for group in groups
        for topic in group["topics"]
        if random.random() < 0.8
    }
    settings = {"file": str(file_of(tmp_path / "weights.json", weights)), "gain": gain}
    settings |= {} if above_even is None else {"max.above.even": above_even}

    of_jar = judge.answers({"assignor": "evenkeel-weighted", "group": group, "settings": settings} for group in groups)

    differing = [
        (group, jar, twin)
        for group, jar in zip(groups, of_jar, strict=True)
        if meaning(jar) != meaning(twin := twins(group, weights, gain=gain, above_even=above_even))
    ]
    assert differing[:1] == []
