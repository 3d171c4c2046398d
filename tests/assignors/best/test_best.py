"""The best assignment as requests: exact where everything can be tried, within the limits, proved,
and the same every time.
"""

import json
import sys
from fractions import Fraction

import numpy as np
import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.best import (
    exact as solvers,
)
from evenkeel.assignors.best.certificate_check import check
from evenkeel.assignors.best.frontier import frontier
from evenkeel.assignors.best.request import Rates, Request, RequestError, thousandths
from evenkeel.assignors.best.right_size import right_size
from evenkeel.assignors.best.search import best
from evenkeel.assignors.best.start import dealt
from evenkeel.data.best.answer import Answer, answer
from tests.assignors.best.everything import random_request
from tests.assignors.groups import Member, group
from tests.judge.best_conformance import difference, wrong_proof

MEMBERS = {"a": Member("t", owned="t-0 t-1 t-2"), "b": Member("t", owned="t-3"), "c": Member("t")}
LAG = (90, 50, 40, 30, 20, 10)
"""Of six partitions: a has 180, b has 30, and the last two have no owner."""


def asked(request: dict) -> Answer:
    return answer(json.dumps(request).encode())


def document(members: dict, lag: dict) -> dict:
    """A group document of members with what they own, all subscribed to all topics of `lag`."""
    return {
        "format": "evenkeel.group/1",
        "topics": [
            {"name": name, "partitions": [{"lag": one} for one in lags]}
            for name, lags in lag.items()
        ],
        "members": [
            {"member_id": name, "subscribed": [*lag], "owned": owned}
            for name, owned in members.items()
        ],
    }


def medium(seed: int, partitions: int = 120, members: int = 9) -> dict:
    """A group of middle size whose partitions lie in blocks."""
    rng = np.random.default_rng(seed)
    lag = rng.lognormal(8, 1.2, partitions).astype(int).tolist()
    owned = np.arange(partitions) * members // partitions
    return document(
        {f"m{row}": {"t": np.flatnonzero(owned == row).tolist()} for row in range(members)},
        {"t": lag},
    )


# -- against everything --


@pytest.mark.parametrize("seed", range(4))
def test_value_and_moves_of_tiny_groups_with_all_limits_are_those_of_trying_everything(seed):
    for place in range(120):
        request = random_request(np.random.default_rng([seed, place]))

        assert difference(request) is None, json.dumps(request)


@pytest.mark.parametrize("objective", ["lag", "rate", "drain"])
def test_no_random_step_from_a_proved_answer_of_a_middle_sized_group_is_better(objective):
    rng = np.random.default_rng(5)
    request = {"group": medium(3, 20, 3), "objective": objective, "moves": 6, "tolerance": 0}
    request["rates"] = {"in": {"t": rng.integers(1, 50, 20).tolist()}, "capacity": 900}
    found = asked(request)
    owners = {
        number: member
        for member, topics in found.assignment.items()
        for number in topics.get("t", ())
    }

    assert found.bound <= found.value
    for _ in range(1000):
        changed = owners | {
            int(number): f"m{rng.integers(3)}"
            for number in rng.choice(20, size=int(rng.integers(1, 4)))
        }
        assignment = {
            f"m{row}": {
                "t": sorted(number for number, member in changed.items() if member == f"m{row}")
            }
            for row in range(3)
        }
        said = check(request["group"], found.certificate, assignment)
        assert (
            not said
            or said[0].startswith("moves")
            or _value_said(said[0]) >= found.certificate["bound"][0] / found.certificate["bound"][1]
        )


def _value_said(sentence: str) -> float:
    return float(Fraction(sentence.rpartition(" ")[2]))


# -- limits --


def test_the_best_of_a_small_group_by_hand():
    found = best(group({"t": 6}, MEMBERS, lag=LAG), Request(tolerance=0))

    assert (found.value, found.bound, found.moves, found.moves_bound, found.is_proved) == (
        90,
        90,
        1,
        1,
        True,
    )
    assert found.current_value == 180


def test_one_move_takes_the_largest_off_the_worst_member():
    found = best(group({"t": 6}, MEMBERS, lag=LAG), Request(moves=1))

    assert (found.value, found.moves) == (90, 1)
    assert found.owner.tolist()[1:3] == [0, 0]


