"""An edit of the arrays carried over to the observed group around them: owners, facts for people, assumptions."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from evenkeel.assignors.edits.rows.edit_result import GONE, EditResult, carry_over
from evenkeel.assignors.group import UNKNOWN
from evenkeel.data.columns.observed import ObservedGroup

_MEMBER = re.compile(r"members\[([0-9]{1,9})\]")


def observed_after(group: ObservedGroup, edited: EditResult, client_id: str | None = None, assumed: Iterable[str] = ()) -> ObservedGroup:
    """Return the observed group after an edit. `client_id`: of the new members. `assumed`: paths that the edit assumes."""
    row = edited.member_row
    return replace(
        group,
        snapshot=edited.group,
        current=None if group.current is None else carry_over(group.current, group.snapshot, edited),
        client_id=_by_member(group.client_id, edited, client_id),
        host=_by_member(group.host, edited),
        epoch=_epochs(group, edited),
        subscribed_regex=edited.group.expression,
        # What members last joined with gave the assignment of the listing, not this one.
        joined_with=(),
        topic_order=_topic_order(group, edited),
        assumed=tuple(sorted({*(path for path in (_renumbered(path, row) for path in group.assumed) if path), *assumed})),
    )


def _by_member(values: Sequence, edited: EditResult, new=None) -> tuple:
    after = [new] * edited.group.member_count
    for value, row in zip(values, edited.member_row.tolist(), strict=True):
        if row != GONE:
            after[row] = value
    return tuple(after)


def _epochs(group: ObservedGroup, edited: EditResult) -> np.ndarray:
    epoch, stays = np.full(edited.group.member_count, UNKNOWN, dtype=np.int64), edited.member_row != GONE
    epoch[edited.member_row[stays]] = group.epoch[stays]
    return epoch


def _topic_order(group: ObservedGroup, edited: EditResult) -> np.ndarray:
    count = edited.group.topic_count
    order = np.full(count, GONE, dtype=np.int64)
    order[edited.topic_row] = group.topic_order
    order[order == GONE] = np.arange(len(group.topic_order), count)
    return order


def _renumbered(path: str, row: np.ndarray) -> str | None:
    """Return an assumed path with the member's new row, None where the member is gone."""
    named = _MEMBER.match(path)
    if not named:
        return path
    place = row[int(named[1])] if int(named[1]) < row.size else GONE
    return None if place == GONE else f"members[{place}]{path[named.end() :]}"
