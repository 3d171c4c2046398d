"""What every assignor of the registry promises, whatever its strategy."""

from collections import Counter
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.compare.quirks import DETECTORS
from evenkeel.assignors.group import NO_GENERATION, NO_RACK
from tests.assignors.documentation import behaviours, undocumented
from tests.assignors.groups import group, spelled
from tests.generated.groups import TOPICS, groups, members

EVERY = {name: assignor() for name, assignor in ASSIGNORS.items()}
every_assignor = pytest.mark.parametrize("assignor", EVERY.values(), ids=EVERY)
some_examples = settings(max_examples=60)
"""Groups are drawn once for all assignors: that takes longer than an answer."""

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


@some_examples
@given(groups())
def test_an_input_that_an_assignor_does_not_use_changes_nothing(snapshot):
    changed = {fact: replace(snapshot, **values(snapshot)) for fact, values in WITHOUT.items()}

    assert [
        (name, fact)
        for name, assignor in EVERY.items()
        for fact, other in changed.items()
        if not getattr(assignor, fact)
        and spelled_or_error(assignor, other) != spelled_or_error(assignor, snapshot)
    ] == []


@some_examples
@given(groups())
def test_the_input_is_not_changed_and_two_calls_give_one_answer(snapshot):
    write_protected(snapshot)

    first, second = (
        {name: spelled_or_error(assignor, snapshot) for name, assignor in EVERY.items()}
        for _ in range(2)
    )

    assert first == second


def test_owners_exist_and_every_assignor_answers_many_groups():
    answer_count = Counter()

    @some_examples
    @given(groups())
    def owners_exist(snapshot):
        for name, assignor in EVERY.items():
            try:
                answer = assignor.assign(snapshot)
            except AssignorError:
                continue
            answer_count[name] += 1
            assert answer.owner.dtype == np.int32, name
            assert answer.owner.shape == (snapshot.tp_count,), name
            assert ((answer.owner >= UNASSIGNED) & (answer.owner < snapshot.member_count)).all(), (
                name
            )
            assert (
                (answer.extra[:, 0] >= 0) & (answer.extra[:, 0] < snapshot.member_count)
            ).all(), name

    owners_exist()

    assert {name for name, count in answer_count.items() if count >= 10} == set(EVERY)


@some_examples
# Two topics and one topic twice are the same subscription to Kafka's sticky assignors: they compare
# numbers and members of the lists.
@given(groups(claims=False, idle=False, repeated=False, fewest=1))
def test_without_claims_owners_subscribe_and_every_subscribed_partition_has_an_owner(
    snapshot,
):
    subscribed = {
        (member, int(topic))
        for member, row in enumerate(snapshot.subscription)
        for topic in snapshot.topic_lists[row]
    }
    wanted = np.isin(snapshot.tp_topic, [topic for _, topic in subscribed])

    for name, assignor in EVERY.items():
        owner = assignor.assign(snapshot).owner
        owned = {
            (int(member), int(topic))
            for member, topic in zip(owner, snapshot.tp_topic, strict=True)
            if member != UNASSIGNED
        }
        assert owned <= subscribed, name
        assert ((owner != UNASSIGNED) == wanted).all(), name


@some_examples
@given(st.data())
def test_member_order_does_not_matter(data):
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

    snapshots = [group(topics, order, racks=racks, lag=lag) for order in (drawn, listed_otherwise)]
    unordered = {
        name: assignor for name, assignor in EVERY.items() if not assignor.uses_member_order
    }

    first, second = (
        {name: spelled_or_error(assignor, snapshot) for name, assignor in unordered.items()}
        for snapshot in snapshots
    )

    assert first == second
