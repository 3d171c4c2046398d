"""All steps of What-if: the strip, the table of the one that is shown, the charts, and all scenarios side by side."""

import streamlit as st

from evenkeel.assignors.explain.facts import NO_FACTS
from evenkeel.dashboard import loading
from evenkeel.dashboard.loading.step_figures import StepTimes
from evenkeel.dashboard.loading.walks import walked
from evenkeel.dashboard.tables.strips import step_strip
from evenkeel.dashboard.view import Opened, View
from evenkeel.dashboard.widgets.edits import shown_step
from evenkeel.dashboard.widgets.edits.runs import Run
from evenkeel.dashboard.widgets.edits.steps import what_if
from evenkeel.dashboard.widgets.parts import address, advice, linked_choice
from evenkeel.dashboard.widgets.scope import gain, scope
from evenkeel.dashboard.widgets.steps import charts, scenarios, strip, table
from evenkeel.dashboard.widgets.steps.editing import state
from evenkeel.data.scenarios.advice import advice_after
from evenkeel.data.scenarios.run.step_figures import Figures, figures_of_row, figures_of_steps
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED
from evenkeel.data.words.formats import count
from evenkeel.data.words.names import elided


def figures(group: Opened, view: View, run: Run, times: StepTimes) -> Figures:
    """Return the figures of every step that has answers; those of the group as listed are Compare's."""
    facts, current = loading.facts(group), view.comparison.rows[0].balance
    as_listed, *drains = times.drains[: run.last + 1] or [{}]
    listed = {
        row.name: figures_of_row(row, view.observed, current, facts.get(row.name, NO_FACTS).switch, as_listed.get(row.name))
        for row in view.comparison.rows[1:]
    }
    return [listed, *figures_of_steps([run.answers(step) for step in range(1, run.last + 1)], drains)]


def show_strip(group: Opened, run: Run, found: Figures, step: int) -> None:
    """Draw the strip for the candidate; a click on a card shows its step."""
    shown = step_strip([each.title(run.names) for each in run.steps], found, run.candidate)
    strip.show(shown, step, lambda number: state.look_at(what_if(group), step=number), key="what-if-strip", label="Steps of the scenario")


def show_table(view: View, run: Run, found: Figures, step: int) -> None:
    """Draw what each assignor ends with after the step; a click on a row makes it the candidate."""
    if step <= run.last:
        kind = view.observed.group_type
        table.show(found, step, run.candidate, run.used, scope.choose, group_type=kind, gain=gain.asked(), key="what-if-table")


def show_advice(group: Opened, view: View, run: Run, times: StepTimes, step: int) -> None:
    """Draw whether a switch is worth it after the step, as soon as all assignors have answered."""
    if step > run.last or run.waiting or times.waiting:
        return
    if not step:
        advice.show(loading.advice(view, gain.asked()))
        return
    drains = times.drains[step] if times.drains else {}
    advice.show(advice_after(view.observed, group.settings, [run.answers(one) for one in range(step + 1)], drains, gain.asked()))


def show_charts(group: Opened, run: Run, found: Figures, step: int) -> None:
    """Draw the worst lag and the moves over all steps, and every member's lag; a click shows a step, or chooses a member."""
    if not run.steps:
        _show_members(run, step)
        return
    over, members = st.columns([38, 62], gap="small")
    with over:
        names = [AS_LISTED, *(each.title(run.names) for each in run.steps)]
        charts.show_over_steps(
            found, step, run.candidate, run.used, names, pick=lambda number: state.look_at(what_if(group), step=int(number))
        )
    with members:
        _show_members(run, step)


def _show_members(run: Run, step: int) -> None:
    answers = run.answers(step)
    charts.show_members(answers.get(run.used), answers[run.candidate], step, pick=shown_step.pick, names=run.names)


_KEY, _SHOW = "what-if-show", "show"


_STEPS, _SIDE = "steps", "side"


def is_side_by_side(place: state.Place) -> bool:
    """Draw the choice where there are several scenarios; tell whether they stand side by side."""
    if len(place.draft.scenarios) < 2:
        return False
    words = {_STEPS: f"Steps of {place.letter}", _SIDE: "Side by side"}
    address.follow(_SHOW, list(words), _STEPS, "view", _KEY)
    chosen = linked_choice.show("View", words, _KEY, _SHOW)
    address.show(show=None if chosen == _STEPS else chosen)
    return chosen == _SIDE


def show_side_by_side(group: Opened, place: state.Place, candidate: str, used: str | None) -> None:
    """Draw every scenario after its last step; a scenario whose edit is refused ends before it."""
    titles = [f"{letter} · {elided(named.name or count(len(named.steps), 'step'), 24)}" for letter, named in place.by_letter]
    answers = [walked(group, named.steps, candidate).answers for named in place.draft.scenarios]
    scenarios.show(list(zip(titles, answers, strict=True)), used, gain.asked())
