"""Edits of a Kafka Streams application, one file each: streams document -> streams document."""

from typing import TYPE_CHECKING, Union

from evenkeel.data.scenarios.application_edits.application_edit import ApplicationEdit
from evenkeel.data.scenarios.edits.edit import edits_in, in_menu_order

APPLICATION_EDITS = in_menu_order(edits_in(__name__, __path__, ApplicationEdit))
"""Edits by `op`. A new edit is one file with one class in this folder."""

if TYPE_CHECKING:
    AnyApplicationEdit = ApplicationEdit
else:
    AnyApplicationEdit = Union[tuple(APPLICATION_EDITS.values())]  # noqa: UP007, no operator joins a tuple
