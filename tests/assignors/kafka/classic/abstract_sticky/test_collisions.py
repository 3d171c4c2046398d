"""Member ids that meet in one bucket of a Java map: the answer says so where their order counts, and only there."""

from itertools import product

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import HASH_COLLISIONS
from tests.assignors.groups import Member, group, spelled

ALIKE = ["".join(pairs) for pairs in product(("Aa", "BB"), repeat=5)]
"""32 ids of one hash code."""
OTHERS = [f"m{number}" for number in range(40)]

both = pytest.mark.parametrize("name", ["sticky", "cooperative-sticky"])


def assumed(name, topics, members):
    return ASSIGNORS[name]().assign(group(topics, members)).assumed


def owning(count, generation=1):
    """Members that own `count` partitions each, and one that owns nothing."""
    ids = ALIKE + OTHERS
    members = {
        each: Member("t", owned=" ".join(f"t-{number * count + step}" for step in range(count)), generation=generation)
        for number, each in enumerate(ids)
    }
    return members | {"new": Member("t", generation=generation)}


@both
def test_who_keeps_more_depends_on_their_order(name):
    assert assumed(name, {"t": 144}, owning(2)) == (HASH_COLLISIONS,)


@both
def test_a_fresh_group_does_not_depend_on_it(name):
    assert assumed(name, {"t": 100}, dict.fromkeys(ALIKE + OTHERS, "t")) == ()


@both
def test_a_group_where_everybody_may_keep_what_it_has_does_not_depend_on_it(name):
    assert assumed(name, {"t": 146}, owning(1)) == ()


@both
def test_double_claims_depend_on_it(name):
    members = dict.fromkeys(ALIKE + OTHERS, "t") | {
        ALIKE[0]: Member("t", owned="t-0", generation=1),
        ALIKE[1]: Member("t", owned="t-0", generation=2),
    }

    assert assumed(name, {"t": 100}, members) == (HASH_COLLISIONS,)


@both
def test_an_empty_subscription_depends_on_it(name):
    assert assumed(name, {"t": 100}, dict.fromkeys(ALIKE + OTHERS, "t") | {ALIKE[0]: ""}) == (HASH_COLLISIONS,)


@both
def test_differing_subscriptions_alone_do_not_depend_on_it(name):
    members = {each: "t" if number % 2 else "t u" for number, each in enumerate(ALIKE + OTHERS)}

    assert assumed(name, {"t": 100, "u": 30}, members) == ()


@both
def test_a_small_map_that_grew_early_is_walked_as_kafka_does(name):
    """Ten of these ids meet in one bucket of sixteen. The map of subscriptions grows earlier than the map of what members own, so the two are walked in different orders."""
    ids = ["x798", "x111", "x1742", "x2501", "x1324", "x1368", "x1445", "x2167", "x276", "x2798", "x122"]
    members = {each: Member("t", owned=f"t-{2 * number} t-{2 * number + 1}", generation=1) for number, each in enumerate(ids)}
    snapshot = group({"t": 22}, members | dict.fromkeys(["new0", "new1", "new2"], Member("t", generation=1)))

    answer = ASSIGNORS[name]().assign(snapshot)

    held = spelled(snapshot, answer)
    assert {each for each in ids if len(held[each].split()) == 1} == {"x1445", "x276", "x2798"}
    assert answer.assumed == ()
