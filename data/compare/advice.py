"""The advice on a group, as pages, commands, shares and programs give it: what to do, in words and
as JSON.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors import ASSIGNORS, CLIENTS, JAVA
from evenkeel.assignors.compare.advice import (
    AT_ONCE,
    GAIN,
    Advice,
    Needs,
    Option,
    Price,
    Reason,
    Situation,
    Time,
    advice,
    first_choice,
)
from evenkeel.assignors.compare.balance import balance
from evenkeel.assignors.compare.comparison import CURRENT, Comparison, Row
from evenkeel.assignors.compare.facts import NO_FACTS, Facts
from evenkeel.assignors.compare.figure import Bounds
from evenkeel.assignors.group.lag import page_lag
from evenkeel.assignors.protocol import CLASSIC, CONSUMER
from evenkeel.data.compare.words import Sentences, advice_words
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.client_words import client_package, rolling_restarts
from evenkeel.data.scenarios.drains import GroupDrain, is_later
from evenkeel.data.scenarios.leaders import client_of, in_use
from evenkeel.data.scenarios.run.group_step import StepAnswer, listed_answer
from evenkeel.data.scenarios.run.step_drains import StepDrain, current_drain_of
from evenkeel.data.scenarios.run.step_figures import titles_of
from evenkeel.data.scenarios.run.walk import Result
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED, Settings

_WORDS = {"topic_id": "topic ids", "lag": "lags"}
"""Columns of a snapshot in words."""

Drains = Mapping[str, GroupDrain]


class Advised(NamedTuple):
    """An advice and its sentences, and the answers that it weighs. `first`: the one to look at
    first, None where there is none.
    """

    advice: Advice
    words: Sentences
    options: Sequence[Option]
    first: str | None

    @property
    def gain(self) -> Bounds | None:
        """Between which parts of 1 the gain of the named assignor lies, 0 where none gains; None
        where nothing of it is known.
        """
        offer, is_unknown = self.advice.offer, self.advice.reason == Reason.UNKNOWN
        if offer is None or not isfinite(offer.gain.most):
            return None if is_unknown else Bounds(0.0, 0.0)
        return Bounds(offer.gain.least, offer.gain.most)

    def document(self) -> dict[str, Any]:
        """Return it as `compare --json` has it; null is unknown."""
        offer, bounds = self.advice.offer, self.gain
        is_price = offer is not None and offer.option.price.moved is not None
        return {
            "worth_it": self.advice.worth_it,
            "assignor": offer and offer.name,
            "reason": self.advice.reason.value,
            "gain": round(bounds.low, 4)
            if bounds and (bounds.low == bounds.high or self.advice.worth_it)
            else None,
            "price": _price_document(offer.option) if is_price else None,
            "text": self.words.text,
        }


def advised(
    observed: ObservedGroup,
    comparison: Comparison,
    facts: Mapping[str, Facts],
    drains: Drains | None = None,
    client: str = JAVA,
    gain: float = GAIN,
) -> Advised:
    """Return the advice on a group as it is.

    Parameters
    ----------
    drains : mapping of str to GroupDrain, optional
        When the group drains under each answer and, as `current`, under its owners; None without a
        history.
    client : str
        The one that leads; a broker's group has Java's.
    gain : float
        The least part of 1 that is worth a switch.
    """
    times = drains or {}
    current, *rows = comparison.rows
    now = Situation(
        observed.snapshot,
        comparison.lag,
        observed.current,
        current.balance,
        _time(times.get(CURRENT), None),
        observed.group_type,
    )
    options = list(_options(observed, rows, facts, times, client))
    return _said(advice(now, options, gain), observed, options, client)


def step_advice(
    result: Result, step: int, gain: float = GAIN, now: StepDrain | None = None
) -> Advised:
    """Return the advice after a step of a result; `now`: when the group drains while its owners
    stay, for step 0.
    """
    times = result.drains[step] if result.drains else {}
    return advice_after(
        result.listed, result.scenario.settings, result.steps[: step + 1], times, gain, now
    )


def advice_after(
    listed: ObservedGroup,
    settings: Settings,
    steps: Sequence[Mapping[str, StepAnswer]],
    times: Mapping[str, StepDrain],
    gain: float = GAIN,
    now: StepDrain | None = None,
) -> Advised:
    """Return the advice after the last of some steps: what a switch before them gains against the
    assignor in use, and costs in all.

    Where no step has caused a rebalance, it is what the next one would give. `steps`: the answers
    by name, to the group as listed first. `times`: when each answer is drained, empty without a
    history.
    """
    client = answering_client(listed, settings)
    has_rebalanced = any(
        one.rounds != 0 for some in steps[1:] for one in some.values() if one.balance
    )
    if len(steps) > 1 and not has_rebalanced:
        return _advice_on_next_rebalance(listed, client, steps, times, gain)
    return _advice_on_steps(listed, client, steps, times, gain, now)


def _advice_on_steps(
    listed: ObservedGroup,
    client: str,
    steps: Sequence[Mapping[str, StepAnswer]],
    times: Mapping[str, StepDrain],
    gain: float,
    now: StepDrain | None,
) -> Advised:
    """Return what each answer to the steps leaves the group with, against that of the assignor in
    use, or the group as listed.
    """
    step, answers, used = len(steps) - 1, steps[-1], in_use(listed)
    base, time_now = (
        (answers.get(used or ""), times.get(used or "")) if step else (listed_answer(listed), now)
    )
    situation = _situation(listed, answers, base, time_now, step)
    given = {name: one for name, one in _reached(answers).items() if not step or name != used}
    options = [
        option._replace(keeps_all=_is_same(answer, base) if step else answer.row.keeps_all)
        for answer, option in _options_after(
            listed, client, given, steps[1:] or steps, times, time_now
        )
    ]
    return _said(advice(situation, options, gain), listed, options, client)


def _advice_on_next_rebalance(
    listed: ObservedGroup,
    client: str,
    steps: Sequence[Mapping[str, StepAnswer]],
    times: Mapping[str, StepDrain],
    gain: float,
) -> Advised:
    """Return what the next rebalance would give after steps that caused none: answers to the group
    as listed, with the lag of now.
    """
    answers, used = steps[-1], in_use(listed)
    base, time_now = answers.get(used or "") or next(iter(answers.values())), times.get(used or "")
    situation = _situation(listed, answers, base, time_now, 0)
    given = _of_lag_now(_reached(steps[0]), situation)
    options = [
        option._replace(keeps_all=_is_same(answer, base))
        for answer, option in _options_after(listed, client, given, steps[:1], {}, time_now)
    ]
    return _said(advice(situation, options, gain), listed, options, client)


def _situation(
    listed: ObservedGroup,
    answers: Mapping[str, StepAnswer],
    base: StepAnswer | None,
    now: StepDrain | None,
    step: int,
) -> Situation:
    group = (base and base.group) or next(
        (answer.group for answer in answers.values() if answer.group), listed
    )
    lag, drains = page_lag(group.snapshot), _time(now and now.drain, None)
    return Situation(
        group.snapshot,
        lag,
        base and base.assignment,
        base and base.balance,
        drains,
        listed.group_type,
        step=step,
    )


def _reached(answers: Mapping[str, StepAnswer]) -> dict[str, StepAnswer]:
    return {
        name: one for name, one in answers.items() if one.balance is not None and not one.never_ends
    }


def _options_after(
    listed: ObservedGroup,
    client: str,
    given: Mapping[str, Row | StepAnswer],
    counted: Sequence[Mapping[str, StepAnswer]],
    times: Mapping[str, StepDrain],
    now: StepDrain | None,
) -> Iterator[tuple[Row | StepAnswer, Option]]:
    """Yield the answers that advice may name; `counted`: the steps whose moves and pauses are the
    price.
    """
    for name, answer in given.items():
        if is_offered(listed, name):
            price, found = _price([one[name] for one in counted if name in one]), times.get(name)
            time, time_now = found and found.drain, now and now.drain
            yield (
                answer,
                _option(listed, answer, price, time, time_now, client, NO_FACTS, in_use(listed)),
            )


def _of_lag_now(answers: Mapping[str, StepAnswer], now: Situation) -> dict[str, Row]:
    """Return answers to the group as listed with the lag of now, without those that would be others
    by now: they look at the lag.
    """
    return {
        name: Row(name, one.assignment, balance(now.group, one.assignment, now.lag))
        for name, one in answers.items()
        if not (name in ASSIGNORS and ASSIGNORS[name].uses_lag)
    }


def with_advice(
    lines: Sequence[Mapping[str, Any]], result: Result, gain: float = GAIN
) -> list[dict[str, Any]]:
    """Return the lines of a result, the first one with the advice of every step, the group as
    listed first.

    `what`: what happens in the step, in words. It names members and topics: what is frozen keeps
    none, and whoever opens it gets it with the names that are kept.
    """
    head, *answers = lines
    now = current_drain_of(head)
    what = [AS_LISTED, *titles_of(result)]
    steps = [
        {"step": step, "what": words, **step_advice(result, step, gain, now).document()}
        for step, words in enumerate(what)
    ]
    return [{**head, "advice": steps}, *answers]


def answering_client(observed: ObservedGroup, settings: Settings) -> str:
    """Return the client whose code answers; a broker's group has Java's."""
    return client_of(observed.leader, settings.client) if observed.is_classic else JAVA


def _said(
    found: Advice, observed: ObservedGroup, options: Sequence[Option], client: str
) -> Advised:
    return Advised(
        found,
        advice_words(found, client, observed.may_have_members),
        options,
        first_choice(found, in_use(observed), options),
    )


def _options(
    observed: ObservedGroup,
    rows: Sequence[Row],
    facts: Mapping[str, Facts],
    times: Drains,
    client: str,
) -> Iterator[Option]:
    """Yield the answers that the group reaches."""
    used = in_use(observed)
    for row in rows:
        known = facts.get(row.name, NO_FACTS)
        if (
            row.balance is None
            or known.later_error
            or (known.switch and known.switch.is_endless)
            or not is_offered(observed, row.name)
        ):
            continue
        switch = known.switch
        paused, rounds = (switch.paused_count, switch.round_count) if switch else (None, None)
        price = Price(row.moved_partitions, row.moved_lag, paused, rounds)
        yield _option(
            observed, row, price, times.get(row.name), times.get(CURRENT), client, known, used
        )


def _option(
    observed: ObservedGroup,
    row: Row | StepAnswer,
    price: Price,
    time: GroupDrain | None,
    now: GroupDrain | None,
    client: str,
    facts: Facts,
    used: str | None,
) -> Option:
    return Option(
        row.name,
        row.balance,
        price._replace(restarts=restarts_of(observed, row.name, client, used)),
        needs_of(observed, row.name, client, used),
        isinstance(row, Row) and row.keeps_all,
        _time(time, now),
        _unknown(row, facts),
    )


def _unknown(row: Row | StepAnswer, facts: Facts) -> tuple[str, ...]:
    """Return the unknown inputs that the answer depends on."""
    return (*facts.unknown, *(_WORDS.get(one.column, one.column) for one in row.assignment.assumed))


def _is_same(answer: Row | StepAnswer, base: StepAnswer | None) -> bool:
    """Tell whether two assignors end a step with the same owners; what each moved in it has each
    its own begin.
    """
    return (
        base is not None
        and base.assignment is not None
        and np.array_equal(answer.assignment.owner, base.assignment.owner)
    )


def _price(answers: Sequence[StepAnswer]) -> Price:
    """Return what one assignor's answers to all steps cost together, None where one of them is
    unknown.
    """
    costs = zip(
        *(
            (one.moved_partitions, one.moved_lag, one.paused_partitions, one.rounds)
            for one in answers
        ),
        strict=True,
    )
    return Price(*(None if None in cost else sum(cost) for cost in costs))


def is_offered(observed: ObservedGroup, name: str) -> bool:
    """Tell whether advice may name it: no group is sent from the consumer protocol back to the
    classic one, or to a jar on brokers.
    """
    if name in ASSIGNORS and ASSIGNORS[name].serves_own_type_only and name != in_use(observed):
        return False
    return observed.group_type != CONSUMER or (
        name in ASSIGNORS and ASSIGNORS[name].group_type == CONSUMER
    )


def needs_of(observed: ObservedGroup, name: str, client: str, used: str | None) -> Needs:
    """Return what the group needs before it has an assignor; `used`: the one in use, by name."""
    if name == used:
        return Needs.REBALANCE
    assignor = ASSIGNORS.get(name)
    if assignor is None or not assignor.is_in_kafka:
        if assignor is not None and client_package(client, assignor):
            return Needs.PACKAGE
        return Needs.JAR if client == JAVA else Needs.CLIENT
    if assignor.group_type == (observed.group_type or CLASSIC):
        return Needs.SETTING
    return Needs.PROTOCOL if CLIENTS[client].consumer_protocol else Needs.CLIENT


def restarts_of(observed: ObservedGroup, name: str, client: str, used: str | None) -> float | None:
    """Return the restarts of a switch; None for a client whose way of switching is unknown, or
    depends on an unknown assignor in use.
    """
    assignor = ASSIGNORS.get(name)
    if name == used:
        return 0
    is_open = (
        client != JAVA
        and used not in ASSIGNORS
        and assignor is not None
        and assignor.group_type == CLASSIC
    )
    if CLIENTS[client].settings is None or assignor is None or is_open:
        return None
    number = rolling_restarts(client, assignor, ASSIGNORS.get(used or ""), observed.group_type)
    return AT_ONCE if number is None else number


def _time(found: GroupDrain | None, now: GroupDrain | None) -> Time | None:
    if found is None:
        return None
    return Time(
        float(found.band.middle),
        float(found.missing),
        is_sooner=now is not None and is_later(now, found) and isfinite(found.band.middle),
        is_later=now is not None and not now.is_never and is_later(found, now),
        stuck=found.endless.stuck,
    )


def _price_document(option: Option) -> dict[str, Any]:
    price = option.price
    return {
        "moved": price.moved,
        "paused": price.paused,
        "rounds": price.rounds,
        "needs_jar": option.needs == Needs.JAR,
    }
