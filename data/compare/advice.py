"""Advice on a switch to another assignor, in `compare --json` and `replay`. Deprecated: only one
more release has the advice.

For a group as listed, the advice names the switch that the diagnosis recommends. After the steps of
a scenario, the advice names the switch with the largest gain.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.compare.comparison import Row
from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.assignors.diagnosis.offer import Offer, largest_gain
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.leaders import in_use
from evenkeel.data.scenarios.needs import BY_SETTING, Needs, answering_client, is_offered, needs_of
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.results import GroupResult
from evenkeel.data.scenarios.run.step_figures import titles_of
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED, Settings
from evenkeel.data.text.formats import counted, number, percentage


class Advice(NamedTuple):
    """Whether a switch is worth it, the new assignor, and the price: moves, pauses and rounds.

    `text`, `reason`: sentence and code of the diagnosis's first finding. After the steps of a
    scenario, `reason` is None. `gain`: the fraction of the worst member's lag that the switch
    removes; 0 without a switch, None if unknown.
    """

    text: str | None = None
    reason: str | None = None
    worth_it: bool | None = None
    assignor: str | None = None
    gain: float | None = None
    price: dict[str, Any] | None = None


def advice_of(
    diagnosis: Mapping[str, Any], rounds: Callable[[str], int | None] = lambda name: None
) -> Advice:
    """Return the advice for a group as listed.

    `diagnosis`: JSON document of the diagnosis. `rounds`: returns the number of rounds of a switch
    to the assignor with this name.
    """
    headline = diagnosis["findings"][0]
    advice = Advice(headline["text"], headline["code"], False, gain=0)
    if headline["code"] != Code.UNEVEN:
        return advice
    switch = next(remedy for remedy in diagnosis["remedies"] if remedy["action"] == "switch")
    if switch["helps"] == "no":
        return advice
    return advice._replace(
        worth_it=_WORTH_IT[switch["helps"]],
        assignor=switch["assignor"],
        gain=headline["figures"]["gain"],
        price=_price(switch["moves"], switch["paused"], rounds(switch["assignor"])),
    )


_WORTH_IT = {"yes": True, "unknown": None}


def _price(moved: int | None, paused: int | None, rounds: int | None) -> dict[str, Any]:
    return {"moved": moved, "paused": paused, "rounds": rounds, "needs_jar": False}


def advice_after(
    listed: ObservedGroup,
    settings: Settings,
    steps: Sequence[Mapping[str, StepAnswer]],
    gain: float,
) -> Advice:
    """Return the advice on a switch before the first step, judged by the lags after the last step.

    The advice is empty if the assignor in use is unknown, or if no step causes a rebalance.
    `steps`: answers by assignor name, first for the group as listed, then for each step. `gain`: a
    switch is worth it if it removes at least this fraction of the worst member's lag.
    """
    base = steps[-1].get(in_use(listed) or "")
    balance = base and base.balance
    has_rebalanced = any(
        answer.rounds != 0 for step in steps[1:] for answer in step.values() if answer.balance
    )
    if not balance or not has_rebalanced or balance.max_lag is None or balance.lag_is_partial:
        return Advice()
    worst = balance.max_lag
    best = largest_gain(list(_offers(listed, settings, steps)), worst)
    if best is None or worst - best.worst < gain * worst:
        least = (
            "After these steps, no other setting reduces the lag of the worst member by"
            f" {percentage(gain)}."
        )
        return Advice(least, worth_it=False, gain=0)
    moves = counted(best.moved, "move")
    lags = f"{number(best.worst)} instead of {number(worst)}"
    text = f"After these steps, the worst member has {lags} with {best.name}, for {moves} in all."
    answers = [step[best.name] for step in steps[1:]]
    paused, rounds = (
        None if None in each else sum(each)
        for each in zip(
            *((answer.paused_partitions, answer.rounds) for answer in answers), strict=True
        )
    )
    price = _price(best.moved, paused, rounds)
    return Advice(text, None, True, best.name, round(1 - best.worst / worst, 4), price)


def _offers(
    listed: ObservedGroup, settings: Settings, steps: Sequence[Mapping[str, StepAnswer]]
) -> Iterator[Offer]:
    for name, needs in by_setting(listed, settings, steps[-1]).items():
        balance = steps[-1][name].balance
        moved = [step[name].moved_partitions for step in steps[1:]]
        if balance is None or balance.max_lag is None or balance.lag_is_partial:
            continue
        if None not in moved and not steps[-1][name].never_ends:
            total = sum(number or 0 for number in moved)
            yield Offer(name, balance.max_lag, total, (list(Needs).index(needs), total))


def by_setting(
    observed: ObservedGroup, settings: Settings, names: Mapping[str, object]
) -> dict[str, Needs]:
    """Return the assignors in `names` that the group uses already (value `REBALANCE`), or can use
    after a change of settings (value `SETTING`).
    """
    client, used = answering_client(observed, settings), in_use(observed)
    needs = {
        name: needs_of(observed, name, client, used) for name in names if is_offered(observed, name)
    }
    return {name: need for name, need in needs.items() if need in BY_SETTING}


def first_choice(
    named: str | None,
    observed: ObservedGroup,
    settings: Settings,
    answers: Mapping[str, Row | StepAnswer],
) -> str | None:
    """Return the assignor to show first: `named`, else the assignor in use, else the assignor with
    the least lag.

    Left out: assignors without an answer, and assignors that need more than a change of settings.
    None if no assignor is left.
    """
    known = {
        name: answers[name]
        for name in by_setting(observed, settings, answers)
        if answers[name].balance is not None
    }
    for name in (named, in_use(observed)):
        if name in known:
            return name
    return min(known, key=lambda name: _load(known[name]), default=None)


def _load(answer: Row | StepAnswer) -> tuple:
    """Return a sort key: lag, idle members, partitions, moves, pauses."""
    balance = answer.balance
    assert balance
    lag = float("inf") if balance.max_lag is None else balance.max_lag
    moves = answer.moved_partitions
    # If owners are unknown, pauses are unknown too.
    pauses = moves is not None and not ASSIGNORS[answer.name].is_cooperative
    return lag, balance.idle_members or 0, balance.max_partitions or 0, moves or 0, pauses


class ResultAdvice(NamedTuple):
    """The advice after each step of a scenario.

    `diagnosis`: JSON document about the group as listed. `gain`: as in `advice_after`.
    """

    result: GroupResult
    diagnosis: Mapping[str, Any]
    gain: float

    def after(self, step: int) -> Advice:
        """Return the advice after a step."""
        answers, listed = self.result.steps, self.result.listed
        if step:
            settings = self.result.scenario.settings
            return advice_after(listed, settings, answers[: step + 1], self.gain)
        rows = answers[0]
        return advice_of(self.diagnosis, lambda name: rows[name].rounds if name in rows else None)

    def sentences(self, step: int) -> tuple[str, ...]:
        """Return the diagnosis's sentence and advice for step 0. For a later step, return the
        sentence about the gain of a switch, if the gain is known.
        """
        if not step:
            headline = self.diagnosis["findings"][0]
            return headline["text"], headline["advice"]
        text = self.after(step).text
        return (text,) if text else ()

    def first(self, step: int) -> str | None:
        """Return the first assignor to show after a step."""
        result, named = self.result, self.after(step).assignor
        return first_choice(named, result.listed, result.scenario.settings, result.steps[step])


def with_advice(
    lines: Sequence[Mapping[str, Any]],
    result: GroupResult,
    diagnosis: Mapping[str, Any],
    gain: float,
) -> list[dict[str, Any]]:
    """Return the JSON lines of a scenario's result, with the advice after each step added to the
    first line. The key `what` contains the title of the step.
    """
    head, *answers = map(dict, lines)
    advice = ResultAdvice(result, diagnosis, gain)
    steps = [
        {"step": step, "what": words, **advice.after(step)._asdict()}
        for step, words in enumerate([AS_LISTED, *titles_of(result)])
    ]
    return [{**head, "advice": steps}, *answers]
