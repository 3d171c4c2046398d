"""Words about a step of a scenario: whether the group rests, which way a figure goes, the heading of its table."""

from typing import NamedTuple

from evenkeel.data.scenarios.run.step_figures import StepFigures
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED
from evenkeel.data.words.formats import count, exact

BETTER, WORSE = "better", "worse"


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


def tone_of(before: float | None, after: float | None, gain: float, before_is_least: bool = False, after_is_least: bool = False) -> str:
    """Return `better` for a lag that falls by `gain`, a part of 1, or more, `worse` for one that rises, empty where neither is sure.

    One lower bound may hide a fall or a rise; with two the change is that of the known parts.
    """
    if before is None or after is None or (before_is_least and not before):
        return ""
    if after < before:
        is_sure = before_is_least or not after_is_least
        return BETTER if is_sure and (before - after) / before >= gain else ""
    is_sure = after_is_least or not before_is_least
    return WORSE if is_sure and after > before else ""


def heading(step: int, name: str, figures: StepFigures | None) -> Said:
    """Return the title of a step's table and what stands beside it; the title alone where there are no figures."""
    if figures is None:
        return Said(f"{step} · {name}", "")
    if step == 0:
        return Said(f"0 · {AS_LISTED}", f"{count(figures.members_before, 'member')} · what each assignor would do now")
    members = f"{exact(figures.members_before)} → {count(figures.members, 'member')}"
    start = "the group as listed" if step == 1 else f"where its own step {step - 1} ended"
    return Said(f"{step} · {name}", f"{members} · each assignor starts from {start}")
