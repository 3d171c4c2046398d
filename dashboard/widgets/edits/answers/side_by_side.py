"""All scenarios beside what the group has now, under one candidate."""

from evenkeel.dashboard.loading.scenarios.walks import walked
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.parts import address, linked_choice
from evenkeel.dashboard.widgets.scope import gain
from evenkeel.dashboard.widgets.steps import scenarios
from evenkeel.dashboard.widgets.steps.editing import state
from evenkeel.data.words.formats import count
from evenkeel.data.words.names import elided

_KEY, _SHOW = "what-if-show", "show"
_STEPS, _SIDE = "steps", "side"


def is_chosen(place: state.Place) -> bool:
    """Draw the choice where there are several scenarios; tell whether they stand side by side."""
    if len(place.draft.scenarios) < 2:
        return False
    words = {_STEPS: f"Steps of {place.letter}", _SIDE: "Side by side"}
    address.follow(_SHOW, list(words), _STEPS, "view", _KEY)
    chosen = linked_choice.show("View", words, _KEY, _SHOW)
    address.show(show=None if chosen == _STEPS else chosen)
    return chosen == _SIDE


def show(group: Opened, place: state.Place, candidate: str, used: str | None) -> None:
    """Draw every scenario after its last step; a scenario whose edit is refused ends before it."""
    titles = [f"{letter} · {elided(named.name or count(len(named.steps), 'step'), 24)}" for letter, named in place.by_letter]
    answers = [walked(group, named.steps, candidate).answers for named in place.draft.scenarios]
    scenarios.show(list(zip(titles, answers, strict=True)), used, gain.asked())
