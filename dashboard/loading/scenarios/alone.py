"""What one edit does alone: its step with this edit only, from the same start."""

from collections.abc import Sequence

import msgspec

from evenkeel.dashboard.loading.scenarios.walks import Walk, walked
from evenkeel.dashboard.view import Opened
from evenkeel.data.scenarios.scenario.scenario import Step


def alone(group: Opened, steps: Sequence[Step], number: int, place: int, name: str) -> Walk:
    """Return the way to a step, counted from 1, in which only the edit at `place` is on."""
    edits = [msgspec.structs.replace(edit, off=at != place) for at, edit in enumerate(steps[number - 1].edits)]
    return walked(group, [*steps[: number - 1], Step(edits=edits)], name)
