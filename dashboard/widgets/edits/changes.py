"""Changes of a list of steps; steps count from 1, edits from 0."""

from collections.abc import Sequence

import msgspec

from evenkeel.dashboard.widgets.edits.state import Place
from evenkeel.data.scenarios.edits import AnyEdit
from evenkeel.data.scenarios.scenario.draft import Draft, Named
from evenkeel.data.scenarios.scenario.scenario import Step


def with_steps(place: Place, after: int, steps: Sequence[Step]) -> Place:
    """Put steps behind another one, and show the last of them."""
    return _with_steps(place, [*place.steps[:after], *steps, *place.steps[after:]], after + len(steps))


def without_step(place: Place, number: int) -> Place:
    """Take a step out."""
    steps = [*place.steps[: number - 1], *place.steps[number:]]
    return _with_steps(place, steps, min(number, len(steps)))


def moved_step(place: Place, number: int, by: int) -> Place:
    """Move a step up or down; unchanged at the end of the list."""
    to = number + by
    if not (1 <= number <= len(place.steps) and 1 <= to <= len(place.steps)):
        return place
    steps = list(place.steps)
    steps.insert(to - 1, steps.pop(number - 1))
    return _with_steps(place, steps, to)


def copied_step(place: Place, number: int) -> Place:
    """Put a step a second time behind itself."""
    return with_steps(place, number, [place.steps[number - 1]])


def renamed_step(place: Place, number: int, name: str) -> Place:
    """Give a step another name; none where it is empty."""
    return _with(place, number, msgspec.structs.replace(place.steps[number - 1], name=name.strip() or None))


def with_edits(place: Place, number: int, edits: Sequence[AnyEdit], instead_of: int | None = None) -> Place:
    """Put edits at the end of a step, or in place of one of its edits."""
    step = place.steps[number - 1]
    before, after = (step.edits, []) if instead_of is None else (step.edits[:instead_of], step.edits[instead_of + 1 :])
    return _with(place, number, msgspec.structs.replace(step, edits=[*before, *edits, *after]))


def without_edit(place: Place, number: int, edit: int) -> Place:
    """Take an edit out."""
    return with_edits(place, number, [], instead_of=edit)


def switched(place: Place, number: int, edit: int, off: bool) -> Place:
    """Switch an edit off or on."""
    return with_edits(place, number, [msgspec.structs.replace(place.steps[number - 1].edits[edit], off=off)], instead_of=edit)


def copied_scenario(place: Place) -> Place:
    """Add a copy of the scenario that is shown, and show it."""
    scenarios = [*place.draft.scenarios, Named(None, place.steps)]
    return place._replace(draft=Draft(scenarios), scenario=len(scenarios) - 1)


def renamed_scenario(place: Place, name: str) -> Place:
    """Give the scenario that is shown another name."""
    return _with_named(place, Named(name.strip() or None, place.steps))


def without_scenario(place: Place) -> Place:
    """Take the scenario that is shown out; the only one becomes empty."""
    left = [each for at, each in enumerate(place.draft.scenarios) if at != place.scenario] or [Named()]
    shown = min(place.scenario, len(left) - 1)
    return Place(Draft(left), shown, len(left[shown].steps))


def _with(place: Place, number: int, step: Step) -> Place:
    return _with_steps(place, [*place.steps[: number - 1], step, *place.steps[number:]], number)


def _with_steps(place: Place, steps: list[Step], shown: int) -> Place:
    return _with_named(place, Named(place.named.name, steps))._replace(step=shown)


def _with_named(place: Place, named: Named) -> Place:
    scenarios = list(place.draft.scenarios)
    scenarios[place.scenario] = named
    return place._replace(draft=Draft(scenarios))