@pytest.mark.parametrize(
    ("limits", "kind", "message"),
    [
        (
            {"partitions_per_member": 1},
            "Infeasible",
            "partitions_per_member: 2 is needed, at most 1 is allowed",
        ),
        (
            {"partitions_per_member": 2, "moves": 0},
            "Infeasible",
            "moves: 1 is needed by partitions_per_member, at most 0 are allowed",
        ),
        ({"moves": -1}, "RequestError", "moves: found -1, expected 0 or more"),
        (
            {"untouched": ["x"]},
            "RequestError",
            'untouched: found "x", expected the id of a member of the group',
        ),
        (
            {"pinned": {"t": [4]}},
            "RequestError",
            "pinned: found t 4, which has no owner now, expected a partition that one member owns",
        ),
        (
            {"pinned": {"t": [9]}},
            "RequestError",
            "pinned: found t 9, expected a number below the topic's 5 partitions",
        ),
        (
            {"pinned": {"u": [9]}},
            "RequestError",
            'pinned: found topic "u", expected a topic of the group',
        ),
        (
            {"objective": "speed"},
            "RequestError",
            "objective: found speed, expected one of lag, rate, drain",
        ),
        (
            {"objective": "rate"},
            "RequestError",
            (
                "rates: found none, expected the arrival rate of each partition, which the"
                ' objective "rate" needs'
            ),
        ),
        (
            {"objective": "drain", "rates": {"in": {"t": [1, 1, 1, 1, 1]}}},
            "RequestError",
            "rates.capacity: found none, expected the capacity of each member",
        ),
        (
            {"objective": "rate", "rates": {"in": {"t": [1]}}},
            "RequestError",
            'rates.in["t"]: found 1 numbers, expected 5',
        ),
        (
            {"objective": "rate", "rates": {"in": {"t": [-1, 1, 1, 1, 1]}}},
            "RequestError",
            'rates.in["t"]: found -1.0, expected 0 to 1e+15',
        ),
        ({"tolerance": -0.5}, "RequestError", "tolerance: found -0.5, expected 0 or more"),
        ({"speed": 1}, "RequestError", "request: Object contains unknown field `speed`"),
    ],
)
def test_what_cannot_be_is_refused_with_what_helps(limits, kind, message):
    given = document({"a": {"t": [0, 1, 2]}, "b": {"t": [3]}, "c": {}}, {"t": [9, 8, 7, 6, 5]})

    found = asked({"group": given, **limits})

    assert (found.error.type, found.assignment, found.value, found.certificate) == (
        kind,
        {},
        None,
        None,
    )
    assert found.error.message.startswith(message)


def test_a_sum_of_lags_of_2_to_the_62_is_refused_by_name():
    assert (
        asked({"group": document({"a": {}}, {"t": [2**61, 2**61]})}).error.message
        == "lag: found a sum of 2^62 or more, expected less"
    )


def test_lags_beyond_floats_are_counted_exactly():
    found = asked({"group": document({"a": {}, "b": {}}, {"t": [2**60 + 1, 2**59, 2**59]})})

    assert (found.value, found.bound, found.proved) == (2**60 + 1, 2**60 + 1, True)


def test_untouched_members_neither_give_nor_get_and_have_no_cap():
    given = document({"a": {"t": [0, 1, 2]}, "b": {"t": [3]}, "c": {}}, {"t": [9, 8, 7, 6, 5]})

    found = asked({"group": given, "untouched": ["a"], "partitions_per_member": 1})

    assert found.assignment["a"] == {"t": [0, 1, 2]}
    assert sorted([found.assignment["b"]["t"], found.assignment["c"]["t"]]) == [[3], [4]]


def test_pins_stay_and_have_no_effect_where_the_owner_may_not_own_them():
    given = document({"a": {"t": [0, 1]}, "b": {"u": [0]}}, {"t": [9, 9], "u": [9]})
    given["members"][1]["subscribed"] = ["t"]

    found = asked({"group": given, "pinned": {"t": [0, 1], "u": [0]}, "tolerance": 0})

    assert found.assignment == {"a": {"t": [0, 1], "u": [0]}, "b": {}}


