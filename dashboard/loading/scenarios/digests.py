"""What the answer to a step depends on, as a short text."""

import hashlib
from collections.abc import Sequence

import msgspec

from evenkeel.data.scenarios.scenario.scenario import Step

NOTHING = ""


def digests(steps: Sequence[Step]) -> list[str]:
    """Return one digest for the group as listed and one for each step, of all edits up to it; names of steps do not count.

    An edit that is off counts as a place: ids of new members are drawn by the place of their edit.
    """
    found = [NOTHING]
    for step in steps:
        edits = msgspec.json.encode([None if edit.off else edit for edit in step.edits])
        found.append(hashlib.blake2b(found[-1].encode() + edits, digest_size=16).hexdigest())
    return found
