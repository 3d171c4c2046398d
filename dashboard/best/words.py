"""Words of Best: the aims, and the first sentence."""

from collections.abc import Sequence
from math import inf, isfinite
from typing import NamedTuple

from evenkeel.data.best.words import in_words, value_text
from evenkeel.data.text.formats import NARROW, counted, listed, upper_percent

AIMS = {"rate": "even rate", "lag": "even lag now", "drain": "drained soonest"}
"""Name of each objective."""

HELP = (
    "Even rate: the busiest member gets as few records per second as possible, for a"
    " group that keeps up. Even lag now: the worst member has as little lag as possible,"
    " for a backlog that does not grow. Drained soonest: the last member has read"
    " everything as early as possible, including records that arrive meanwhile. Rate and"
    " drain need a history of the group."
)


class Basis(NamedTuple):
    """Figures of the first sentence.

    `hot`: name of the partition that alone sets the bound, else empty. `others`: assignors, with
    their moves and values.
    """

    objective: str
    now: float | None
    value: float
    bound: float
    is_proved: bool
    moves: int
    allowed: int | None
    hot: str = ""
    others: Sequence[tuple[str, int, float]] = ()


def sentence(seen: Basis) -> tuple[str, str]:
    """Return the sentence on the best plan, and a sentence on its effect."""
    if seen.now is None:
        return (
            "The current owners are unknown.",
            (
                " The best assignment gives the worst member"
                f" {value_text(seen.objective, seen.value)}."
            ),
        )
    if not isfinite(seen.value):
        return "No plan drains this group.", _hot_never(seen)
    now, then = value_text(seen.objective, seen.now), value_text(seen.objective, seen.value)
    if seen.value >= seen.now * (1 - 1e-6):
        return _nothing(seen, now)
    if now == then:
        if not seen.bound or value_text(seen.objective, seen.bound) != now:
            return _nothing(seen, now)
        within = _within(seen)
        most = upper_percent(1 - seen.bound / seen.now)
        return f"No plan{within} lowers the worst member's {now} by more than {most}.", ""
    if seen.hot and seen.is_proved:
        lead = f"Nothing gets below {then}: {seen.hot} alone is {then}."
        return (
            lead,
            f" {_moves(seen.moves)} lower{'s' * (seen.moves == 1)} the worst member from"
            f" {now} to this value.",
        )
    beside = _beside(seen)
    if seen.objective == "drain":
        lead = (
            f"With {counted(seen.moves, 'move')}, the group drains in {then} instead of"
            f" {now}{_proof(seen)}."
        )
        return lead, beside and f" In comparison, {beside}."
    lead = f"{_moves(seen.moves)} {_fall(seen)}{_proof(seen)}."
    return lead, f" The worst member falls from {now} to {then}{beside and f'; {beside}'}."


def as_if_reading(names: Sequence[str]) -> str:
    """Return the sentence on members that read nothing now: the plan assumes that these members can
    read. Empty if there are none.
    """
    return f" This assumes that {listed(names)} can read like the other members." if names else ""


def _hot_never(seen: Basis) -> str:
    return (
        f" More records arrive in {seen.hot} than the fastest member reads."
        if seen.hot
        else " More records arrive than all members read."
    )


def _nothing(seen: Basis, now: str) -> tuple[str, str]:
    if seen.hot:
        return f"No plan lowers the worst member: {seen.hot} alone is {now}.", ""
    if seen.is_proved:
        if seen.allowed == 0:
            return f"Without moves the worst member keeps its {now}.", ""
        return f"No plan{_within(seen)} gives the worst member less than its {now}.", ""
    return (
        "No better plan was found.",
        f" A better plan is at most {upper_percent(seen.value / seen.bound - 1)} lower."
        if seen.bound
        else "",
    )


def _within(seen: Basis) -> str:
    return f" with {counted(seen.allowed, 'move')}" if seen.allowed is not None else ""


def _moves(number: int) -> str:
    return "No move" if number == 0 else counted(number, "move")


def _fall(seen: Basis) -> str:
    end = "s" * (seen.moves == 1)
    part = 1 - seen.value / seen.now
    if 0.48 <= part < 0.52:
        return f"halve{end} the worst member"
    return f"lower{end} the worst member by {max(round(100 * part), 1)}{NARROW}%"


def _proof(seen: Basis) -> str:
    if seen.is_proved:
        return f", and no plan{_within(seen)} does better"
    return f", {in_words(seen.value, seen.bound, False)}" if seen.bound > 0 else ""


def _beside(seen: Basis) -> str:
    """Return a clause on the best assignor with at most as many moves as the plan. If there is no
    such assignor, return a clause on the best of all assignors.
    """
    alike = [
        other for other in seen.others if 0 < other[1] <= seen.moves and seen.value < other[2] < inf
    ]
    if alike:
        value = min(value for _, _, value in alike)
        names = [name for name, _, reached in alike if reached == value][:2]
        return (
            f"{listed(names)} with as few moves reach{'es' * (len(names) == 1)}"
            f" {value_text(seen.objective, value)}"
        )
    least = min(seen.others, key=lambda other: other[2], default=None)
    if least and seen.value < least[2] < inf:
        return (
            f"the best assignor, {least[0]}, reaches {value_text(seen.objective, least[2])} with"
            f" {counted(least[1], 'move')}"
        )
    return ""


def size_sentence(
    objective: str,
    useful: tuple[int | None, int | None],
    within: tuple[int | None, int | None] | None,
    limit: float | None,
    floor_text: str,
    now: int,
) -> tuple[str, str]:
    """Return the sentence on how many members suffice, and the effect of more members."""
    enough, most = (bounds[1] if bounds else None for bounds in (within, useful))
    if most is None:
        return (
            "More members do not drain the group:",
            " more records arrive in the largest partition than a member reads.",
        )
    parts = []
    if limit is not None:
        text = value_text(objective, limit)
        parts.append(
            f"{counted(enough, 'member')} reach{'es' * (enough == 1)} {text}"
            if enough
            else f"No number of members reaches {text}"
        )
    parts.append(f"{_between(useful)} reach{'es' * (most == 1)} the floor of {floor_text}")
    others = (
        f" The other {now - most} of {now} members do not lower this floor until the largest"
        " partition is split, but they may be needed to read."
    )
    return f"{', '.join(parts)}.", others if now > most else ""


def _between(bounds: tuple[int | None, int | None]) -> str:
    low, high = bounds
    return (
        counted(high, "member")
        if low == high or low is None
        else f"between {low} and {high} members"
    )
