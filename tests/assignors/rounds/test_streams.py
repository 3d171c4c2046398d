"""Probing rebalances, and one application under many settings."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from evenkeel.assignors.kafka.streams.legacy_sticky import FallbackPriorTaskAssignor
from evenkeel.assignors.rounds.restoring import Restoring, restore, unknown_rates
from evenkeel.assignors.rounds.streams import probing_rebalances, streams_grid
from tests.assignors.applications import Client, application, spelled

END = 150_000
ASSIGNOR = HighAvailabilityTaskAssignor(
    acceptable_recovery_lag=100, max_warmup_replicas=2, probing_rebalance_interval_ms=60_000
)
TASKS = "0.0 0.1 0.2 0.3 0.4 0.5"
JOINED = application(TASKS, TASKS, [Client(-2), Client(1000)], 1000)
FAST = Restoring(np.array([10_000.0, 10_000.0]), np.zeros(6))


def numbered(count: int, first: int) -> list[str]:
    """Tasks of subtopologies with 5 partitions each."""
    return [f"{first + place // 5}.{place % 5}" for place in range(count)]


def rounds(
    tasks: str, stateful: str, clients: list[Client], limit: int, first: int = 0
) -> tuple[list[str], list[Client]]:
    """Return the answers until the assignor is content, and the clients with what they have then;
    at most `limit` rounds.
    """
    found = probing_rebalances(
        application(tasks, stateful, clients, END),
        ASSIGNOR,
        state_cleanup_delay_ms=0,
        most_rounds=limit,
    )
    spelled_rounds = [spelled(each.application, each.answer, first) for each in found.rounds]
    assert found.is_balanced, "\n".join(["not content:", *spelled_rounds])
    last = found.rounds[-1]
    return spelled_rounds, [
        restored(last.application, last.answer, process, client)
        for process, client in enumerate(clients)
    ]


def restored(snapshot, answer, process: int, client: Client) -> Client:
    ran = [
        f"{snapshot.task_subtopology[task]}.{snapshot.task_partition[task]}"
        for task in np.flatnonzero(answer.active == process)
    ]
    has = [
        f"{snapshot.task_subtopology[task]}.{snapshot.task_partition[task]}"
        for task in answer.standby[answer.standby[:, 0] == process, 1]
    ]
    return replace(client, lag=dict.fromkeys([*ran, *has], 0), other_lag=END, owned=ran)


def new(number: int) -> Client:
    return Client(lag=END, process_id=(0, number))


def test_one_task_on_one_client_is_content_at_once():
    assert rounds("0.0 1.0", "1.0", [new(0)], limit=1)[0] == ["· C0[0.0 1.0|–]"]


def test_a_joining_client_warms_up_two_tasks_a_round():
    stateless, stateful = numbered(7, 0), numbered(11, 2)
    tasks = (" ".join([*stateless, *stateful]), " ".join(stateful))

    alone, clients = rounds(*tasks, [new(0)], limit=1)
    together, _ = rounds(*tasks, [*clients, new(1)], limit=6)

    assert alone == [
        "· C0[0.0 0.1 0.2 0.3 0.4 1.0 1.1 2.0 2.1 2.2 2.3 2.4 3.0 3.1 3.2 3.3 3.4 4.0|–]"
    ]
    assert together == [
        (
            "P C0[2.0 2.1 2.2 2.3 2.4 3.0 3.1 3.2 3.3 3.4 4.0|–] C1[0.0 0.1 0.2 0.3 0.4 1.0 1.1|2.1"
            " 2.3]"
        ),
        (
            "P C0[2.0 2.2 2.4 3.0 3.1 3.2 3.3 3.4 4.0|–] C1[0.0 0.1 0.2 0.3 0.4 1.0 1.1 2.1 2.3|3.0"
            " 3.2]"
        ),
        "P C0[0.3 1.0 2.0 2.2 2.4 3.1 3.3 3.4 4.0|–] C1[0.0 0.1 0.2 0.4 1.1 2.1 2.3 3.0 3.2|3.4]",
        "· C0[0.1 0.3 1.0 2.0 2.2 2.4 3.1 3.3 4.0|–] C1[0.0 0.2 0.4 1.1 2.1 2.3 3.0 3.2 3.4|–]",
    ]


def test_a_client_that_dies_leaves_tasks_that_move_on_in_seven_rounds():
    stateless, stateful = numbered(11, 0), numbered(13, 3)
    tasks = (" ".join([*stateless, *stateful]), " ".join(stateful))

    before, clients = rounds(*tasks, [new(number) for number in range(7)], limit=1)
    after, _ = rounds(*tasks, clients[1:], limit=8, first=1)

    assert before == [
        "· C0[0.1 1.3 3.0 4.2|–] C1[0.2 1.4 3.1 4.3|–] C2[0.3 2.0 3.2 4.4|–] C3[0.4 3.3 5.0|–]"
        " C4[1.0 3.4 5.1|–] C5[1.1 4.0 5.2|–] C6[0.0 1.2 4.1|–]"
    ]
    assert after == [
        (
            "P C1[1.0 3.0 3.1 4.3|–] C2[1.1 3.2 4.2 4.4|3.1] C3[0.1 1.2 3.3 5.0|3.2] C4[0.2 1.3 3.4"
            " 5.1|–] C5[0.3 1.4 4.0 5.2|–] C6[0.0 0.4 2.0 4.1|–]"
        ),
        (
            "P C1[0.1 1.0 3.0 4.3|–] C2[1.1 3.1 4.2 4.4|–] C3[1.2 3.2 3.3 5.0|–] C4[0.2 1.3 3.4"
            " 5.1|3.3] C5[0.3 1.4 4.0 5.2|3.4] C6[0.0 0.4 2.0 4.1|–]"
        ),
        (
            "P C1[0.1 1.0 3.0 4.3|4.1] C2[1.1 3.1 4.2 4.4|–] C3[0.2 1.2 3.2 5.0|–] C4[0.3 1.3 3.3"
            " 5.1|–] C5[1.4 3.4 4.0 5.2|–] C6[0.0 0.4 2.0 4.1|4.0]"
        ),
        (
            "P C1[1.0 3.0 4.1 4.3|–] C2[1.1 3.1 4.2 4.4|–] C3[0.1 1.2 3.2 5.0|4.3] C4[0.2 1.3 3.3"
            " 5.1|4.4] C5[0.3 1.4 3.4 5.2|–] C6[0.0 0.4 2.0 4.0|–]"
        ),
        (
            "P C1[0.1 1.0 3.0 4.1|–] C2[0.2 1.1 3.1 4.2|–] C3[1.2 3.2 4.3 5.0|–] C4[1.3 3.3 4.4"
            " 5.1|–] C5[0.3 1.4 3.4 5.2|5.0] C6[0.0 0.4 2.0 4.0|5.1]"
        ),
        (
            "P C1[0.0 1.0 3.0 4.1|5.2] C2[0.1 1.1 3.1 4.2|–] C3[0.2 1.2 3.2 4.3|–] C4[0.3 1.3 3.3"
            " 4.4|–] C5[1.4 3.4 5.0 5.2|–] C6[0.4 2.0 4.0 5.1|–]"
        ),
        (
            "· C1[1.0 3.0 4.1 5.2|–] C2[0.0 1.1 3.1 4.2|–] C3[0.1 1.2 3.2 4.3|–] C4[0.2 1.3 3.3"
            " 4.4|–] C5[0.3 1.4 3.4 5.0|–] C6[0.4 2.0 4.0 5.1|–]"
        ),
    ]


@settings(max_examples=25, deadline=None)
@given(
    st.randoms(use_true_random=False),
    st.sampled_from(["none", "min_traffic", "balance_subtopology"]),
)
def test_random_applications_converge_within_kafkas_limit_while_clients_come_and_go(
    random, strategy
):
    names = [
        [f"{group}.{partition}" for partition in range(random.randint(1, 6))]
        for group in range(random.randint(2, 8))
    ]
    stateful = sum(names[: len(names) // 2], [])
    tasks = " ".join(sum(names, []))
    racks = {task: [random.randrange(3)] for task in tasks.split()}
    clients = [
        replace(new(number), rack=random.randrange(3)) for number in range(random.randint(1, 6))
    ]
    for _ in range(3):
        standbys = random.randint(0, len(clients))
        assignor = HighAvailabilityTaskAssignor(
            100, random.randint(1, len(stateful)), standbys, 60_000, (), strategy
        )
        limit = 2 * len(stateful) * (1 + standbys)
        snapshot = application(tasks, " ".join(stateful), clients, END, racks, racks)
        found = probing_rebalances(snapshot, assignor, state_cleanup_delay_ms=0, most_rounds=limit)
        assert found.is_balanced, "\n".join(
            spelled(each.application, each.answer) for each in found.rounds
        )
        last = found.rounds[-1]
        clients = [
            restored(last.application, last.answer, process, client)
            for process, client in enumerate(clients)
        ]
        random.shuffle(clients)
        clients = (
            clients[: random.randint(1, len(clients))]
            if random.random() < 0.5
            else [*clients, replace(new(random.getrandbits(60)), rack=0)]
        )


def two_processes(lag: int) -> tuple:
    """One process runs four tasks; the other has just come."""
    return "0.0 0.1 0.2 0.3", "0.0 0.1 0.2 0.3", [Client(-2), Client(lag)], END


def rates(*of_processes: float, growth: float = 0.0) -> Restoring:
    return Restoring(np.array(of_processes), np.full(4, growth))


@pytest.mark.parametrize(
    ("restoring", "left"),
    [
        # 300,000 records at 2,500 a second take two minutes, so the second probing rebalance finds
        # them done.
        (rates(1, 2500), [[150_000, 150_000], [75_000, 75_000], []]),
        # The changelogs grow by 6,000 a minute and copy, which takes as much of the rate.
        (rates(1, 5000, growth=100.0), [[150_000, 150_000], [6_000, 6_000], []]),
        (rates(1, 5000), [[150_000, 150_000], []]),
    ],
)
def test_warmups_restore_at_the_rate_of_their_process_until_they_are_near_enough(restoring, left):
    found = probing_rebalances(application(*two_processes(END)), ASSIGNOR, restoring)

    assert [each.standby_left.tolist() for each in found.rounds] == left
    assert [each.seconds for each in found.rounds] == [60.0 * number for number in range(len(left))]
    assert (found.is_balanced, found.seconds_to_balance) == (True, 60.0 * (len(left) - 1))


@pytest.mark.parametrize("restoring", [None, rates(1, np.nan), rates(1, 10**6, growth=np.nan)])
def test_an_unknown_rate_leaves_the_number_of_rounds_and_no_time(restoring):
    found = probing_rebalances(application(*two_processes(END)), ASSIGNOR, restoring)

    assert [each.is_assumed for each in found.rounds] == [False, True]
    assert (found.is_balanced, found.seconds_to_balance) == (True, None)


def test_where_nothing_has_to_be_restored_the_time_is_zero_whatever_the_rates():
    assert probing_rebalances(application(*two_processes(0)), ASSIGNOR).seconds_to_balance == 0.0


def test_warmups_that_are_slower_than_their_changelogs_grow_never_get_there():
    found = probing_rebalances(
        application(*two_processes(END)), ASSIGNOR, rates(1, 100, growth=100.0)
    )

    assert (len(found.rounds), found.is_balanced, found.is_endless, found.seconds_to_balance) == (
        2,
        False,
        True,
        None,
    )


def test_a_fallback_never_ends_and_more_rounds_than_allowed_are_neither():
    snapshot = application(*two_processes(END))

    assert probing_rebalances(snapshot, FallbackPriorTaskAssignor()).is_endless
    cut = probing_rebalances(snapshot, ASSIGNOR, rates(1, 2500), most_rounds=1)
    assert (len(cut.rounds), cut.is_balanced, cut.is_endless) == (1, False, False)


def test_a_task_that_one_process_gives_up_is_withheld_until_the_next_immediate_rebalance():
    snapshot = application("0.0 0.1", "0.0", [Client(-2, owned=["0.0", "0.1"]), Client(END)], END)
    (only,) = probing_rebalances(snapshot, ASSIGNOR).rounds

    assert [answer.withheld.tolist() for answer in only.answers] == [[[1, 1]], []]
    assert only.answer.active.tolist() == [0, 1]


def test_state_stays_on_disk_for_the_cleanup_delay_and_counts():
    """Task 0.1 leaves the first process; when the second one dies, only a disk that still has it
    spares a restore.
    """
    snapshot = application("0.0 0.1", "0.0 0.1", [Client(-2, owned=["0.0", "0.1"]), Client(0)], END)
    (only,) = probing_rebalances(snapshot, ASSIGNOR).rounds

    after = restore(only.application, only.answers[0], 0, unknown_rates(snapshot)).application
    assert after.offset_sum.tolist() == [[-2, END], [END, END]]
    forgotten = restore(
        only.application, only.answers[0], 0, unknown_rates(snapshot), np.ones((2, 2), dtype=bool)
    ).application
    assert forgotten.offset_sum.tolist() == [[-2, -1], [-1, END]]


def test_more_warmups_balance_sooner_and_a_shorter_interval_too():
    values = {
        "probing_rebalance_interval_ms": [60_000, 600_000],
        "max_warmup_replicas": [1, 3],
        "acceptable_recovery_lag": [0],
    }
    points = streams_grid(JOINED, HighAvailabilityTaskAssignor(), values, FAST)

    found = [
        (point.settings["max_warmup_replicas"], point.seconds, point.round_count, point.most_copies)
        for point in points
    ]
    assert found == [(1, 180.0, 4, 1), (1, 1800.0, 4, 1), (3, 60.0, 2, 3), (3, 600.0, 2, 3)]


def test_standbys_stay_and_a_lag_that_is_acceptable_at_once_takes_no_time():
    values = {"num_standby_replicas": [0, 1], "acceptable_recovery_lag": [0, 1000]}
    points = streams_grid(JOINED, HighAvailabilityTaskAssignor(max_warmup_replicas=3), values, FAST)

    assert [(point.seconds, point.most_copies, point.standing_copies) for point in points] == [
        (600.0, 3, 0),
        (600.0, 6, 6),
        (0.0, 0, 0),
        (0.0, 6, 6),
    ]


def test_a_value_out_of_range_is_refused():
    with pytest.raises(ValueError, match="max_warmup_replicas is 0"):
        streams_grid(JOINED, HighAvailabilityTaskAssignor(), {"max_warmup_replicas": [0]})
