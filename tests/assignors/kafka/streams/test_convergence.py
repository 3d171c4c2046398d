"""Kafka's TaskAssignorConvergenceTest: clients restore between rounds, and the assignor runs again while it asks for it."""

from dataclasses import replace

import numpy as np

from assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from tests.assignors.applications import Client, application, spelled

END = 150_000
ASSIGNOR = HighAvailabilityTaskAssignor(acceptable_recovery_lag=100, max_warmup_replicas=2, probing_rebalance_interval_ms=60_000)


def numbered(count: int, first: int) -> list[str]:
    """Tasks of subtopologies with 5 partitions each."""
    return [f"{first + place // 5}.{place % 5}" for place in range(count)]


def rounds(tasks: str, stateful: str, clients: list[Client], limit: int, first: int = 0) -> tuple[list[str], list[Client]]:
    """Return the answers until the assignor is content, and the clients with what they have then; at most `limit` rounds."""
    spelled_rounds = []
    for _ in range(limit):
        snapshot = application(tasks, stateful, clients, END)
        answer = ASSIGNOR.assign(snapshot)
        spelled_rounds.append(spelled(snapshot, answer, first))
        clients = [restored(snapshot, answer, process, client) for process, client in enumerate(clients)]
        if not answer.is_probing_rebalance_needed:
            return spelled_rounds, clients
    raise AssertionError("\n".join(["not content:", *spelled_rounds]))


def restored(snapshot, answer, process: int, client: Client) -> Client:
    has = [*np.flatnonzero(answer.active == process), *answer.standby[answer.standby[:, 0] == process, 1]]
    names = [f"{snapshot.task_subtopology[task]}.{snapshot.task_partition[task]}" for task in has]
    return replace(client, lag=dict.fromkeys(names, 0), other_lag=END)


def new(number: int) -> Client:
    return Client(lag=END, process_id=(0, number))


def test_one_task_on_one_client_is_content_at_once():
    assert rounds("0.0 1.0", "1.0", [new(0)], limit=1)[0] == ["· C0[0.0 1.0|–]"]


def test_a_joining_client_warms_up_two_tasks_a_round():
    stateless, stateful = numbered(7, 0), numbered(11, 2)
    tasks = (" ".join([*stateless, *stateful]), " ".join(stateful))

    alone, clients = rounds(*tasks, [new(0)], limit=1)
    together, _ = rounds(*tasks, [*clients, new(1)], limit=6)

    assert alone == ["· C0[0.0 0.1 0.2 0.3 0.4 1.0 1.1 2.0 2.1 2.2 2.3 2.4 3.0 3.1 3.2 3.3 3.4 4.0|–]"]
    assert together == [
        "P C0[2.0 2.1 2.2 2.3 2.4 3.0 3.1 3.2 3.3 3.4 4.0|–] C1[0.0 0.1 0.2 0.3 0.4 1.0 1.1|2.1 2.3]",
        "P C0[2.0 2.2 2.4 3.0 3.1 3.2 3.3 3.4 4.0|–] C1[0.0 0.1 0.2 0.3 0.4 1.0 1.1 2.1 2.3|3.0 3.2]",
        "P C0[0.3 1.0 2.0 2.2 2.4 3.1 3.3 3.4 4.0|–] C1[0.0 0.1 0.2 0.4 1.1 2.1 2.3 3.0 3.2|3.4]",
        "· C0[0.1 0.3 1.0 2.0 2.2 2.4 3.1 3.3 4.0|–] C1[0.0 0.2 0.4 1.1 2.1 2.3 3.0 3.2 3.4|–]",
    ]


def test_a_client_that_dies_leaves_tasks_that_move_on_in_seven_rounds():
    stateless, stateful = numbered(11, 0), numbered(13, 3)
    tasks = (" ".join([*stateless, *stateful]), " ".join(stateful))

    before, clients = rounds(*tasks, [new(number) for number in range(7)], limit=1)
    after, _ = rounds(*tasks, clients[1:], limit=8, first=1)

    assert before == [
        "· C0[0.1 1.3 3.0 4.2|–] C1[0.2 1.4 3.1 4.3|–] C2[0.3 2.0 3.2 4.4|–] C3[0.4 3.3 5.0|–] C4[1.0 3.4 5.1|–] C5[1.1 4.0 5.2|–] "
        "C6[0.0 1.2 4.1|–]"
    ]
    assert after == [
        "P C1[1.0 3.0 3.1 4.3|–] C2[1.1 3.2 4.2 4.4|3.1] C3[0.1 1.2 3.3 5.0|3.2] C4[0.2 1.3 3.4 5.1|–] C5[0.3 1.4 4.0 5.2|–] "
        "C6[0.0 0.4 2.0 4.1|–]",
        "P C1[0.1 1.0 3.0 4.3|–] C2[1.1 3.1 4.2 4.4|–] C3[1.2 3.2 3.3 5.0|–] C4[0.2 1.3 3.4 5.1|3.3] C5[0.3 1.4 4.0 5.2|3.4] "
        "C6[0.0 0.4 2.0 4.1|–]",
        "P C1[0.1 1.0 3.0 4.3|4.1] C2[1.1 3.1 4.2 4.4|–] C3[0.2 1.2 3.2 5.0|–] C4[0.3 1.3 3.3 5.1|–] C5[1.4 3.4 4.0 5.2|–] "
        "C6[0.0 0.4 2.0 4.1|4.0]",
        "P C1[1.0 3.0 4.1 4.3|–] C2[1.1 3.1 4.2 4.4|–] C3[0.1 1.2 3.2 5.0|4.3] C4[0.2 1.3 3.3 5.1|4.4] C5[0.3 1.4 3.4 5.2|–] "
        "C6[0.0 0.4 2.0 4.0|–]",
        "P C1[0.1 1.0 3.0 4.1|–] C2[0.2 1.1 3.1 4.2|–] C3[1.2 3.2 4.3 5.0|–] C4[1.3 3.3 4.4 5.1|–] C5[0.3 1.4 3.4 5.2|5.0] "
        "C6[0.0 0.4 2.0 4.0|5.1]",
        "P C1[0.0 1.0 3.0 4.1|5.2] C2[0.1 1.1 3.1 4.2|–] C3[0.2 1.2 3.2 4.3|–] C4[0.3 1.3 3.3 4.4|–] C5[1.4 3.4 5.0 5.2|–] "
        "C6[0.4 2.0 4.0 5.1|–]",
        "· C1[1.0 3.0 4.1 5.2|–] C2[0.0 1.1 3.1 4.2|–] C3[0.1 1.2 3.2 4.3|–] C4[0.2 1.3 3.3 4.4|–] C5[0.3 1.4 3.4 5.0|–] "
        "C6[0.4 2.0 4.0 5.1|–]",
    ]
