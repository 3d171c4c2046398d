"""One step as the view and the change that the pictures of moves are drawn from."""

from collections.abc import Mapping, Sequence

from evenkeel.assignors.figures.comparison import Comparison
from evenkeel.assignors.figures.load import lag_at
from evenkeel.assignors.figures.owner_pairs import owner_pairs
from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.plugins import plugin_settings
from evenkeel.dashboard.loading.scenarios.walks import digests
from evenkeel.dashboard.view import Change, Opened, View
from evenkeel.dashboard.words.member_marks import NEW, RESTARTED, STOPPED
from evenkeel.dashboard.words.order import worst_first
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.scenario.scenario import Step


def moves_of(group: Opened, steps: Sequence[Step], number: int, answer: StepAnswer, names: Mapping[str, str]) -> tuple[View, Change] | None:
    """Return a step's members, those that stopped behind the others, and what changed owner; None where the owners are unknown.

    `names`: short names by member id.
    """
    digest = f"{digests(steps[:number])[-1]} {answer.name}"
    return ALL.get((moves_of, group, digest, plugin_settings()), lambda: _moves_of(group._replace(edited=digest), answer, names))


def marked_names(answer: StepAnswer, names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of a step's members, marked where they are new, back under another id, or stopped."""
    before, after, back = set(answer.start.snapshot.member_id), set(answer.group.snapshot.member_id), dict(answer.renamed).values()
    members = answer.change[0].snapshot.member_id
    marks = [RESTARTED if member in back else STOPPED if member not in after else NEW if member not in before else "" for member in members]
    return tuple(f"{names.get(member, member)} {mark}".rstrip() for member, mark in zip(members, marks, strict=True))


def _moves_of(opened: Opened, answer: StepAnswer, names: Mapping[str, str]) -> tuple[View, Change] | None:
    wide, owned = answer.change
    if owned is None or answer.moves is None:
        return None
    lag, labels, moves = answer.rebalances[-1].lag, marked_names(answer, names), answer.moves
    pairs = owner_pairs(wide.snapshot, owned, answer.assignment)
    order = worst_first(moves.retained.lag + moves.revoked.lag, labels)
    view = View(wide, Comparison(wide.snapshot, lag, ()), labels, order, opened=opened)
    return view, Change(moves, pairs, lag_at(wide.snapshot, lag, pairs.topic, pairs.partition))
