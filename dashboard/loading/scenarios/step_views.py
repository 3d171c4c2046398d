"""One step as the view and the change that the pictures of moves are drawn from."""

from collections.abc import Sequence

from assignors.figures.comparison import Comparison
from assignors.figures.load import lag_at
from assignors.figures.owner_pairs import owner_pairs
from dashboard.loading.cache.cache import ALL
from dashboard.loading.plugins import plugin_settings
from dashboard.loading.scenarios.digests import digests
from dashboard.view import Change, Opened, View
from dashboard.words.names import member_labels
from dashboard.words.order import worst_first
from data.scenarios.run.step import StepAnswer
from data.scenarios.scenario.scenario import Step

STOPPED, NEW, BACK = "✕", "+", "↻"


def moves_of(group: Opened, steps: Sequence[Step], number: int, answer: StepAnswer) -> tuple[View, Change] | None:
    """Return a step's members, those that stopped behind the others, and what changed owner; None where the owners are unknown."""
    digest = f"{digests(steps[:number])[-1]} {answer.name}"
    return ALL.get((moves_of, group, digest, plugin_settings()), lambda: _moves_of(group._replace(edited=digest), answer))


def marked_names(answer: StepAnswer) -> tuple[str, ...]:
    """Return short names of a step's members, marked where they are new, back under another id, or stopped."""
    before, after, back = set(answer.start.snapshot.member_id), set(answer.group.snapshot.member_id), dict(answer.renamed).values()
    wide = answer.change[0]
    labels = member_labels(wide.snapshot.member_id, wide.client_id)
    marks = [
        BACK if member in back else STOPPED if member not in after else NEW if member not in before else ""
        for member in wide.snapshot.member_id
    ]
    return tuple(f"{label} {mark}".rstrip() for label, mark in zip(labels, marks, strict=True))


def _moves_of(opened: Opened, answer: StepAnswer) -> tuple[View, Change] | None:
    wide, owned = answer.change
    if owned is None or answer.moves is None:
        return None
    lag, names, moves = answer.rebalances[-1].lag, marked_names(answer), answer.moves
    pairs = owner_pairs(wide.snapshot, owned, answer.assignment)
    order = worst_first(moves.retained.lag + moves.revoked.lag, names)
    view = View(wide, Comparison(wide.snapshot, lag, ()), names, order, opened=opened)
    return view, Change(moves, pairs, lag_at(wide.snapshot, lag, pairs.topic, pairs.partition))
