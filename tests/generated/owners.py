"""Random groups with random owners, several for some partitions and partitions that the topic does
not have.
"""

import numpy as np
from hypothesis import strategies as st

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from tests.generated.groups import groups


@st.composite
def groups_with_owners(draw, count: int):
    """Draw a snapshot and `count` assignments of its partitions."""
    snapshot = draw(groups(claims=False, racks=False))
    return snapshot, [draw(_assignment(snapshot)) for _ in range(count)]


def _assignment(snapshot):
    owners = st.lists(
        st.integers(UNASSIGNED, snapshot.member_count - 1),
        min_size=snapshot.tp_count,
        max_size=snapshot.tp_count,
    )
    extra = st.just([])
    if snapshot.member_count and snapshot.topic_count:
        rows = st.tuples(
            st.integers(0, snapshot.member_count - 1),
            st.integers(0, snapshot.topic_count - 1),
            st.integers(0, 9),
        )
        extra |= st.lists(rows, unique=True, max_size=8)
    return st.builds(
        lambda owner, extra: _without_twice_owned(snapshot, owner, extra), owners, extra
    )


def _without_twice_owned(snapshot, owner, extra) -> Assignment:
    owned = {
        (member, topic, partition)
        for member, topic, partition in zip(
            owner, snapshot.tp_topic.tolist(), snapshot.tp_partition.tolist(), strict=False
        )
    }
    further = [row for row in extra if row not in owned]
    return Assignment(
        np.array(owner, dtype=np.int32), np.array(further, dtype=np.int32).reshape(-1, 3)
    )
