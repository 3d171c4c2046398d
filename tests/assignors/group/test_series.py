"""Series of consumers across restarts."""

from dataclasses import replace

import numpy as np

from evenkeel.assignors.group.restarts import Life
from evenkeel.assignors.group.series import Identity, by_lineage
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.timeline.events import JOINED, LEFT, REBALANCE, events
from evenkeel.assignors.timeline.now import Unstable, now
from evenkeel.assignors.timeline.ownership import of_restarts, rebalances
from evenkeel.assignors.timeline.verdicts import verdicts
from evenkeel.data.timeline.words import unstable_words
from tests.generated.histories import series_of


def alive(*rows, owner=None, names="ABCDEFGHIJ", **others):
    """Return a series in which each row names the members that are there, such as `AB`."""
    is_member = [[name in row for name in names] for row in rows]
    columns = np.full((len(rows), 2), 9), np.full((len(rows), 2), 5)
    return series_of(
        *columns,
        np.zeros((len(rows), 2)) if owner is None else owner,
        is_member=is_member,
        member_count=len(names),
        **others,
    )


def identities(*clients, host=None, instance=None):
    return tuple(Identity(client, host, instance) for client in clients)


def test_successive_members_of_one_client_are_one_consumer_under_their_last_id():
    joined = by_lineage(
        alive("AB", "AC", "AD", names="ABCD"), identities("x", "orders-2", "orders-2", "orders-2")
    )

    assert joined.member_id == ("A", "D")
    assert joined.client_id == ("x", "orders-2")
    assert joined.lives == (
        (Life("A", 0.0, 60.0),),
        (Life("B", 0.0, 0.0), Life("C", 30.0, 30.0), Life("D", 60.0, 60.0)),
    )
    assert joined.is_member.tolist() == [[True, True]] * 3
    assert [(one.member, one.count, one.times) for one in joined.restarts] == [(1, 2, (30.0, 60.0))]


def test_two_that_live_at_once_are_two_consumers_unless_their_hosts_tell_them_apart():
    at_once = alive("AB", "CD", names="ABCD")

    assert by_lineage(at_once, identities(*"xxxx")).member_id == ("A", "B", "C", "D")
    hosts = tuple(Identity("x", host) for host in ("/h1", "/h2", "/h2", "/h1"))
    assert by_lineage(at_once, hosts).member_id == ("D", "C")


def test_a_static_id_is_stronger_than_a_client_id():
    static = (Identity("x", "/h", "i-1"), Identity("x", "/h", "i-2"), Identity("y", "/h", "i-1"))

    assert by_lineage(alive("AB", "CB", names="ABC"), static).member_id == ("C", "B")


def test_members_that_say_nothing_stay_as_they_are():
    series = alive("AB", "AC", names="ABC")

    assert by_lineage(series, identities(None, None, None)).member_id == ("A", "B", "C")


