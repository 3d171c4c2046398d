"""Every edit of the arrays gives what the same edit of the group document gives."""

import json
from random import Random

import msgspec
import numpy as np
from hypothesis import given, strategies

from evenkeel.data.group.columns import document_of, observed_from_document
from evenkeel.data.group.document import decode
from evenkeel.data.scenarios.edits import AnyEdit
from evenkeel.data.scenarios.edits.edit import EditPlace
from tests.data.scenarios.edited_by_hand import edited
from tests.generated.documents import group_document
from tests.generated.edits import random_edit

randoms = strategies.randoms(use_true_random=False)
HERE = EditPlace(0, 0)


def observed(document: dict):
    return observed_from_document(decode(json.dumps(document)))


def edit_of(edit: dict):
    return msgspec.convert(edit, AnyEdit)


def columns(group) -> dict[str, bytes | tuple]:
    """Return every column of a snapshot, topics that nobody names left out: an edit keeps their
    rows.
    """
    return {
        name: (value.dtype.str, value.tobytes()) if isinstance(value, np.ndarray) else value
        for name, value in vars(group).items()
        if name in type(group).__dataclass_fields__ and name != "topic_lists"
    }


def inputs(group) -> dict:
    """Return the group as its document says it, without what is for people alone."""
    document = document_of(group)
    return {key: value for key, value in document.items() if key != "assumed"}


@given(randoms)
def test_an_edit_of_the_arrays_is_the_edit_of_the_document(random: Random):
    document = group_document(random, stored=random.random() < 0.5)
    edit = random_edit(random, document)

    by_arrays = edit_of(edit).apply(observed(document), HERE)

    assert inputs(by_arrays) == inputs(observed(edited(document, edit)))


@given(randoms)
def test_an_edit_never_changes_its_input(random: Random):
    document = group_document(random)
    group = observed(document)
    before = columns(group.snapshot)

    edit_of(random_edit(random, document)).apply(group, HERE)

    assert columns(group.snapshot) == before


@given(randoms)
def test_edits_that_touch_different_things_commute(random: Random):
    document = group_document(random)
    members, topics = (
        [each["member_id"] for each in document["members"]],
        [each["name"] for each in document["topics"]],
    )
    if len(members) < 2 or not topics:
        return
    gone, moved = members[0], members[1]
    first = edit_of({"op": "remove_members", "member_ids": [gone]})
    second = edit_of({"op": "set_rack", "member_ids": [moved], "rack": "z"})
    third = edit_of({"op": "set_partition_count", "topic": topics[0], "count": 50, "racks": None})
    group = observed(document)

    in_order = third.apply(second.apply(first.apply(group, HERE), HERE), HERE)
    in_reverse = first.apply(second.apply(third.apply(group, HERE), HERE), HERE)

    assert inputs(in_order) == inputs(in_reverse)
