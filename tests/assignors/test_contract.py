"""What every assignor of the registry promises, whatever its strategy."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.explain.quirks import DETECTORS
from evenkeel.assignors.group import NO_GENERATION, NO_RACK
from tests.assignors.documentation import behaviours, undocumented
from tests.assignors.groups import group, spelled
from tests.generated.groups import TOPICS, groups, members

every_assignor = pytest.mark.parametrize(
    "assignor", [assignor() for assignor in ASSIGNORS.values()], ids=ASSIGNORS
)
order_does_not_matter = pytest.mark.parametrize(
    "name", [name for name, assignor in ASSIGNORS.items() if not assignor.uses_member_order]
)
some_examples = settings(max_examples=60)
WITHOUT = {
    "uses_lag": lambda snapshot: {"given_lag": np.arange(snapshot.tp_count)[::-1].copy()},
    "uses_racks": lambda snapshot: {"member_rack": np.full_like(snapshot.member_rack, NO_RACK)},
    "uses_topic_ids": lambda snapshot: {
        "topic_id": snapshot.topic_id[::-1].copy(),
        "topic_id_known": ~snapshot.topic_id_known,
    },
    "uses_generations": lambda snapshot: {
        "generation": np.full_like(snapshot.generation, NO_GENERATION)
    },
}
"""The same group with other values of an input, by the fact that says whether the assignor uses it.
"""
unused_inputs = pytest.mark.parametrize(
    ("name", "fact"),
    [
        (name, fact)
        for name, assignor in ASSIGNORS.items()
        for fact in WITHOUT
        if not getattr(assignor, fact)
    ],
)


def write_protected(snapshot):
    """Make every column raise when it is written."""
    for field in fields(snapshot):
        value = getattr(snapshot, field.name)
        for column in value if isinstance(value, tuple) else [value]:
            if isinstance(column, np.ndarray):
                column.flags.writeable = False
    return snapshot


def spelled_or_error(assignor, snapshot):
    try:
        return spelled(snapshot, assignor.assign(snapshot))
    except AssignorError as error:
        return error.java_class


@every_assignor
def test_the_registry_lists_an_assignor_under_its_own_name(assignor):
    assert ASSIGNORS[assignor.name] is type(assignor)
    assert assignor.protocol
    assert assignor.group_type in ("classic", "consumer", "share")


@every_assignor
def test_every_behaviour_of_an_assignor_can_be_detected_and_is_documented(assignor):
    assert set(assignor.quirks) <= DETECTORS.keys()
    assert set(assignor.quirks) - {"remainder"} <= behaviours()


def test_every_assignor_has_a_row_in_the_documentation():
    assert undocumented(ASSIGNORS) == []


@unused_inputs
@some_examples
@given(groups())
def test_an_input_that_an_assignor_does_not_use_changes_nothing(name, fact, snapshot):
    assignor = ASSIGNORS[name]()

    assert spelled_or_error(
        assignor, replace(snapshot, **WITHOUT[fact](snapshot))
    ) == spelled_or_error(assignor, snapshot)


@every_assignor
@some_examples
@given(groups())
def test_the_input_is_not_changed_and_two_calls_give_one_answer(assignor, snapshot):
    write_protected(snapshot)

    assert spelled_or_error(assignor, snapshot) == spelled_or_error(assignor, snapshot)


@every_assignor
@some_examples
@given(groups())
def test_owners_exist(assignor, snapshot):
    try:
        answer = assignor.assign(snapshot)
    except AssignorError:
        reject()  # hypothesis fails where hardly any group has an answer

    assert answer.owner.dtype == np.int32
    assert answer.owner.shape == (snapshot.tp_count,)
    assert ((answer.owner >= UNASSIGNED) & (answer.owner < snapshot.member_count)).all()
    assert ((answer.extra[:, 0] >= 0) & (answer.extra[:, 0] < snapshot.member_count)).all()


@every_assignor
@some_examples
# Two topics and one topic twice are the same subscription to Kafka's sticky assignors: they compare
# numbers and members of the lists.
@given(groups(claims=False, idle=False, repeated=False, fewest=1))
def test_members_without_claims_get_an_answer_in_which_the_owner_subscribes_and_every_subscribed_partition_has_an_owner(
    assignor, snapshot
):
    answer = assignor.assign(snapshot)

    subscribed = {
        (member, int(topic))
        for member, row in enumerate(snapshot.subscription)
        for topic in snapshot.topic_lists[row]
    }
    owned = {
        (int(member), int(topic))
        for member, topic in zip(answer.owner, snapshot.tp_topic, strict=False)
        if member != UNASSIGNED
    }
    assert owned <= subscribed
    wanted = np.isin(snapshot.tp_topic, [topic for _, topic in subscribed])
    assert ((answer.owner != UNASSIGNED) == wanted).all()


@order_does_not_matter
@some_examples
@given(st.data())
def test_member_order_does_not_matter(name, data):
    topics = data.draw(st.dictionaries(st.sampled_from(TOPICS), st.integers(0, 7)))
    drawn = data.draw(members(sorted(topics), shared_instances=False))
    listed_otherwise = dict(data.draw(st.permutations(list(drawn.items()))))
    racks = {
        topic: [rack] * size
        for (topic, size), rack in zip(
            topics.items(), ("r1", "r2 r3", "r1 r3", "-", "r2"), strict=False
        )
    }
    lag = list(range(sum(topics.values())))

    answers = [
        spelled_or_error(ASSIGNORS[name](), group(topics, order, racks=racks, lag=lag))
        for order in (drawn, listed_otherwise)
    ]

    assert answers[0] == answers[1]
