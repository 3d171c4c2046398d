"""The figures of one step of a scenario, in the shape of a comparison."""

from evenkeel.assignors.explain.facts import NO_FACTS, facts_of
from evenkeel.assignors.figures.comparison import CURRENT, Row, row_of
from evenkeel.assignors.group.lag import page_lag
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.commands.printing.figures import Figures, figures_of, told_of
from evenkeel.data.scenarios.leaders import Made, client_of, in_use, led_by
from evenkeel.data.scenarios.run.group_step import StepAnswer, remembering, with_settings
from evenkeel.data.scenarios.run.walk import Result


def step_comparison(result: Result, step: int, assignors: dict[str, Made]) -> tuple[ObservedGroup, list[Figures]]:
    """Return the group before a step, and the figures: before the step, then after it by each assignor.

    Before a later step than the first, the group is where the assignor in use left it; unknown where that is not among those asked.
    """
    answers = result.steps[step]
    in_use_name = in_use(result.listed)
    before = result.listed if step <= 1 else _start(answers.get(in_use_name or ""))
    shown = before or next((answer.start for answer in answers.values() if answer.start), result.listed)
    return shown, [_current(shown, before is not None), *(_after(result, answer, assignors) for answer in answers.values())]


def _start(answer: StepAnswer | None) -> ObservedGroup | None:
    return answer and answer.start


def _current(group: ObservedGroup, is_known: bool) -> Figures:
    if not is_known or group.current is None:
        return figures_of(group, Row(CURRENT), None, None)
    lag = page_lag(group.snapshot)
    return figures_of(group, row_of(group.snapshot, lag, group.current, CURRENT, group.current), None, None)


def _after(result: Result, answer: StepAnswer, assignors: dict[str, Made]) -> Figures:
    made = assignors[answer.name]
    if not answer.rebalances:
        return figures_of(result.listed, answer.row, None, made)
    first = answer.rebalances[0]
    facts = NO_FACTS
    if first.at_rest:
        settings = result.scenario.settings
        led = led_by(client_of(result.listed.leader, settings.client), {answer.name: made})[answer.name]
        assignor = remembering(with_settings(led, settings), answer.start)
        row = Row(answer.name, first.at_rest.answer)
        facts = facts_of(first.joined.snapshot, first.joined.current, assignor, row, "members" not in first.joined.assumed)
    way = told_of(answer.row, facts)
    seen = answer.told._replace(is_settled=way.is_settled, is_endless=way.is_endless)
    found = figures_of(first.joined, answer.row, facts, made, seen)
    return found._replace(row=found.row | {"never_ends": answer.never_ends})
