"""The scenarios of the open group in this session, and in the address while they are short."""

from typing import NamedTuple

import streamlit as st

from evenkeel.dashboard.loading.scenarios import drafts
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.parts import address
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.scenario.draft import EMPTY, Draft, Named, draft_of, text_of
from evenkeel.data.scenarios.scenario.scenario import MOST_STEPS, Step

LETTERS = "ABCD"
MOST_IN_ADDRESS = 1_500
"""Characters: chat tools break longer addresses."""

_KEY, _STEPS, _DRAFT, _SCENARIO, _AT = "what-if", "steps", "draft", "scenario", "at"
_MOST_UNDONE = 100


class Place(NamedTuple):
    """The scenarios, the one that is shown, counted from 0, and its step that is shown, 0 for the group as listed."""

    draft: Draft = EMPTY
    scenario: int = 0
    step: int = 0

    @property
    def named(self) -> Named:
        """The scenario that is shown."""
        return self.draft.scenarios[self.scenario]

    @property
    def steps(self) -> list[Step]:
        return self.named.steps

    @property
    def letter(self) -> str:
        return LETTERS[self.scenario]

    @property
    def by_letter(self) -> list[tuple[str, Named]]:
        return list(zip(LETTERS, self.draft.scenarios, strict=False))


class Editing(NamedTuple):
    """Where a person is, and the way there. `is_saved`: the scenarios are kept as a draft."""

    place: Place = Place()
    past: tuple[Place, ...] = ()
    future: tuple[Place, ...] = ()
    is_saved: bool = False


def current(group: Opened) -> Editing:
    """Return what is being edited of a group."""
    return st.session_state.get(_KEY, {}).get(group.lasting, Editing())


def follow(group: Opened) -> None:
    """Take the scenarios of the address before anything is drawn, then keep the address true to them."""
    steps, draft_id, letter, at = (address.take(key) for key in (_STEPS, _DRAFT, _SCENARIO, _AT))
    if steps or draft_id or letter or at or address.is_followed():
        try:
            found = draft_of(steps) if steps else drafts.draft(draft_id) if draft_id else EMPTY
        except SnapshotError as error:
            address.refuse(_STEPS, f"The address holds edits that cannot be read. {error}")
            found = current(group).place.draft
        _keep(group, current(group)._replace(place=_linked(found, letter, at)))
    _write(group)


def change(group: Opened, place: Place) -> None:
    """Edit: what was before can be had again."""
    now = current(group)
    _keep(group, Editing(place, (*now.past, now.place)[-_MOST_UNDONE:]))
    address.chosen(_STEPS)


def look_at(group: Opened, scenario: int | None = None, step: int | None = None) -> None:
    """Show another scenario or step."""
    now = current(group)
    place = now.place if scenario is None else now.place._replace(scenario=scenario)
    last = len(place.steps)
    _keep(group, now._replace(place=place._replace(step=min(place.step if step is None else step, last))))


def undo(group: Opened) -> None:
    """Return to before the last edit."""
    now = current(group)
    if now.past:
        _keep(group, Editing(now.past[-1], now.past[:-1], (now.place, *now.future)))


def redo(group: Opened) -> None:
    """Do again what was undone last."""
    now = current(group)
    if now.future:
        _keep(group, Editing(now.future[0], (*now.past, now.place), now.future[1:]))


def show_refused() -> None:
    """Say why the address could not be read."""
    address.show_refused(_STEPS)


def _keep(group: Opened, editing: Editing) -> None:
    st.session_state[_KEY] = st.session_state.get(_KEY, {}) | {group.lasting: editing}


def _linked(draft: Draft, letter: str | None, at: str | None) -> Place:
    """Return the place that an address names, the last step of the first scenario where it names none that is there."""
    letters = LETTERS[: len(draft.scenarios)]
    scenario = letters.index(letter) if letter and len(letter) == 1 and letter in letters else 0
    last = len(draft.scenarios[scenario].steps)
    shown = address.whole(at, MOST_STEPS)
    return Place(draft, scenario, last if shown is None else min(shown, last))


def _write(group: Opened) -> None:
    """Say in the address what is shown. Scenarios too long for it are kept as a draft beside the lake."""
    now = current(group)
    place = now.place
    text = None if place.draft == EMPTY else text_of(place.draft)
    is_long, draft_id = text is not None and len(text) > MOST_IN_ADDRESS, None
    if is_long:
        try:
            draft_id = drafts.saved(place.draft)
        except SnapshotError as error:
            address.refuse(_STEPS, f"The draft is not saved: it lasts as long as this tab. {error}")
    _keep(group, now._replace(is_saved=draft_id is not None))
    at = None if place.step == len(place.steps) else str(place.step)
    letter = place.letter if place.scenario else None
    address.show(steps=None if is_long else text, draft=draft_id, scenario=letter, at=at)
