"""The arrays of sticky and cooperative-sticky against the words of the specification."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.group.owned import held_rows
from evenkeel.data.columns import observed_from_document
from evenkeel.data.document import decode
from tests.assignors.groups import Member, group, spelled
from tests.generated.documents import group_documents
from tests.generated.skewed_documents import skewed_documents
from tests.literal.sticky import literal_sticky

both = pytest.mark.parametrize("name", ["sticky", "cooperative-sticky"])


def snapshot_of(document):
    return observed_from_document(decode(msgspec.json.encode(document))).snapshot


def answer(name, snapshot, max_generation):
    """Return what each member gets and what is withheld from it, or the exception's name."""
    try:
        given = ASSIGNORS[name](max_generation=max_generation).assign(snapshot)
    except AssignorError as error:
        return error.java_class
    held = {member: set() for member in snapshot.member_id}
    for member, topic, partition in held_rows(snapshot, given).tolist():
        held[snapshot.member_id[member]].add((snapshot.topic_name[topic], partition))
    withheld = {}
    for member, tp in given.withheld.tolist():
        withheld.setdefault(snapshot.member_id[member], set()).add(
            (snapshot.topic_name[snapshot.tp_topic[tp]], int(snapshot.tp_partition[tp]))
        )
    return held, withheld


def literal_answer(name, snapshot, max_generation):
    try:
        held, withheld = literal_sticky(snapshot, max_generation, name == "cooperative-sticky")
    except AssignorError as error:
        return error.java_class
    return {member: set(tps) for member, tps in held.items()}, {member: set(tps) for member, tps in withheld.items()}


@both
@settings(max_examples=400)
@given(group_documents(), st.sampled_from([-1, -1, -1, 3, 5]))
def test_an_odd_group_gets_another_answer_than_by_the_specification(name, document, max_generation):
    snapshot = snapshot_of(document)

    assert answer(name, snapshot, max_generation) == literal_answer(name, snapshot, max_generation)


@both
@settings(max_examples=400)
@given(skewed_documents(), st.sampled_from([-1, -1, -1, 3, 5]))
def test_a_skewed_group_gets_another_answer_than_by_the_specification(name, document, max_generation):
    snapshot = snapshot_of(document)

    assert answer(name, snapshot, max_generation) == literal_answer(name, snapshot, max_generation)


def test_a_claim_of_a_deleted_topic_counts_for_nothing():
    snapshot = group({"t": 2}, A=Member("t gone", owned="t-0 t-1 gone-1"), B="t gone")

    assert spelled(snapshot, ASSIGNORS["sticky"]().assign(snapshot)) == {"A": "t-0", "B": "t-1"}
