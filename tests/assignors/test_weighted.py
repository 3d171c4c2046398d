"""The rule of the jar: near the bound of Best where the gain allows it, few moves, nothing for nothing."""

import numpy as np
import pytest

from evenkeel.assignors.best import Request, best
from evenkeel.assignors.weighted import spread
from tests.assignors.groups import Member, group

MEMBERS = "abcdef"


def of_six(weights, owner):
    """A group of six members with these lags as weights."""
    owned = {name: " ".join(f"t-{one}" for one in np.flatnonzero(owner == place)) for place, name in enumerate(MEMBERS)}
    members = {name: Member("t", owned=owned[name]) if owned[name] else Member("t") for name in MEMBERS}
    return group({"t": len(weights)}, lag=[int(one) for one in weights], **members)


def loads(owner, weights):
    return np.bincount(owner, weights, len(MEMBERS))


@pytest.mark.parametrize("seed", range(8))
def test_six_members_come_within_5_percent_of_the_bound_of_best_or_would_not_gain_10_percent(seed):
    rng = np.random.default_rng(seed)
    weights = rng.lognormal(6, 1, 48).astype(int) + 1
    owner = np.arange(48) % 6
    snapshot = of_six(weights, owner)

    found = spread(snapshot, weights.astype(float)).owner
    bound = float(best(snapshot, Request(objective="lag")).bound)

    before, after = loads(owner, weights).max(), loads(found, weights).max()
    assert after <= 1.05 * bound or (found == owner).all() and bound * 1.05 >= 0.9 * before


def test_one_move_that_reaches_the_bound_is_the_only_one():
    weights = np.array([90, 90, 1, 1, 1, 1, 1, 1])
    owner = np.array([0, 0, 1, 2, 3, 4, 5, 5])

    found = spread(of_six(weights, owner), weights.astype(float)).owner

    assert np.flatnonzero(found != owner).tolist() == [0]


def test_a_small_change_of_three_weights_moves_nobody():
    weights = np.array([50.0] * 12)
    owner = np.arange(12) % 6
    weights[[0, 3, 7]] += 1

    assert (spread(of_six(weights, owner), weights).owner == owner).all()


def test_without_a_known_weight_counts_differ_by_one_at_most():
    owner = np.zeros(20, dtype=int)

    found = spread(of_six(np.ones(20), owner), np.full(20, np.nan)).owner

    assert sorted(np.bincount(found, minlength=6).tolist()) == [3, 3, 3, 3, 4, 4]
