"""The scenarios that this session edits, and the functions that change them. Short scenarios are
also in the address.

Steps are counted from 1, the edits of a step from 0.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import streamlit as st

from evenkeel.dashboard.shell import address
from evenkeel.dashboard.shell.loading.walks import draft_text, saved_draft
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.application_edits import APPLICATION_EDITS, AnyApplicationEdit
from evenkeel.data.scenarios.edits import EDITS, AnyEdit
from evenkeel.data.scenarios.edits.edit import Edit, in_menu_order
from evenkeel.data.scenarios.scenario.draft import (
    EMPTY,
    Draft,
    NamedSteps,
    draft_of,
    draft_of_application,
    text_of,
    text_of_application,
)
from evenkeel.data.scenarios.scenario.scenario import MOST_STEPS, Step

LETTERS = "ABCD"
MOST_IN_ADDRESS = 1_500
"""Number of characters; chat tools break longer addresses."""

_STEPS, _DRAFT, _SCENARIO, _AT = "steps", "draft", "scenario", "at"
_MOST_UNDONE = 100


class Kind(NamedTuple):
    """A kind of scenarios: for groups or for Streams applications. `key`: its key in the session.
    `read`, `write`: convert between a draft and its text. `edits`: the type of each edit, by op.
    `edit_type`: the union of these types.
    """

    key: str
    read: Callable[[str], Draft]
    write: Callable[[Draft], str]
    edits: Mapping[str, type[Edit]]
    edit_type: Any


GROUP = Kind("what-if", draft_of, text_of, in_menu_order(EDITS), AnyEdit)
APPLICATION = Kind(
    "streams-steps",
    draft_of_application,
    text_of_application,
    APPLICATION_EDITS,
    AnyApplicationEdit,
)


class Subject(NamedTuple):
    """A group or an application whose scenarios are edited."""

    kind: Kind
    opened: OpenGroup


class Place(NamedTuple):
    """The scenarios of the session. `scenario`: number of the open scenario, counted from 0.
    `step`: number of the open step; 0 is the group as listed.
    """

    draft: Draft = EMPTY
    scenario: int = 0
    step: int = 0

    @property
    def named(self) -> NamedSteps:
        """The open scenario."""
        return self.draft.scenarios[self.scenario]

    @property
    def steps(self) -> list[Step]:
        return self.named.steps

    @property
    def letter(self) -> str:
        return LETTERS[self.scenario]

    @property
    def by_letter(self) -> list[tuple[str, NamedSteps]]:
        return list(zip(LETTERS, self.draft.scenarios, strict=False))


class Editing(NamedTuple):
    """The present scenarios, and the former and later states for undo and redo. `is_saved`: the
    scenarios are stored as a draft.
    """

    place: Place = Place()
    past: tuple[Place, ...] = ()
    future: tuple[Place, ...] = ()
    is_saved: bool = False


def current(subject: Subject) -> Editing:
    """Return the edited scenarios."""
    return st.session_state.get(subject.kind.key, {}).get(subject.opened.lasting, Editing())


def follow(subject: Subject) -> None:
    """Read the scenarios that the address names, if any. Then write the present scenarios to the
    address. Must be called before the page draws them.
    """
    steps, draft_id, letter, at = (address.take(key) for key in (_STEPS, _DRAFT, _SCENARIO, _AT))
    if steps or draft_id or letter or at or address.is_followed():
        try:
            text = steps or (draft_text(draft_id) if draft_id else None)
            draft = subject.kind.read(text) if text else EMPTY
        except SnapshotError as error:
            address.refuse(_STEPS, f"The URL has edits that cannot be read. {error}")
            draft = current(subject).place.draft
        _keep(subject, current(subject)._replace(place=_linked(draft, letter, at)))
    _write(subject)


def change(subject: Subject, place: Place) -> None:
    """Replace the scenarios by `place`. Undo brings the present scenarios back."""
    now = current(subject)
    _keep(subject, Editing(place, (*now.past, now.place)[-_MOST_UNDONE:]))
    address.chosen(_STEPS)


def look_at(subject: Subject, scenario: int | None = None, step: int | None = None) -> None:
    """Open another scenario or step."""
    now = current(subject)
    place = now.place if scenario is None else now.place._replace(scenario=scenario)
    last = len(place.steps)
    _keep(
        subject,
        now._replace(place=place._replace(step=min(place.step if step is None else step, last))),
    )


def show_tools(subject: Subject) -> None:
    """Draw whether the scenarios are stored, and the buttons Undo and Redo."""
    now = current(subject)
    if now.is_saved:
        st.html('<span class="note">draft saved for a day</span>', width="content")
    for label, shortcut, is_possible, act in (
        ("Undo", "Ctrl+Z", bool(now.past), undo),
        ("Redo", "Ctrl+Shift+Z", bool(now.future), redo),
    ):
        word = label.lower()
        st.button(
            label,
            key=word,
            type="tertiary",
            icon=f":material/{word}:",
            shortcut=shortcut,
            disabled=not is_possible,
            on_click=act,
            args=(subject,),
        )


def undo(subject: Subject) -> None:
    """Undo the last change."""
    now = current(subject)
    if now.past:
        _keep(subject, Editing(now.past[-1], now.past[:-1], (now.place, *now.future)))


def redo(subject: Subject) -> None:
    """Repeat the last undone change."""
    now = current(subject)
    if now.future:
        _keep(subject, Editing(now.future[0], (*now.past, now.place), now.future[1:]))


def show_refused() -> None:
    """Show why the address could not be read."""
    address.show_refused(_STEPS)


def _keep(subject: Subject, editing: Editing) -> None:
    st.session_state[subject.kind.key] = st.session_state.get(subject.kind.key, {}) | {
        subject.opened.lasting: editing
    }


def _linked(draft: Draft, letter: str | None, at: str | None) -> Place:
    """Return the scenarios, opened at the scenario and step in the address. By default, the last
    step of the first scenario is open.
    """
    letters = LETTERS[: len(draft.scenarios)]
    scenario = letters.index(letter) if letter and len(letter) == 1 and letter in letters else 0
    last = len(draft.scenarios[scenario].steps)
    shown = address.whole(at, MOST_STEPS)
    return Place(draft, scenario, last if shown is None else min(shown, last))


def _write(subject: Subject) -> None:
    """Write three things to the address: the scenarios, the open scenario and the open step. If the
    scenarios are too long for an address, store them as a draft in the lake.
    """
    now = current(subject)
    place = now.place
    text = None if place.draft == EMPTY else subject.kind.write(place.draft)
    draft_id = None
    is_long = text is not None and len(text) > MOST_IN_ADDRESS
    if text is not None and is_long:
        try:
            draft_id = saved_draft(place.draft, text)
        except SnapshotError as error:
            address.refuse(
                _STEPS, f"The draft is not saved: it is lost when this tab closes. {error}"
            )
    _keep(subject, now._replace(is_saved=draft_id is not None))
    at = None if place.step == len(place.steps) else str(place.step)
    letter = place.letter if place.scenario else None
    address.show(steps=None if is_long else text, draft=draft_id, scenario=letter, at=at)


def with_steps(place: Place, after: int, steps: Sequence[Step]) -> Place:
    """Insert steps after step number `after`, and open the last inserted step."""
    return _with_steps(
        place, [*place.steps[:after], *steps, *place.steps[after:]], after + len(steps)
    )


def without_step(place: Place, number: int) -> Place:
    """Remove a step."""
    steps = [*place.steps[: number - 1], *place.steps[number:]]
    return _with_steps(place, steps, min(number, len(steps)))


def moved_step(place: Place, number: int, by: int) -> Place:
    """Move a step by `by` places, and open it. If there is no such place, change nothing."""
    to = number + by
    if not (1 <= number <= len(place.steps) and 1 <= to <= len(place.steps)):
        return place
    steps = list(place.steps)
    steps.insert(to - 1, steps.pop(number - 1))
    return _with_steps(place, steps, to)


def copied_step(place: Place, number: int) -> Place:
    """Insert a copy of a step directly after the step."""
    return with_steps(place, number, [place.steps[number - 1]])


def renamed_step(place: Place, number: int, name: str) -> Place:
    """Rename a step; an empty name removes its name."""
    return _with(
        place, number, msgspec.structs.replace(place.steps[number - 1], name=name.strip() or None)
    )


def with_edits(
    place: Place, number: int, edits: Sequence[Edit], instead_of: int | None = None
) -> Place:
    """Add edits at the end of a step, or in place of the edit number `instead_of`."""
    step = place.steps[number - 1]
    before, after = (
        (step.edits, [])
        if instead_of is None
        else (step.edits[:instead_of], step.edits[instead_of + 1 :])
    )
    return _with(place, number, msgspec.structs.replace(step, edits=[*before, *edits, *after]))


def without_edit(place: Place, number: int, edit: int) -> Place:
    """Remove an edit."""
    return with_edits(place, number, [], instead_of=edit)


def switched(place: Place, number: int, edit: int, off: bool) -> Place:
    """Switch an edit off or on."""
    return with_edits(
        place,
        number,
        [msgspec.structs.replace(place.steps[number - 1].edits[edit], off=off)],
        instead_of=edit,
    )


def copied_scenario(place: Place) -> Place:
    """Add a copy of the open scenario, and open the copy."""
    scenarios = [*place.draft.scenarios, NamedSteps(None, place.steps)]
    return place._replace(draft=Draft(scenarios), scenario=len(scenarios) - 1)


def renamed_scenario(place: Place, name: str) -> Place:
    """Rename the open scenario."""
    return _with_named(place, NamedSteps(name.strip() or None, place.steps))


def without_scenario(place: Place) -> Place:
    """Remove the open scenario. If there is no other scenario, make the open scenario empty."""
    left = [each for at, each in enumerate(place.draft.scenarios) if at != place.scenario] or [
        NamedSteps()
    ]
    shown = min(place.scenario, len(left) - 1)
    return Place(Draft(left), shown, len(left[shown].steps))


def _with(place: Place, number: int, step: Step) -> Place:
    return _with_steps(place, [*place.steps[: number - 1], step, *place.steps[number:]], number)


def _with_steps(place: Place, steps: list[Step], shown: int) -> Place:
    return _with_named(place, NamedSteps(place.named.name, steps))._replace(step=shown)


def _with_named(place: Place, named: NamedSteps) -> Place:
    scenarios = list(place.draft.scenarios)
    scenarios[place.scenario] = named
    return place._replace(draft=Draft(scenarios))
