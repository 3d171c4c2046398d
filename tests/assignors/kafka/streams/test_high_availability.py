"""Kafka's HighAvailabilityTaskAssignorTest; the answers are those of Kafka's class."""

import pytest

from assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from tests.assignors.applications import UNBOUNDED, Client, application, spelled

NINE = "0.0 0.1 0.2 1.0 1.1 1.2 2.0 2.1 2.2"
SIX = "0.0 0.1 0.2 1.0 1.1 1.2"
FOUR = "0.0 0.1 1.0 1.1"
A4 = "0.0 0.1 0.2 0.3"
A7 = f"{A4} 1.0 1.1 1.2"
A9 = f"{A7} 1.3 2.0"
B = "0.0 0.1"


def own(tasks: str, capacity: int = 1) -> Client:
    return Client(dict.fromkeys(tasks.split(), 0), capacity)


NEW = Client()
CASES = {
    "StickyActiveStandbyWarm": (
        (NINE, NINE, [Client(0), Client(10), NEW]),
        (11, 2, 1),
        "P C1[0.0 0.2 1.0 2.0 2.2|0.1 1.1 1.2 2.1] C2[0.1 1.1 1.2 2.1|0.0 0.2 1.0 2.0 2.2] C3[–|0.1 0.2]",
    ),
    "SkipWarmupsMaxLag": (
        (NINE, NINE, [Client(0), NEW, NEW]),
        (UNBOUNDED, 1, 1),
        "· C1[0.0 1.0 2.0|0.2 2.1 2.2] C2[0.1 1.1 2.1|0.0 1.2 2.0] C3[0.2 1.2 2.2|0.1 1.0 1.1]",
    ),
    "ClientsDivideTasks": (
        (NINE, NINE, [Client(10)] * 3),
        (0, 1, 0),
        "· C1[0.0 1.0 2.0|–] C2[0.1 1.1 2.1|–] C3[0.2 1.2 2.2|–]",
    ),
    "ThreadsDivideTasks": (
        (NINE, NINE, [Client(10, 3)] * 3),
        (0, 1, 0),
        "· C1[0.0 1.0 2.0|–] C2[0.1 1.1 2.1|–] C3[0.2 1.2 2.2|–]",
    ),
    "ClientsNotDivide": ((NINE, NINE, [Client(10)] * 2), (0, 1, 0), "· C1[0.0 0.2 1.1 2.0 2.2|–] C2[0.1 1.0 1.2 2.1|–]"),
    "UnevenThreads": (
        (SIX, SIX, [Client(10, 1), Client(10, 2), Client(10, 3)]),
        (0, 1, 0),
        "· C1[1.0|–] C2[0.1 1.1|–] C3[0.0 0.2 1.2|–]",
    ),
    "MoreClientsThanTasks": ((B, B, [Client(10)] * 3), (0, 1, 0), "· C1[0.0|–] C2[0.1|–] C3[–|–]"),
    "ThreadsPerClientEqTasks": (
        (NINE, NINE, [Client(10, 9)] * 3),
        (0, 1, 0),
        "· C1[0.0 1.0 2.0|–] C2[0.1 1.1 2.1|–] C3[0.2 1.2 2.2|–]",
    ),
    "WarmupWhenBalancedOverThreadsOnly": (
        (FOUR, FOUR, [Client(0, 5), Client(capacity=5), Client(capacity=5)]),
        (0, 2, 0),
        "P C1[0.0 0.1 1.0 1.1|–] C2[–|0.1] C3[–|1.0]",
    ),
    "WarmedUpClients": ((FOUR, FOUR, [Client(0, 5), own("0.1", 5), own("1.0", 5)]), (0, 2, 0), "· C1[0.0 1.1|–] C2[0.1|–] C3[1.0|–]"),
    "ThreadsEvenBestEffortClients": (
        (NINE, NINE, [Client(10, 6), Client(10, 3)]),
        (0, 1, 0),
        "· C1[0.0 0.1 0.2 1.1 2.0 2.2|–] C2[1.0 1.2 2.1|–]",
    ),
    "UnassignedActive": ((B, "0.0", [Client(0)]), (100, 2, 0), "· C1[0.0 0.1|–]"),
    "UnassignedStandby": (("0.0", "0.0", [Client(0), Client(0)]), (100, 2, 1), "· C1[0.0|–] C2[–|0.0]"),
    "ActiveNotOnCaughtUp": ((B, "0.0", [Client(500), Client(0)]), (100, 2, 0), "P C1[0.1|0.0] C2[0.0|–]"),
    "MostCaughtUp": (("0.0", "0.0", [NEW, Client(1000), Client(500)]), (100, 2, 1), "P C1[–|0.0] C2[–|0.0] C3[0.0|–]"),
    "StandbysForStateful": ((B, B, [own("0.0"), own("0.1")]), (100, 2, 1), "· C1[0.0|0.1] C2[0.1|0.0]"),
    "NoStandbysForStateless": ((B, "", [NEW, NEW]), (100, 2, 1), "· C1[0.0|–] C2[0.1|–]"),
    "WarmupsWithoutStandbys": ((B, B, [own(B), NEW]), (100, 2, 0), "P C1[0.0 0.1|–] C2[–|0.1]"),
    "MaxWarmup1": ((A4, A4, [own(A4), NEW]), (100, 1, 0), "P C1[0.0 0.1 0.2 0.3|–] C2[–|0.1]"),
    "WarmupAndStandbyNotSame": ((A4, A4, [own(A4), NEW]), (100, 1, 1), "P C1[0.0 0.1 0.2 0.3|–] C2[–|0.0 0.1 0.2 0.3]"),
    "InsufficientCapacity": ((B, B, [own(B)]), (100, 2, 1), "· C1[0.0 0.1|–]"),
    "NoneCaughtUp": ((B, B, [NEW]), (100, 2, 1), "· C1[0.0 0.1|–]"),
    "MaxWarmupWithStandbys": (
        (A4, A4, [own(A4), NEW, NEW]),
        (100, 2, 1),
        "P C1[0.0 0.1 0.2 0.3|–] C2[–|0.0 0.1 0.2 0.3] C3[–|0.1 0.2]",
    ),
    "StatelessBalanceTotalLoad": (
        (A7, A4, [own(A4), NEW]),
        (100, 2, 1),
        "P C1[0.0 0.1 0.2 0.3|–] C2[1.0 1.1 1.2|0.0 0.1 0.2 0.3]",
    ),
    "StatefulToAllClients": (
        (A9, A9, [Client(0, 100), Client(0, 50), Client(0)]),
        (100, 2, 0),
        "· C1[0.0 0.1 0.2 0.3 1.1 1.2|–] C2[1.0 1.3|–] C3[2.0|–]",
    ),
    "PreviousReused": ((A4, A4, [own("0.0 0.2"), own("0.1 0.3")]), (100, 2, 0), "· C1[0.0 0.2|–] C2[0.1 0.3|–]"),
    "NoWarmups": ((A4, "", [NEW, NEW]), (100, 2, 0), "· C1[0.0 0.2|–] C2[0.1 0.3|–]"),
    "WarmupsAssigned": ((B, B, [own(B), NEW]), (100, 2, 0), "P C1[0.0 0.1|–] C2[–|0.1]"),
    "Stateless7Threads": ((A7, "", [Client(capacity=7)] * 3), (0, 1, 0), "· C1[0.0 0.3 1.2|–] C2[0.1 1.0|–] C3[0.2 1.1|–]"),
    "Stateless2Threads": ((A7, "", [Client(capacity=2)] * 3), (0, 1, 0), "· C1[0.0 0.3 1.2|–] C2[0.1 1.0|–] C3[0.2 1.1|–]"),
    "StatelessUneven": (
        (A7, "", [Client(capacity=capacity) for capacity in (1, 2, 3)]),
        (0, 1, 0),
        "· C1[0.0 1.2|–] C2[0.1 1.0|–] C3[0.2 0.3 1.1|–]",
    ),
    "StatelessPrevIgnored": (
        (A7, "", [Client(capacity=3, owned=A7.split()), Client(capacity=3), Client(capacity=3)]),
        (0, 1, 0),
        "· C1[0.0 0.3 1.2|–] C2[0.1 1.0|–] C3[0.2 1.1|–]",
    ),
}


@pytest.mark.parametrize(("given", "limits", "expected"), CASES.values(), ids=CASES)
def test_kafkas_own_cases_have_kafkas_answers(given, limits, expected):
    snapshot = application(*given)
    lag, warmups, standbys = limits

    answer = HighAvailabilityTaskAssignor(lag, warmups, standbys).assign(snapshot)

    assert spelled(snapshot, answer) == expected
