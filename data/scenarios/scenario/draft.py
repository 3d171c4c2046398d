"""The scenarios that a user edits side by side, and their short text in the page's address.

A draft does not contain the group.
"""

import base64
import binascii
import zlib
from collections.abc import Sequence
from typing import Annotated, Any, Generic

import msgspec

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document.shape import Shape
from evenkeel.data.scenarios.application_edits import AnyApplicationEdit
from evenkeel.data.scenarios.edits import AnyEdit
from evenkeel.data.scenarios.scenario.scenario import MOST_STEPS, E, Step

MOST_SCENARIOS = 4
MOST_BYTES = 4 * 2**20
"""Most bytes of a draft's JSON.

No person writes more steps. Without this limit, a short compressed text could become arbitrarily
large.
"""

_RAW_DEFLATE = -15


class NamedSteps(Shape, Generic[E], frozen=True):
    """One scenario of a draft."""

    name: str | None = None
    steps: Annotated[list[Step[E]], msgspec.Meta(max_length=MOST_STEPS)] = []


class Draft(Shape, Generic[E], frozen=True):
    """One to four scenarios of the same group or application."""

    scenarios: Annotated[list[NamedSteps[E]], msgspec.Meta(min_length=1, max_length=MOST_SCENARIOS)]


EMPTY: Draft[Any] = Draft([NamedSteps()])

_OfApplication = (
    Annotated[list[Step[AnyApplicationEdit]], msgspec.Meta(max_length=MOST_STEPS)]
    | Draft[AnyApplicationEdit]
)


def text_of(draft: Draft) -> str:
    """Return the draft as text: JSON, deflated, in base64url."""
    return packed(msgspec.json.encode(draft))


def draft_of(text: str) -> Draft[AnyEdit]:
    """Return the draft of a group from a text that `text_of` made.

    Raises
    ------
    SnapshotError
        If the text is cut, changed or too large, or contains no list of steps.
    """
    return of_packed(text, Draft[AnyEdit], f"the steps of one to {MOST_SCENARIOS} scenarios")


def text_of_application(draft: Draft) -> str:
    """Return the draft of an application as text.

    If the draft has one scenario without a name, the text contains only the steps.
    """
    first, *others = draft.scenarios
    return text_of(draft) if others or first.name else packed(msgspec.json.encode(first.steps))


def text_of_steps(steps: Sequence[Step]) -> str:
    """Return the steps of one scenario of an application as text."""
    return text_of_application(Draft([NamedSteps(None, list(steps))]))


def draft_of_application(text: str) -> Draft[AnyApplicationEdit]:
    """Return the draft of an application from a text that `text_of_application` made.

    Raises as `draft_of`.
    """
    steps_or_draft = of_packed(text, _OfApplication, "the steps of an application")
    return (
        Draft([NamedSteps(None, steps_or_draft)])
        if isinstance(steps_or_draft, list)
        else steps_or_draft
    )


def of_packed(text: str, type: Any, expected: str) -> Any:
    """Return an object of type `type` from a text that `packed` made; raises as `draft_of`.

    `expected`: the name of the type in an error message.
    """
    try:
        return msgspec.json.decode(unpacked(text), type=type)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise SnapshotError(f"steps: {error}, expected {expected}") from None


def packed(json: bytes) -> str:
    """Return a JSON text, deflated, in base64url."""
    packer = zlib.compressobj(9, wbits=_RAW_DEFLATE)
    return base64.urlsafe_b64encode(packer.compress(json) + packer.flush()).decode().rstrip("=")


def unpacked(text: str) -> bytes:
    """Return the JSON from a text that `packed` made.

    Raises
    ------
    SnapshotError
        If the text is cut, changed or too large.
    """
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj(wbits=_RAW_DEFLATE)
        json = unpacker.decompress(packed, MOST_BYTES + 1)
    except (ValueError, binascii.Error, zlib.error):
        raise SnapshotError(
            "steps: the text is cut or changed, expected the whole address as it was copied"
        ) from None
    if len(json) > MOST_BYTES:
        raise SnapshotError(f"steps: found more than {MOST_BYTES:,} bytes, expected fewer")
    if not unpacker.eof:
        raise SnapshotError(
            "steps: the text is cut or changed, expected the whole address as it was copied"
        )
    return json
