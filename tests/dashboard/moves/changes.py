"""A view and a change, made of two assignments."""

import numpy as np

from evenkeel.assignors.compare.balance import lag_at
from evenkeel.assignors.compare.comparison import compare
from evenkeel.assignors.compare.moves import moves_between, owner_pairs
from evenkeel.assignors.group.lag import page_lag
from evenkeel.dashboard.view import Change, View


def shown(snapshot, before, after):
    """Return the view and the change of two assignments, members by their own ids."""
    lag = page_lag(snapshot)
    pairs = owner_pairs(snapshot, before, after)
    change = Change(
        moves_between(before, after, snapshot, lag),
        pairs,
        lag_at(snapshot, lag, pairs.topic, pairs.partition),
    )
    return View(
        None, compare(snapshot, before, []), snapshot.member_id, np.arange(snapshot.member_count)
    ), change
