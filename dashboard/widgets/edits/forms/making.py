"""Edits out of the values of a form, tried on the group before they join the list."""

from collections.abc import Sequence

import msgspec

from evenkeel.dashboard.widgets.edits.forms.choices import Choices
from evenkeel.dashboard.words.refusals import malformed, refusal
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.edits import EDITS, AnyEdit
from evenkeel.data.scenarios.edits.edit import EditPlace, RefusedEditError, Values
from evenkeel.data.scenarios.run.rolling_restart import Order, making_static, rolling_restart
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.scenarios.size import OverBudgetError, SizeOfGroup, require_steps


def edits_of(op: str, values: Values, choices: Choices) -> list[AnyEdit]:
    """Return the edits that a form makes.

    Raises
    ------
    SnapshotError
        Where a value is missing or out of range.
    """
    given = [
        {"op": op} | {key: value for key, value in each.items() if value is not None}
        for each in EDITS[op].form.made(values, choices.members)
    ]
    if not given or any(each.get("member_ids") == [] for each in given):
        raise SnapshotError("Choose at least one member.")
    try:
        return [msgspec.convert(each, AnyEdit) for each in given]
    except msgspec.ValidationError as error:
        raise SnapshotError(malformed(str(error))) from None


def rolling_steps(start: ObservedGroup, values: Values, most: int) -> list[Step]:
    """Return the steps of a rolling restart, before them one that makes all members static where that is asked.

    Raises
    ------
    SnapshotError
        Where the scenario would have too many steps.
    """
    steps = rolling_restart(start, Order(values["order"]), values["at_once"], values["seed"])
    if values["all_static"]:
        edits = making_static(start)
        steps = [Step(name="all static", edits=edits), *steps] if edits else steps
    if len(steps) > most:
        raise SnapshotError(f"The restart takes {len(steps):,} steps, expected at most {most:,}: restart more members at once.")
    return steps


def require_possible(start: ObservedGroup, step: int, before: Sequence[AnyEdit], edits: Sequence[AnyEdit], first: int) -> None:
    """Try edits on the group at the start of a step, counted from 1; `before`: those of the step that come first.

    Raises
    ------
    SnapshotError
        When an edit names what is not there, or asks for what Kafka cannot do.
    """
    there = Step(edits=[*before, *edits])
    try:
        require_steps(configuration().budget, SizeOfGroup.of_observed(start), [there], 1)
    except OverBudgetError as error:
        raise SnapshotError(refusal(error.reason)) from None
    group = start
    for place, edit in enumerate(before):
        group = group if edit.off else edit.apply(group, EditPlace(step - 1, place))
    for place, edit in enumerate(edits, first):
        try:
            group = edit.apply(group, EditPlace(step - 1, place))
        except RefusedEditError as error:
            raise SnapshotError(refusal(error.reason)) from None
