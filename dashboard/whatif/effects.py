"""The list of steps of What-if: the effect of each step under the candidate, the effect of each
edit alone, and the options and checks of the forms.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st

from evenkeel.assignors.group import NO_RACK
from evenkeel.dashboard.shell import address
from evenkeel.dashboard.shell.loading.walks import Refusal, alone, walked
from evenkeel.dashboard.steps import state
from evenkeel.dashboard.steps.fields import Choices
from evenkeel.dashboard.steps.form import Open
from evenkeel.dashboard.steps.refusals import refusal
from evenkeel.dashboard.steps.state import GROUP, Subject
from evenkeel.dashboard.steps.step_list import Effect
from evenkeel.dashboard.view import OpenGroup
from evenkeel.dashboard.whatif import charts
from evenkeel.dashboard.whatif.loading import Stretch, seeds_of, stretches, with_history
from evenkeel.dashboard.whatif.runs import Run
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.advance import Advance
from evenkeel.data.scenarios.edits.edit import (
    EditPlace,
    Form,
    GroupEdit,
    Names,
    RefusedEditError,
    Values,
)
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.rolling_restart import (
    ROLLING,
    ROLLING_FORM,
    Order,
    making_static,
    rolling_restart,
)
from evenkeel.data.scenarios.run.seeds import draws_ids
from evenkeel.data.scenarios.scenario.scenario import MOST_STEPS, Step
from evenkeel.data.scenarios.size import OverBudgetError, SizeOfGroup, require_steps
from evenkeel.data.text.formats import compact_sum, count


def what_if(group: OpenGroup) -> Subject:
    """Return the open group as the subject of scenarios."""
    return Subject(GROUP, group)


def show_tools(group: OpenGroup) -> None:
    """Read the scenarios in the address. Draw whether they are stored, and the buttons Undo and
    Redo.
    """
    state.follow(what_if(group))
    state.show_tools(what_if(group))


class GroupSteps(NamedTuple):
    """The data of the list of steps for a group. The effects are from the candidate's answers."""

    group: OpenGroup
    run: Run

    @property
    def steps(self) -> Sequence[Step]:
        return self.run.steps

    @property
    def names(self) -> Names:
        return self.run.names

    @property
    def refused(self) -> Refusal | None:
        return self.run.refused

    @property
    def last(self) -> int:
        return self.run.last

    @property
    def more(self) -> dict[str, Form]:
        """The form of a rolling restart, which makes one step for each restart."""
        return {ROLLING: ROLLING_FORM}

    def as_listed(self) -> list[str]:
        """Return two lines: the figures of the group as listed, and the effect of a switch to the
        candidate.
        """
        return [
            line
            for line in (of_group(self.run.walk.answers[0]), of_switch(self.group, self.run))
            if line
        ]

    def effect(self, number: int) -> Effect:
        """Return the effect of a step under the candidate."""
        run = self.run
        if number > run.last:
            return Effect(
                "refused, see below"
                if run.refused and run.refused.step == number
                else "waits for the previous step"
            )
        return Effect(of_step(*run.walk.answers[number - 1 : number + 1]))

    def edit_effect(self, number: int, place: int) -> str:
        """Return the effect of one edit alone, under the assignor in use."""
        return of_edit(self.group, self.run, number, place)

    def show_more(self, number: int) -> None:
        """Draw how much the answer depends on the ids of new members, which Kafka chooses at
        random.
        """
        show_new_ids(self.group, self.run, number)

    def choices(self, op: str, step: int) -> Choices:
        """Return the members, topics and racks that the group has at the start of a step."""
        by_history = op in GROUP.edits and GROUP.edits[op].form.by_history
        return choices_of(
            self.run.start(step), self.run.names, stretches(self.group) if by_history else ()
        )

    def made_steps(self, op: str, step: int, values: Values) -> list[Step]:
        """Return the steps of a rolling restart."""
        return rolling_steps(self.run.start(step), values, MOST_STEPS - len(self.steps))

    def tried(
        self, edits: list[GroupEdit], open_form: Open, there: list[GroupEdit]
    ) -> list[GroupEdit]:
        """Return a form's edits, with missing rates taken from the group's history. Raises
        SnapshotError if the edits are not possible after the earlier edits of the step.
        """
        first, start = (
            len(there) if open_form.edit is None else open_form.edit,
            self.run.start(open_form.step),
        )
        before = self.run.walk.answers[: open_form.step]
        try:
            edits = [
                with_history(self.group, before, start, each) if isinstance(each, Advance) else each
                for each in edits
            ]
        except SnapshotError as error:
            raise SnapshotError(refusal(str(error))) from None
        require_possible(start, open_form.step, there[:first], edits, first)
        return edits


def choices_of(
    group: ObservedGroup, names: Mapping[str, str], stretches: Sequence[Stretch] = ()
) -> Choices:
    """Return the options that a group has for a form's fields. `names`: short names by member id. A
    topic is an option only if its partitions are known.
    """
    snapshot = group.snapshot
    sizes = zip(
        snapshot.topic_name,
        snapshot.partition_count.tolist(),
        snapshot.topic_known.tolist(),
        strict=True,
    )
    used = np.union1d(snapshot.member_rack, snapshot.replica_rack).tolist()
    racks = sorted(snapshot.rack_name[rack] for rack in used if rack != NO_RACK)
    members = {member_id: names.get(member_id, member_id) for member_id in snapshot.member_id}
    return Choices(
        members, {name: size for name, size, is_known in sizes if is_known}, racks, stretches
    )


