"""What a step does to the candidate, what an edit does by itself, and what the switch to the candidate does, each in one line."""

from evenkeel.dashboard.loading.scenarios.alone import alone
from evenkeel.dashboard.loading.scenarios.walks import walked
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.edits.runs import Run
from evenkeel.data.scenarios.run.step import StepAnswer
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.words.formats import compact_sum, count


def of_group(answer: StepAnswer) -> str:
    """`10 members · 100 partitions · worst 221 k`."""
    group = answer.group or answer.start
    return f"{count(group.member_count, 'member')} · {count(group.partition_count, 'partition')} · worst {_worst(answer)}"


def of_step(before: StepAnswer, after: StepAnswer) -> str:
    """`worst 221 k → 160 k · 1 rebalance, 87 moves`; a step that causes no rebalance moves nothing."""
    if after.error or not after.rebalances:
        return "no answer"
    never = " · never rests" if after.never_ends else ""
    return f"worst {_worst(before)} → {_worst(after)} · {_rebalances(after)}{never}"


def _rebalances(after: StepAnswer) -> str:
    number = sum(each.at_rest is not None for each in after.rebalances)
    if not number:
        return "no rebalance"
    said = f"{count(number, 'rebalance')}, {count(after.moved_partitions, 'move')}"
    if number > 1 and after.moves is not None and after.moved_partitions != after.moves.moved_count:
        return f"{said} on the way, {count(after.moves.moved_count, 'partition')} changed owner in the end"
    return said


def of_switch(group: Opened, run: Run) -> str:
    """`switch to lag: worst 160 k → 110 k · 1 rebalance, 1 move`; empty where the candidate is in use, or it is unknown which is."""
    if run.used in (None, run.candidate):
        return ""
    walk = walked(group, [Step()], run.candidate)
    return f"switch to {run.candidate} alone: {of_step(*walk.answers)}" if len(walk.answers) == 2 and not walk.answers[1].error else ""


def of_edit(group: Opened, run: Run, number: int, place: int) -> str:
    """Say what one edit of a step does with the assignor in use, without the switch to the candidate: `alone: 87 moves, worst 160 k`."""
    edit = run.steps[number - 1].edits[place]
    walk = alone(group, run.steps, number, place, run.used or run.candidate)
    words = "off · would be: " if edit.off else "alone: "
    if walk.refused:
        return "off · not possible" if edit.off else "alone: not possible, it needs an edit before it"
    before, after = walk.answers[-2:]
    if after.error or not after.rebalances:
        return f"{words}no answer"
    if all(each.at_rest is None for each in after.rebalances):
        return f"{words}no rebalance, worst {_change(before, after)}"
    return f"{words}{count(after.moved_partitions, 'move')}, worst {_change(before, after)}"


def _change(before: StepAnswer, after: StepAnswer) -> str:
    unchanged = before.balance and before.balance.max_lag is not None and before.balance.max_lag == after.balance.max_lag
    return "unchanged" if unchanged else _worst(after)


def _worst(answer: StepAnswer) -> str:
    balance = answer.balance
    return compact_sum(balance and balance.max_lag, bool(balance and balance.lag_is_partial))
