"""Edits of a group, one file each: its arguments, its effect as in Kafka, its form and its
sentence.
"""

from typing import TYPE_CHECKING, Union

from evenkeel.data.scenarios.edits.edit import GroupEdit, edits_in

EDITS = edits_in(__name__, __path__, GroupEdit)
"""By their `op`. A file of this folder that has one is all that it takes."""

if TYPE_CHECKING:
    AnyEdit = GroupEdit
else:
    AnyEdit = Union[tuple(EDITS.values())]  # noqa: UP007, no operator joins a tuple
