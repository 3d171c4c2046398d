"""The scenarios that are edited in this session, and in the address while they are short; changes
of their lists of steps.

Steps count from 1, edits from 0.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import streamlit as st

from evenkeel.dashboard.shell import address
from evenkeel.dashboard.shell.loading.walks import draft_text, saved_draft
from evenkeel.dashboard.view import Opened
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
"""Characters: chat tools break longer addresses."""

_STEPS, _DRAFT, _SCENARIO, _AT = "steps", "draft", "scenario", "at"
_MOST_UNDONE = 100


class Kind(NamedTuple):
    """What can have scenarios. `key`: in the session. `read`, `write`: a draft's text. `edits`: by
    op; `edit_type`: any of them.
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
    opened: Opened


class Place(NamedTuple):
    """The scenarios, the shown one, counted from 0, and its shown step, 0 for the group as
    listed.
    """

    draft: Draft = EMPTY
    scenario: int = 0
    step: int = 0

    @property
    def named(self) -> NamedSteps:
        """The scenario that is shown."""
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
    """Where a person is, and the way there. `is_saved`: the scenarios are kept as a draft."""

    place: Place = Place()
    past: tuple[Place, ...] = ()
    future: tuple[Place, ...] = ()
    is_saved: bool = False


def current(subject: Subject) -> Editing:
    """Return the edited scenarios."""
    return st.session_state.get(subject.kind.key, {}).get(subject.opened.lasting, Editing())


def follow(subject: Subject) -> None:
    """Take the scenarios of the address before anything is drawn, then keep the address true to
    them.
    """
    steps, draft_id, letter, at = (address.take(key) for key in (_STEPS, _DRAFT, _SCENARIO, _AT))
    if steps or draft_id or letter or at or address.is_followed():
        try:
            text = steps or (draft_text(draft_id) if draft_id else None)
            draft = subject.kind.read(text) if text else EMPTY
        except SnapshotError as error:
            address.refuse(_STEPS, f"The address holds edits that cannot be read. {error}")
            draft = current(subject).place.draft
        _keep(subject, current(subject)._replace(place=_linked(draft, letter, at)))
    _write(subject)


def change(subject: Subject, place: Place) -> None:
    """Edit: the place before can be restored."""
    now = current(subject)
    _keep(subject, Editing(place, (*now.past, now.place)[-_MOST_UNDONE:]))
    address.chosen(_STEPS)


def look_at(subject: Subject, scenario: int | None = None, step: int | None = None) -> None:
    """Show another scenario or step."""
    now = current(subject)
    place = now.place if scenario is None else now.place._replace(scenario=scenario)
    last = len(place.steps)
    _keep(
        subject,
        now._replace(place=place._replace(step=min(place.step if step is None else step, last))),
    )


def show_tools(subject: Subject) -> None:
    """Draw whether the scenarios are kept, undo and redo."""
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
    """Return to before the last edit."""
    now = current(subject)
    if now.past:
        _keep(subject, Editing(now.past[-1], now.past[:-1], (now.place, *now.future)))


def redo(subject: Subject) -> None:
    """Do the last undone change again."""
    now = current(subject)
    if now.future:
        _keep(subject, Editing(now.future[0], (*now.past, now.place), now.future[1:]))


def show_refused() -> None:
    """Say why the address could not be read."""
    address.show_refused(_STEPS)


def _keep(subject: Subject, editing: Editing) -> None:
    st.session_state[subject.kind.key] = st.session_state.get(subject.kind.key, {}) | {
        subject.opened.lasting: editing
    }


def _linked(draft: Draft, letter: str | None, at: str | None) -> Place:
    """Return the place of an address, by default the last step of the first scenario."""
    letters = LETTERS[: len(draft.scenarios)]
    scenario = letters.index(letter) if letter and len(letter) == 1 and letter in letters else 0
    last = len(draft.scenarios[scenario].steps)
    shown = address.whole(at, MOST_STEPS)
    return Place(draft, scenario, last if shown is None else min(shown, last))


def _write(subject: Subject) -> None:
    """Put the shown place into the address. Scenarios too long for it are kept as a draft in the
    lake.
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
            address.refuse(_STEPS, f"The draft is not saved: it lasts as long as this tab. {error}")
    _keep(subject, now._replace(is_saved=draft_id is not None))
    at = None if place.step == len(place.steps) else str(place.step)
    letter = place.letter if place.scenario else None
    address.show(steps=None if is_long else text, draft=draft_id, scenario=letter, at=at)


def with_steps(place: Place, after: int, steps: Sequence[Step]) -> Place:
    """Put steps after another step, and show the last of them."""
    return _with_steps(
        place, [*place.steps[:after], *steps, *place.steps[after:]], after + len(steps)
    )


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
    """Give a step another name; an empty name removes it."""
    return _with(
        place, number, msgspec.structs.replace(place.steps[number - 1], name=name.strip() or None)
    )


def with_edits(
    place: Place, number: int, edits: Sequence[Edit], instead_of: int | None = None
) -> Place:
    """Put edits at the end of a step, or in place of one of its edits."""
    step = place.steps[number - 1]
    before, after = (
        (step.edits, [])
        if instead_of is None
        else (step.edits[:instead_of], step.edits[instead_of + 1 :])
    )
    return _with(place, number, msgspec.structs.replace(step, edits=[*before, *edits, *after]))


def without_edit(place: Place, number: int, edit: int) -> Place:
    """Take an edit out."""
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
    """Add a copy of the scenario that is shown, and show it."""
    scenarios = [*place.draft.scenarios, NamedSteps(None, place.steps)]
    return place._replace(draft=Draft(scenarios), scenario=len(scenarios) - 1)


def renamed_scenario(place: Place, name: str) -> Place:
    """Give the scenario that is shown another name."""
    return _with_named(place, NamedSteps(name.strip() or None, place.steps))


def without_scenario(place: Place) -> Place:
    """Take the scenario that is shown out; the only one becomes empty."""
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
