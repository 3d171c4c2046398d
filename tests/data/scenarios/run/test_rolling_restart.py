"""Rolling restarts: one step for each restart, and what they cost together."""

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.data.scenarios.run.rolling_restart import (
    Order,
    Times,
    all_static,
    cost,
    own_costs,
    rolling_restart,
)
from evenkeel.data.scenarios.scenario.scenario import Settings
from tests.data.scenarios.scenarios import PAYMENTS, member, result


def listed(**members: dict):
    group = (
        PAYMENTS | {"members": [member(name, **facts) for name, facts in members.items()]}
        if members
        else PAYMENTS
    )
    return result(group=group).listed


def restarted(group, **how) -> list[list[str]]:
    return [step.edits[0].member_ids for step in rolling_restart(group, **how)]


def test_every_member_restarts_once_in_the_order_of_the_group():
    assert restarted(listed()) == [["pay-a"], ["pay-b"]]
    assert restarted(listed(), at_once=2) == [["pay-a", "pay-b"]]


def test_members_restart_host_by_host_or_rack_by_rack():
    group = listed(
        a={"host": "/2", "rack": "x"}, b={"host": "/1", "rack": "y"}, c={"host": "/2", "rack": "x"}
    )

    assert restarted(group, order=Order.HOST) == [["b"], ["a"], ["c"]]
    assert restarted(group, order=Order.RACK) == [["a"], ["c"], ["b"]]


def test_dynamic_members_cost_two_rebalances_each_and_every_rebalance_stops_all():
    spent = cost(
        listed(), rolling_restart(listed()), ASSIGNORS["sticky"](), Times(heartbeat_seconds=3)
    )

    # Each of two members leaves and comes back; an eager rebalance stops all four partitions for
    # one heartbeat.
    assert (spent.rebalances, spent.paused_partitions, spent.partition_seconds) == (4, 16, 48)
    # While one is away, the other has everything: 60 + 960 + 60 + 260 records.
    assert spent.max_lag == 1340


def test_static_members_cost_no_rebalance_and_wait_for_their_own_return():
    group = all_static(listed())
    spent = cost(group, rolling_restart(group), ASSIGNORS["sticky"](), Times(downtime_seconds=8))

    # Two partitions each, 8 seconds without their member.
    assert (spent.rebalances, spent.moved_partitions, spent.paused_partitions) == (0, 0, 0)
    assert (spent.partition_seconds, spent.max_lag, spent.returns) == (32, 1020, True)


def test_the_input_of_a_restart_is_unchanged():
    group = listed()

    cost(group, rolling_restart(group), ASSIGNORS["range"]())

    assert group.snapshot.member_id == ("pay-a", "pay-b")
    assert group.snapshot.instance_id == (
        None,
        None,
    )


def test_records_pile_up_while_partitions_have_no_owner():
    rates, static = np.array([1.0, 2.0, 3.0, 4.0]), all_static(listed())

    dynamic = cost(
        listed(),
        rolling_restart(listed()),
        ASSIGNORS["sticky"](),
        Times(heartbeat_seconds=3),
        rates,
    )
    held = cost(
        static, rolling_restart(static), ASSIGNORS["sticky"](), Times(downtime_seconds=8), rates
    )

    # Four rebalances stop all partitions for 3 seconds each; static members leave their own alone
    # for 8 seconds.
    assert (dynamic.records, held.records) == (4 * 10 * 3, 10 * 8)
    assert cost(listed(), rolling_restart(listed()), ASSIGNORS["sticky"]()).records is None


def test_what_piles_up_is_unknown_where_a_rate_is():
    rates = np.array([1.0, np.nan, 3.0, 4.0])

    assert np.isnan(
        cost(listed(), rolling_restart(listed()), ASSIGNORS["sticky"](), in_rate=rates).records
    )


def test_both_costs_by_a_name_are_those_with_members_as_they_are_and_with_all_of_them_static():
    now, static = own_costs(listed(), "sticky", Settings(), Order.GROUP, 1, Times(), None)

    assert now == cost(listed(), rolling_restart(listed()), ASSIGNORS["sticky"]())
    assert static == cost(
        all_static(listed()), rolling_restart(all_static(listed())), ASSIGNORS["sticky"]()
    )