def restarting(count=9):
    """A and B stand still, and the third consumer is away in every second slot and back with
    another id; both others change partitions.
    """
    rows = ["AB" + "CDEFGHIJ"[row // 2 % 8] if row % 2 == 0 else "AB" for row in range(count)]
    owner = [[0, 1] if row % 2 == 0 else [1, 0] for row in range(count)]
    return by_lineage(alive(*rows, owner=owner), identities("a", "b", *["orders-2"] * 8))


def test_leaving_and_coming_again_and_again_is_one_finding_of_who_does_it_and_no_list_of_lines():
    series = restarting()

    assert [one for one in events(series, verdicts(series)) if one.kind in (JOINED, LEFT)] == []
    unstable = now(series).unstable
    assert [each.member for each in unstable] == [2]
    assert (
        unstable_words(unstable[0], series)
        == "orders-2 left and came back 4 times in 3 m, every 1 m."
    )


def test_rebalances_of_a_run_of_restarts_are_those_in_which_nobody_else_comes_or_goes():
    # C is away in every second slot, D joins at slot 4, C leaves for good at slot 12, E joins at
    # slot 20.
    rows = ["AB" if slot in (1, 3, 5, 7) or slot >= 12 else "ABC" for slot in range(30)]
    rows = [row + "D" * (slot >= 4) + "E" * (slot >= 20) for slot, row in enumerate(rows)]
    series = by_lineage(alive(*rows, names="ABCDE"), identities("a", "b", "c", "d", "e"))
    series = replace(series, generation=np.full(30, UNKNOWN))

    found, (run,) = rebalances(series), [one for one in series.restarts if one.is_unstable]

    assert found.row.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 12, 20]
    assert found.row[of_restarts(series, run)].tolist() == [1, 2, 3, 5, 6, 7, 8]
    assert [unstable_words(each, series) for each in now(series).unstable] == [
        "c left and came back 4 times in 3 m, every 1 m, but not in the last 10m 30s; 7 rebalances"
        " meanwhile."
    ]


def test_a_consumer_that_comes_back_once_is_told_as_an_event():
    series = by_lineage(alive("AB", "A", "AC", names="ABC"), identities("a", "b", "b"))

    assert [
        (one.kind, one.rows) for one in events(series, verdicts(series)) if one.kind != REBALANCE
    ] == [(LEFT, (1,)), (JOINED, (1,))]


def test_who_never_left_changed_no_owner():
    owner = [[0, 1], [0, 2], [0, 3]]
    series = by_lineage(
        alive("AB", "AC", "AD", names="ABCD", owner=owner), identities("a", "b", "b", "b")
    )

    assert (series.owner == [[0, 1]] * 3).all()


def test_a_member_that_stays_and_loses_partitions_keeps_its_own_words():
    assert unstable_words(Unstable(0, 60.0), alive("A", "A", names="A")).startswith(
        "A never had the same partitions for longer than 1 m"
    )


def test_two_living_members_with_one_static_id_are_two_consumers():
    twice = (Identity("x", "/h", "i-1"), Identity("y", "/h", "i-1"), Identity("y", "/h", "i-1"))

    assert by_lineage(alive("AB", "AC", names="ABC"), twice).member_id == ("A", "C")
    assert by_lineage(alive("ABC", "ABC", names="ABC"), twice).member_id == ("A", "B", "C")


def test_restarts_before_the_range_are_none_of_the_range_and_its_own_joining_and_leaving_is_told():
    # Of 24 slots 20 stand before the range: C is away in four of these, and in one of the range.
    rows = ["AB" if slot in (2, 5, 8, 11, 21) else "ABC" for slot in range(24)]
    identity = identities("a", "b", "c")

    whole = by_lineage(alive(*rows, names="ABC"), identity)
    of_range = by_lineage(alive(*rows, names="ABC"), identity, lead=20)

    assert [one.times for one in whole.restarts] == [(90.0, 180.0, 270.0, 360.0, 660.0)]
    assert (
        [one.times for one in of_range.restarts]
        == [one.times for one in whole.at(slice(20, None)).restarts]
        == [(660.0,)]
    )
    assert now(of_range).unstable == []
    told = [
        (one.row, one.kind)
        for one in events(of_range, verdicts(of_range))
        if one.kind in (JOINED, LEFT) and one.row >= 20
    ]
    assert told == [(21, LEFT), (22, JOINED)]


def test_slots_up_to_a_row_have_the_restarts_up_to_it():
    series = restarting()

    assert [one.times for one in series.until(5).restarts] == [(60.0, 120.0)]
    assert series.until(1).restarts == series.at(slice(0, 0)).restarts == ()


def test_a_restart_hours_before_and_leaving_for_good_stand_beside_the_one_line_of_a_run():
    rows = ["ABC", "AB", "ABC", "ABC", "AB", "ABC", "AB", "ABC", "AB", "ABC", "AB", "AB"]
    time = [0, 30, 60, *np.arange(9) * 30.0 + 7200]
    series = by_lineage(alive(*rows, names="ABC", time=time), identities("a", "b", "c"))

    assert [(one.times, one.is_unstable) for one in series.restarts] == [
        ((7260.0, 7320.0, 7380.0), True),
        ((60.0,), False),
    ]
    told = [
        (one.row, one.kind)
        for one in events(series, verdicts(series))
        if one.kind in (JOINED, LEFT)
    ]
    assert told == [(1, LEFT), (2, JOINED), (10, LEFT)]


def test_restarts_that_have_ended_say_for_how_long_there_was_none():
    rows = ["AB" if slot in (1, 3, 5) else "ABC" for slot in range(126)]
    series = by_lineage(alive(*rows, names="ABC"), identities("a", "b", "c"))

    assert [unstable_words(each, series) for each in now(series).unstable] == [
        "c left and came back 3 times in 2 m, every 1 m, but not in the last 59m 30s."
    ]
