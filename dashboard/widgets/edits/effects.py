"""What a step or an edit does to the candidate, in one line."""


from dashboard.loading.scenarios.alone import alone
from dashboard.view import Opened
from dashboard.widgets.edits.runs import Run
from data.scenarios.run.step import StepAnswer
from data.words.formats import compact_sum, count


def of_group(answer: StepAnswer) -> str:
    """`10 members · 100 partitions · worst 221 k`."""
    group = answer.group or answer.start
    return f"{count(group.member_count, 'member')} · {count(group.partition_count, 'partition')} · worst {_worst(answer)}"


def of_step(before: StepAnswer, after: StepAnswer) -> str:
    """`worst 221 k → 160 k · 87 moves`; several rebalances are counted."""
    if after.error or not after.rebalances:
        return "no answer"
    rounds = f" in {count(len(after.rebalances), 'rebalance')}" if len(after.rebalances) > 1 else ""
    never = " · never rests" if after.never_ends else ""
    return f"worst {_worst(before)} → {_worst(after)} · {count(after.moved_partitions, 'move')}{rounds}{never}"


def of_edit(group: Opened, run: Run, number: int, place: int) -> str:
    """Say what one edit of a step does alone: `alone: 87 moves, worst 160 k`."""
    edit = run.steps[number - 1].edits[place]
    walk = alone(group, run.steps, number, place, run.candidate)
    words = "off · would be: " if edit.off else "alone: "
    if walk.refused:
        return "off · not possible" if edit.off else "alone: not possible, it needs an edit before it"
    before, after = walk.answers[-2:]
    if after.error or not after.rebalances:
        return f"{words}no answer"
    return f"{words}{count(after.moved_partitions, 'move')}, worst {_change(before, after)}"


def _change(before: StepAnswer, after: StepAnswer) -> str:
    unchanged = before.balance and before.balance.max_lag is not None and before.balance.max_lag == after.balance.max_lag
    return "unchanged" if unchanged else _worst(after)


def _worst(answer: StepAnswer) -> str:
    balance = answer.balance
    return compact_sum(balance and balance.max_lag, bool(balance and balance.lag_is_partial))