def test_racks_are_kept_where_a_member_is_in_one_and_fall_back_to_all():
    given = document({"a": {}, "b": {}}, {"t": [5, 5, 5, 1]})
    for member, rack in zip(given["members"], "xy", strict=False):
        member["rack"] = rack
    for partition, racks in zip(
        given["topics"][0]["partitions"], (["x"], ["x"], ["x"], ["z"]), strict=False
    ):
        partition["racks"] = racks

    assert asked({"group": given, "racks": "require"}).assignment == {
        "a": {"t": [0, 1, 2]},
        "b": {"t": [3]},
    }
    assert asked({"group": given, "racks": "require"}).certificate["bound_by"] in (
        "subscriptions",
        "search",
    )


def test_tolerance_takes_the_fewest_moves_within_it():
    given = document({"a": {"t": [0, 1]}, "b": {"t": [2]}}, {"t": [100, 1, 100]})

    assert (
        asked({"group": given, "tolerance": 0.01}).moves,
        asked({"group": given, "tolerance": 0.01}).value,
    ) == (0, 101)


def test_a_partition_without_subscriber_is_unassigned_and_members_without_topics_count_in_no_mean():
    given = document({"a": {}, "b": {}, "c": {}}, {"t": [4, 4], "u": [7]})
    for member, topics in zip(given["members"], (["t"], ["t"], []), strict=False):
        member["subscribed"] = topics

    found = asked({"group": given})

    assert (found.unassigned, found.value, found.assignment["c"], found.proved) == (
        {"u": [0]},
        4,
        {},
        True,
    )


@pytest.mark.parametrize("members", [{}, {"a": {}}])
def test_a_group_without_members_or_partitions_has_an_answer(members):
    given = document(members, {"t": [] if members else [3]})

    found = asked({"group": given, "frontier": True, "right_size": True})

    assert (found.value, found.bound, found.moves, found.error) == (0, 0, 0, None)


# -- what is unknown, and what never ends --


def test_unknown_loads_are_spread_by_count_and_prove_nothing():
    given = document({"a": {}, "b": {}}, {"t": [10, None, None, None, None]})

    found = asked({"group": given})

    assert (found.value, found.unknown, found.proved, found.gap) == (10, 4, False, None)
    assert sorted(len(topics["t"]) for topics in found.assignment.values()) == [2, 3]


def test_unknown_loads_leave_room_under_caps_for_those_that_only_one_member_may_own():
    given = document({"a": {}, "b": {}}, {"t": [None], "u": [None]})
    given["members"][1]["subscribed"] = ["t"]

    found = asked({"group": given, "partitions_per_member": 1})

    assert found.error is None
    assert found.assignment == {"a": {"u": [0]}, "b": {"t": [0]}}


def test_two_claims_are_no_owner():
    given = document({"a": {"t": [0]}, "b": {"t": [0]}}, {"t": [10]})

    assert (asked({"group": given, "moves": 0}).moves, asked({"group": given}).current_value) == (
        0,
        None,
    )


def test_a_partition_that_takes_in_more_than_any_member_reads_is_never_drained():
    given = document({"a": {}, "b": {}}, {"t": [100, 100]})

    found = asked(
        {"group": given, "objective": "drain", "rates": {"in": {"t": [1250, 1]}, "capacity": 1000}}
    )

    assert (found.never, found.value, found.bound, found.proved, found.gap) == (
        True,
        None,
        None,
        True,
        None,
    )
    assert found.certificate["value"] is None
    assert check(given, found.certificate, found.assignment) == []


def test_drain_takes_the_time_of_the_fluid_model():
    given = document({"a": {}, "b": {}}, {"t": [1000, 500]})

    found = asked(
        {
            "group": given,
            "objective": "drain",
            "rates": {"in": {"t": [50, 0]}, "capacity": {"a": 100, "b": 150}},
        }
    )

    assert (found.value, found.assignment) == (10, {"a": {"t": [1]}, "b": {"t": [0]}})


def test_rates_are_rounded_once_half_to_even_from_their_decimal_text():
    assert thousandths(np.array([0.0005, 0.0015, 2.6755, 12.5, np.nan])).tolist() == [
        0,
        2,
        2676,
        12500,
        -1,
    ]


# -- never worse, always the same --


