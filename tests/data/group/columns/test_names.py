import json

import numpy as np

from evenkeel.assignors.assignment import HASH_COLLISIONS, Assignment, Assumption
from evenkeel.data.group.columns import (
    assignment_by_name,
    assumed_paths,
    observed_from_document,
    withheld_by_name,
)
from evenkeel.data.group.document import decode
from tests.generated.small_documents import document


def observed(written: dict):
    return observed_from_document(decode(json.dumps(written)))


def answer(owner, extra=(), withheld=(), assumed=()):
    return Assignment(
        np.array(owner, dtype=np.int32),
        np.array(extra, dtype=np.int32).reshape(-1, 3),
        np.array(withheld, dtype=np.int32).reshape(-1, 2),
        tuple(assumed),
    )


def test_every_member_is_a_key_and_its_lists_ascend():
    group = observed(document({"t1": 2, "t0": 3}, B="t0 t1", A="t0", C=""))

    # Rows: t0-0, t0-1, t0-2, t1-0, t1-1; members in document order.
    assert assignment_by_name(group, answer([0, 1, 0, 0, -1])) == {
        "B": {"t0": [0, 2], "t1": [0]},
        "A": {"t0": [1]},
        "C": {},
    }


def test_what_one_owner_cannot_say_is_in_the_answer_once():
    group = observed(document({"t": 3}, A="t", B="t") | {"assumed": []})

    by_name = assignment_by_name(group, answer([0, 1, -1], extra=[(0, 0, 1), (1, 0, 1), (0, 0, 7)]))

    assert by_name == {"A": {"t": [0, 1, 7]}, "B": {"t": [1]}}


def test_withheld_names_the_members_that_will_get_something_only():
    group = observed(document({"t0": 2, "t1": 2}, A="t0 t1", B="t0 t1"))

    assert withheld_by_name(group, answer([0, 0, 0, -1], withheld=[(1, 3), (1, 1)])) == {
        "B": {"t0": [1], "t1": [1]}
    }


def test_who_is_there_what_they_subscribe_to_and_sizes_matter_to_every_answer():
    written = document({"t": 1}, A="t")
    written["assumed"] = [
        "members",
        "members[*].subscribed",
        "topics[0].partitions",
        "members[0].rack",
        "topics[0].partitions[0].committed_offset",
        "topics[0].topic_id",
    ]

    assert assumed_paths(observed(written), answer([0])) == [
        "members",
        "members[*].subscribed",
        "topics[0].partitions",
    ]


def test_what_an_answer_depends_on_is_a_path_in_document_terms():
    group = observed(document({"z": 2, "a": 3, "m": 1}, A="a m z gone"))

    # Rows: a-0, a-1, a-2, m-0, z-0, z-1; in the document a is topic 1, m topic 2, z topic 0.
    lag = Assumption("lag", np.array([5, 0, 2, 3]))
    paths = assumed_paths(
        group,
        answer([0] * 6, assumed=[lag, Assumption("topic_id", np.array([1, 3])), HASH_COLLISIONS]),
    )

    assert paths == [
        "hash collisions",
        "topics[0].partitions[1].lag",
        "topics[0].topic_id",
        "topics[1].partitions[0].lag",
        "topics[1].partitions[2].lag",
        "topics[2].partitions[*].lag",
    ]


def test_the_current_assignment_depends_on_what_members_own():
    written = document({"t": 1}, A="t") | {"assumed": ["members", "topics[0].topic_id"]}

    assert assumed_paths(observed(written), None) == ["members", "members[*].owned"]
    assert assumed_paths(observed(written), answer([0])) == ["members"]