def rolling_steps(start: ObservedGroup, values: Values, most: int) -> list[Step]:
    """Return the steps of a rolling restart. If `values` has `all_static`, a first step makes all
    members static.

    Raises
    ------
    SnapshotError
        If the scenario would have too many steps.
    """
    steps = rolling_restart(start, Order(values["order"]), values["at_once"], values["seed"])
    if values["all_static"]:
        edits = making_static(start)
        steps = [Step(name="all static", edits=edits), *steps] if edits else steps
    if len(steps) > most:
        raise SnapshotError(
            f"The restart takes {len(steps):,} steps, expected at most {most:,}: restart more"
            " members at once."
        )
    return steps


def require_possible(
    start: ObservedGroup,
    step: int,
    before: Sequence[GroupEdit],
    edits: Sequence[GroupEdit],
    first: int,
) -> None:
    """Check that edits are possible in a step. `step` is the number of the step, from 1, and
    `start` the group at its start. `before` has the edits of the step that come before `edits`.
    `first` is the position of the first of `edits` in the step.

    Raises
    ------
    SnapshotError
        If an edit names a missing thing, or is impossible in Kafka.
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


def of_group(answer: StepAnswer) -> str:
    """Return the facts of the group as listed: `10 members · 100 partitions · worst 221 k`."""
    group = answer.group or answer.start
    return (
        f"{count(group.member_count, 'member')} · {count(group.partition_count, 'partition')} ·"
        f" worst {_worst(answer)}"
    )


def of_step(before: StepAnswer, after: StepAnswer) -> str:
    """Return the effect of a step: `worst 221 k → 160 k · 1 rebalance, 87 moves`."""
    if after.error or not after.rebalances:
        return "no answer"
    never = " · never ends" if after.never_ends else ""
    return f"worst {_worst(before)} → {_worst(after)} · {_rebalances(after)}{never}"


def _rebalances(after: StepAnswer) -> str:
    number = sum(each.at_rest is not None for each in after.rebalances)
    if not number:
        return "no rebalance"
    text = f"{count(number, 'rebalance')}, {count(after.moved_partitions, 'move')}"
    if number > 1 and after.moves is not None and after.moved_partitions != after.moves.moved_count:
        return (
            f"{text} on the way, {count(after.moves.moved_count, 'partition')} changed owner in"
            " the end"
        )
    return text


def of_switch(group: OpenGroup, run: Run) -> str:
    """Return the effect of a switch from the assignor in use to the candidate: `switch to lag
    alone: worst 160 k → 110 k · 1 rebalance, 1 move`. Empty if the candidate is in use, or if the
    assignor in use is unknown.
    """
    if run.used in (None, run.candidate):
        return ""
    walk = walked(group, [Step()], run.candidate)
    return (
        f"switch to {run.candidate} alone: {of_step(*walk.answers)}"
        if len(walk.answers) == 2 and not walk.answers[1].error
        else ""
    )


def of_edit(group: OpenGroup, run: Run, number: int, place: int) -> str:
    """Return the effect of one edit without the other edits of its step, under the assignor in use:
    `alone: 87 moves, worst 160 k`.
    """
    edit = run.steps[number - 1].edits[place]
    walk = alone(group, run.steps, number, place, run.used or run.candidate)
    words = "off · would be: " if edit.off else "alone: "
    if walk.refused:
        return (
            "off · not possible"
            if edit.off
            else "alone: not possible, it needs an earlier edit of this step"
        )
    before, after = walk.answers[-2:]
    if after.error or not after.rebalances:
        return f"{words}no answer"
    if all(each.at_rest is None for each in after.rebalances):
        return f"{words}no rebalance, worst {_change(before, after)}"
    return f"{words}{count(after.moved_partitions, 'move')}, worst {_change(before, after)}"


def _change(before: StepAnswer, after: StepAnswer) -> str:
    was, now = (each.balance and each.balance.max_lag for each in (before, after))
    return "unchanged" if was is not None and was == now else _worst(after)


def _worst(answer: StepAnswer) -> str:
    balance = answer.balance
    return compact_sum(balance and balance.max_lag, bool(balance and balance.lag_is_partial))


def show_new_ids(group: OpenGroup, run: Run, number: int) -> None:
    """Draw the distributions over many seeds, for a step with new ids, such as a restart. The
    chart grows while seeds are computed.
    """
    if number > run.last or not draws_ids(run.steps[number - 1]) or run.walk.answers[number].error:
        return
    drawn, is_done = seeds_of(group, run.steps, number, run.candidate)
    if is_done:
        charts.show_seeds(drawn)
    else:
        _look_at_ids(group, run.steps, number, run.candidate)


@st.fragment(run_every=0.7)
def _look_at_ids(group: OpenGroup, steps: Sequence[Step], number: int, name: str) -> None:
    drawn, is_done = seeds_of(group, steps, number, name)
    if is_done:
        address.draw_again()
    charts.show_seeds(drawn)
