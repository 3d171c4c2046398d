"""Owners as planned: who has what afterwards, by hand, and what is refused with its place."""

import pytest

from evenkeel.data.group.columns import document_of
from evenkeel.data.scenarios.edits.edit import EditPlace, RefusedEditError
from evenkeel.data.scenarios.edits.set_owners import SetOwners
from tests.data.scenarios.edits.test_edits import HERE, observed

GROUP = {
    "format": "evenkeel.group/1",
    "group_id": "payments",
    "type": "classic",
    "assignor": "range",
    "topics": [
        {"name": "orders", "partitions": [{"lag": 40}, {"lag": 60}, {"lag": 1}]},
        {"name": "audit", "partitions": [{"lag": 5}]},
    ],
    "members": [
        {"member_id": "a", "subscribed": ["orders"], "generation": 4, "owned": {"orders": [0, 1]}},
        {
            "member_id": "b",
            "subscribed": ["orders", "audit"],
            "generation": 4,
            "owned": {"orders": [2], "audit": [0]},
        },
    ],
}


def owned(group) -> dict[str, dict[str, list[int]]]:
    return {member["member_id"]: member["owned"] for member in document_of(group)["members"]}


def test_partitions_of_the_plan_change_owner_and_all_others_stay():
    group = observed(GROUP)
    after = SetOwners(owners={"b": {"orders": [1]}}).apply(group, HERE)

    assert owned(after) == {"a": {"orders": [0]}, "b": {"orders": [1, 2], "audit": [0]}}
    assert owned(group) == {"a": {"orders": [0, 1]}, "b": {"orders": [2], "audit": [0]}}
    # Topics by name: audit 0, then orders 0 to 2.
    assert after.current.owner.tolist() == [1, 0, 1, 1]


def test_nothing_rebalances():
    assert SetOwners(owners={}).is_quiet(observed(GROUP))


@pytest.mark.parametrize(
    ("owners", "said"),
    [
        ({"c": {"orders": [0]}}, 'owners: no member "c"'),
        ({"a": {"nothing": [0]}}, 'owners: no topic "nothing"'),
        ({"a": {"audit": [0]}}, 'owners: member "a" does not subscribe to "audit"'),
        (
            {"a": {"orders": [3]}},
            'owners: found 3, but topic "orders" has 3 partitions, counted from 0',
        ),
        ({"a": {"orders": [0]}, "b": {"orders": [0]}}, "owners: orders 0 twice, expected once"),
    ],
)
def test_what_the_group_does_not_have_is_refused_with_its_place(owners, said):
    with pytest.raises(RefusedEditError, match=rf"^steps\[2\]\.edits\[1\]\.{said}$"):
        SetOwners(owners=owners).apply(observed(GROUP), EditPlace(2, 1))


def test_the_form_has_a_line_for_each_member_and_topic():
    owners = {"a": {"orders": [0, 2]}, "b": {"orders": [1], "audit": [0]}}
    lines = SetOwners.form.read({"owners": owners})["owners"]

    assert lines == ["a orders 0,2", "b orders 1", "b audit 0"]
    assert SetOwners.form.made({"owners": lines}, {}) == [{"owners": owners}]
