"""Edits of a group, one file each: arguments, effect in Kafka, form, and text."""

from typing import TYPE_CHECKING, Union

from evenkeel.data.scenarios.edits.edit import GroupEdit, edits_in

EDITS = edits_in(__name__, __path__, GroupEdit)
"""Edits by `op`. A new edit is one file with one class in this folder."""

if TYPE_CHECKING:
    AnyEdit = GroupEdit
else:
    AnyEdit = Union[tuple(EDITS.values())]  # noqa: UP007, no operator joins a tuple
