"""Words about a step of a scenario: whether the group rests, which way a figure goes, the heading of its table."""

import re
from typing import NamedTuple

from assignors.explain.advice import GAIN
from data.scenarios.run.step_figures import StepFigures
from data.scenarios.scenario.scenario import AS_LISTED
from data.words.formats import MINUS, count, exact

BETTER, WORSE = "better", "worse"
_SURE_FALL, _SURE_RISE = ("", "≤ ", "≈ ", "< "), ("", "≥ ", "≈ ")
_DIGITS = re.compile(r"[^0-9]")


class Said(NamedTuple):
    """A short text and its explanation, both empty if there is nothing to say."""

    text: str
    title: str


def rest(step: StepFigures) -> Said:
    """Say that a group does not come to rest."""
    if step.never_ends:
        return Said("never rests", "the rounds never end: members rejoin after every one of them")
    if step.never_ends is None and step.rebalances:
        return Said("not at rest", "the group does not rest within the rounds that are looked at")
    return Said("", "")


def tone_of(change: str) -> str:
    """Return `better` or `worse` for the text of a change of lag, empty if it may go either way, or is too small a fall to be worth it."""
    if change.startswith(tuple(f"{sign}{MINUS}" for sign in _SURE_FALL)):
        return BETTER if int(_DIGITS.sub("", change)) >= 100 * GAIN else ""
    return WORSE if change.startswith(("from 0", *(f"{sign}+" for sign in _SURE_RISE))) else ""


def heading(step: int, name: str, figures: StepFigures | None) -> Said:
    """Return the title of a step's table and what stands beside it; the title alone where there are no figures."""
    if figures is None:
        return Said(f"{step} · {name}", "")
    if step == 0:
        return Said(f"0 · {AS_LISTED}", f"{count(figures.members_before, 'member')} · what each assignor would do now")
    members = f"{exact(figures.members_before)} → {count(figures.members, 'member')}"
    start = "the group as listed" if step == 1 else f"where its own step {step - 1} ended"
    return Said(f"{step} · {name}", f"{members} · each assignor starts from {start}")