@pytest.mark.parametrize("seed", range(3))
def test_no_assignor_of_kafka_that_keeps_the_limits_is_better(seed):
    from evenkeel.data.compare.answer import compared_group
    from evenkeel.data.diagnosis.reading import Readings
    from evenkeel.data.group.columns import observed_from_document
    from evenkeel.data.group.document import decode

    request = random_request(np.random.default_rng([9, seed]), 200, 8)
    request = {"group": request["group"], "objective": "lag", "moves": None}
    rows = [
        one.row
        for one in compared_group(
            Readings(observed_from_document(decode(json.dumps(request["group"])))), ASSIGNORS
        ).rows
    ]
    found = asked(request)

    assert found.value <= 1.001 * min(
        row["max_lag"] for row in rows[1:] if row["max_lag"] is not None and not row["error"]
    )


def test_an_answer_is_the_same_again_and_in_another_process():
    import subprocess

    line = json.dumps(
        {"group": medium(1, 24, 3), "moves": 6, "frontier": [0, 12], "right_size": [1, 4, 20]}
    )
    code = (
        "import sys; from evenkeel.data.commands.main import main; sys.exit(main(['best',"
        " '--jsonl']))"
    )
    run = [sys.executable, "-c", code]

    lines = {
        subprocess.run(
            run,
            input=f"\n{line}\n",
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in "12"
    }

    assert len(lines) == 1
    assert lines.pop().count("\n") == 1


def test_a_search_tells_value_and_bound_on_the_way_and_stops_when_asked():
    seen = []
    request = medium(4, 2000, 40)["topics"][0]["partitions"]
    lag = [one["lag"] for one in request]
    given = group(
        {"t": 2000},
        {
            f"m{row}": Member(
                "t", owned="t-0" if row else " ".join(f"t-{n}" for n in range(1, 2000))
            )
            for row in range(40)
        },
        lag=lag,
    )

    stopped = best(
        given,
        Request(tolerance=0),
        progress=lambda value, bound: seen.append((value, bound)),
        stop=lambda: len(seen) > 1,
    )

    assert stopped.stopped == "stop"
    assert len(seen) >= 2
    assert all(bound <= value for value, bound in seen)
    assert [value for value, _ in seen] == sorted((value for value, _ in seen), reverse=True)


# -- bounds and certificates --


@pytest.mark.parametrize("seed", range(3))
def test_certificates_of_groups_of_any_size_hold(seed):
    for place in range(12):
        request = random_request(np.random.default_rng([17, seed, place]), 24, 5)

        assert wrong_proof(request, asked(request)) is None, json.dumps(request)


@pytest.mark.parametrize("seed", range(4))
def test_a_certificate_that_claims_more_is_refused(seed):
    refused = 0
    for place in range(40):
        request = random_request(np.random.default_rng([23, seed, place]), 10, 4)
        found = asked(request)
        for row, one in enumerate(found.certificate["bounds"] if found.certificate else ()):
            # The bound by moves of a drain is rounded down to a millisecond.
            is_rounded = one["name"] == "moves" and request["objective"] == "drain"
            if (
                one["name"] in ("search", "solver")
                or is_rounded
                or not one["value"]
                or not one["value"][0]
            ):
                continue
            numerator, denominator = one["value"]
            claimed = [*found.certificate["bounds"]]
            claimed[row] = one | {"value": [numerator * 1001 + denominator, denominator * 1000]}
            assert check(request["group"], found.certificate | {"bounds": claimed}), (
                one,
                json.dumps(request),
            )
            refused += 1

    assert refused > 50


def test_subscriptions_bound_members_who_alone_can_own_a_topic():
    given = document({"a": {}, "b": {}, "c": {}}, {"t": [60, 60, 60, 60], "u": [1]})
    for member, topics in zip(given["members"], (["t"], ["t"], ["u"]), strict=False):
        member["subscribed"] = topics

    found = asked({"group": given})

    assert found.certificate["bounds"][-2] == {
        "name": "subscriptions",
        "value": [120, 1],
        "members": ["a", "b"],
    }
    assert (found.value, found.proved) == (120, True)


def test_without_the_solver_bounds_and_descent_still_answer(monkeypatch):
    request = {"group": medium(2, 24, 4), "tolerance": 0, "moves": 5}
    with_solver = asked(request)
    monkeypatch.setattr(solvers, "solver", lambda: None)
    monkeypatch.setattr("evenkeel.assignors.best.search.solver", lambda: None)

    without = asked(request)

    assert without.error is None
    assert (
        without.bound
        <= with_solver.bound
        <= with_solver.value
        <= without.value
        <= without.bound * 1.15
    )
    assert "solver" not in [one["name"] for one in without.certificate["bounds"]]


def test_the_solver_writes_nothing_to_descriptor_1(capfd):
    found = asked({"group": medium(2, 24, 4), "tolerance": 0, "moves": 5})

    assert "solver" in [one["name"] for one in found.certificate["bounds"]]
    assert capfd.readouterr().out == ""


# -- starts --


@pytest.mark.parametrize("count", [1, 3, 16, 40])
def test_dealing_in_blocks_is_dealing_one_by_one_to_whoever_has_least(count):
    size = np.sort(np.random.default_rng(count).lognormal(3, 2, 500).astype(np.int64))[::-1]
    load = np.zeros(count, dtype=np.int64)
    for one in size.tolist():
        load[load.argmin()] += one

    found = np.zeros(count, dtype=np.int64)
    np.add.at(found, dealt(size, count), size)

    assert np.sort(found).tolist() == np.sort(load).tolist()


# -- frontier and right size --


def test_values_of_a_frontier_never_rise_and_each_point_keeps_its_moves():
    given = group(
        {"t": 200},
        {
            f"m{row}": Member("t", owned=" ".join(f"t-{n}" for n in range(row * 20, row * 20 + 20)))
            for row in range(10)
        },
        lag=np.random.default_rng(2).lognormal(7, 1.5, 200).astype(int).tolist(),
    )

    curve = frontier(given)

    values = [point.best.value for point in curve.points]
    assert [point.moves_allowed for point in curve.points] == [
        0,
        1,
        2,
        3,
        5,
        8,
        14,
        24,
        41,
        69,
        118,
        200,
    ]
    assert values == sorted(values, reverse=True)
    assert all(point.best.moves <= point.moves_allowed for point in curve.points)
    assert values[0] == curve.points[0].best.current_value
    assert curve.knee in [point.moves_allowed for point in curve.points]


def test_the_points_of_a_small_group_are_0_1_2_3_5_8_up_to_all():
    given = document({"a": {"t": list(range(10))}, "b": {}}, {"t": list(range(1, 11))})

    found = asked({"group": given, "frontier": True})

    assert [point["moves_allowed"] for point in found.frontier] == [0, 1, 2, 3, 5, 8, 10]
    assert [point["value"] for point in found.frontier][:4] == [55, 45, 36, 28]
    assert found.frontier[1]["moved"] == {"b": {"t": [9]}}


def test_a_point_of_the_frontier_that_caps_forbid_says_so():
    given = document({"a": {"t": [0, 1, 2]}, "b": {}}, {"t": [3, 2, 1]})

    found = asked({"group": given, "partitions_per_member": 2, "frontier": [0, 1]})

    assert found.frontier[0]["error"]["type"] == "Infeasible"
    assert (found.frontier[1]["value"], found.frontier[1]["error"]) == (3, None)


def test_the_right_size_is_where_the_largest_partition_is_the_worst_member():
    given = document({"a": {}}, {"t": [60, 30, 30, 20, 20, 20]})

    found = asked({"group": given, "right_size": True, "within": 90})

    assert [point["value"] for point in found.right_size["points"]] == [180, 90, 60, 60, 60, 60]
    assert (found.right_size["useful_members"], found.right_size["members_within"]) == (
        [3, 3],
        [2, 2],
    )


def test_the_right_size_of_a_drain_takes_the_lower_median_of_the_capacities():
    given = group({"t": 4}, A="t", B="t", lag=(100, 100, 100, 100))
    rates = Rates(np.zeros(4, dtype=np.int64), np.array([10_000, 30_000]))

    found = right_size(given, Request("drain", rates), within=Fraction(20))

    assert [point.value for point in found.points] == [40, 20, 20, 10]
    assert (found.floor, found.useful, found.within) == (10, (4, 4), (2, 2))


def test_a_request_is_checked_when_it_is_made():
    with pytest.raises(RequestError, match="racks: found near, expected one of ignore, require"):
        Request(racks="near")
