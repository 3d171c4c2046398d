"""Kafka's HighAvailabilityTaskAssignorTest: applications, limits, and the answers of Kafka's class
without racks and with each strategy.
"""

from dataclasses import replace

from tests.assignors.applications import UNBOUNDED, Client

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
        (
            "P C1[0.0 0.2 1.0 2.0 2.2|0.1 1.1 1.2 2.1] C2[0.1 1.1 1.2 2.1|0.0 0.2 1.0 2.0 2.2]"
            " C3[–|0.1 0.2]"
        ),
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
    "ClientsNotDivide": (
        (NINE, NINE, [Client(10)] * 2),
        (0, 1, 0),
        "· C1[0.0 0.2 1.1 2.0 2.2|–] C2[0.1 1.0 1.2 2.1|–]",
    ),
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
    "WarmedUpClients": (
        (FOUR, FOUR, [Client(0, 5), own("0.1", 5), own("1.0", 5)]),
        (0, 2, 0),
        "· C1[0.0 1.1|–] C2[0.1|–] C3[1.0|–]",
    ),
    "ThreadsEvenBestEffortClients": (
        (NINE, NINE, [Client(10, 6), Client(10, 3)]),
        (0, 1, 0),
        "· C1[0.0 0.1 0.2 1.1 2.0 2.2|–] C2[1.0 1.2 2.1|–]",
    ),
    "UnassignedActive": ((B, "0.0", [Client(0)]), (100, 2, 0), "· C1[0.0 0.1|–]"),
    "UnassignedStandby": (
        ("0.0", "0.0", [Client(0), Client(0)]),
        (100, 2, 1),
        "· C1[0.0|–] C2[–|0.0]",
    ),
    "ActiveNotOnCaughtUp": (
        (B, "0.0", [Client(500), Client(0)]),
        (100, 2, 0),
        "P C1[0.1|0.0] C2[0.0|–]",
    ),
    "MostCaughtUp": (
        ("0.0", "0.0", [NEW, Client(1000), Client(500)]),
        (100, 2, 1),
        "P C1[–|0.0] C2[–|0.0] C3[0.0|–]",
    ),
    "StandbysForStateful": (
        (B, B, [own("0.0"), own("0.1")]),
        (100, 2, 1),
        "· C1[0.0|0.1] C2[0.1|0.0]",
    ),
    "NoStandbysForStateless": ((B, "", [NEW, NEW]), (100, 2, 1), "· C1[0.0|–] C2[0.1|–]"),
    "WarmupsWithoutStandbys": ((B, B, [own(B), NEW]), (100, 2, 0), "P C1[0.0 0.1|–] C2[–|0.1]"),
    "MaxWarmup1": ((A4, A4, [own(A4), NEW]), (100, 1, 0), "P C1[0.0 0.1 0.2 0.3|–] C2[–|0.1]"),
    "WarmupAndStandbyNotSame": (
        (A4, A4, [own(A4), NEW]),
        (100, 1, 1),
        "P C1[0.0 0.1 0.2 0.3|–] C2[–|0.0 0.1 0.2 0.3]",
    ),
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
    "PreviousReused": (
        (A4, A4, [own("0.0 0.2"), own("0.1 0.3")]),
        (100, 2, 0),
        "· C1[0.0 0.2|–] C2[0.1 0.3|–]",
    ),
    "NoWarmups": ((A4, "", [NEW, NEW]), (100, 2, 0), "· C1[0.0 0.2|–] C2[0.1 0.3|–]"),
    "WarmupsAssigned": ((B, B, [own(B), NEW]), (100, 2, 0), "P C1[0.0 0.1|–] C2[–|0.1]"),
    "Stateless7Threads": (
        (A7, "", [Client(capacity=7)] * 3),
        (0, 1, 0),
        "· C1[0.0 0.3 1.2|–] C2[0.1 1.0|–] C3[0.2 1.1|–]",
    ),
    "Stateless2Threads": (
        (A7, "", [Client(capacity=2)] * 3),
        (0, 1, 0),
        "· C1[0.0 0.3 1.2|–] C2[0.1 1.0|–] C3[0.2 1.1|–]",
    ),
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
"""(tasks, stateful tasks, clients), (acceptable lag, warmups, standbys), the answer where racks do
not count.
"""

_R0, _R1, _R2, _R3, _R4 = (0, 1), (1, 2), (0, 2), (1, 3), (3, 4)
SOURCE = dict(zip(A9.split(), (_R0, _R1, _R1, _R2, _R2, _R3, _R0, _R1, _R4), strict=True)) | {
    "2.1": _R3,
    "2.2": _R4,
}
"""Numbers of the racks in which each task's source partition has replicas."""

CHANGELOG = dict(zip(A9.split(), (_R0, _R1, _R1, _R2, _R2, _R3, _R0, _R4, _R1), strict=True)) | {
    "2.1": _R2,
    "2.2": _R4,
}

SAME = None
"""The answer of the strategy before it."""

WITH_RACKS = {
    "StickyActiveStandbyWarm": (
        (
            "P C1[0.0 0.2 1.0 2.0 2.2|0.1 1.1 1.2 2.1] C2[0.1 1.1 1.2 2.1|0.0 0.2 1.0 2.0 2.2]"
            " C3[–|0.1 0.2]"
        ),
        (
            "P C1[0.0 1.0 1.2 2.0 2.2|0.1 0.2 1.1 2.1] C2[0.1 0.2 1.1 2.1|0.0 1.0 1.2 2.0 2.2]"
            " C3[–|0.1 0.2]"
        ),
    ),
    "SkipWarmupsMaxLag": (
        "· C1[0.0 1.0 2.0|0.2 1.2 2.2] C2[1.1 1.2 2.1|0.0 0.1 2.0] C3[0.1 0.2 2.2|1.0 1.1 2.1]",
        "· C1[0.0 1.2 2.0|1.0 2.1 2.2] C2[0.1 1.1 2.1|0.0 0.2 1.2] C3[0.2 1.0 2.2|0.1 1.1 2.0]",
    ),
    "ClientsDivideTasks": (
        "· C1[0.0 1.0 2.0|–] C2[1.1 1.2 2.1|–] C3[0.1 0.2 2.2|–]",
        "· C1[0.0 1.2 2.0|–] C2[0.1 1.1 2.1|–] C3[0.2 1.0 2.2|–]",
    ),
    "ThreadsDivideTasks": (
        "· C1[0.0 1.0 2.0|–] C2[1.1 1.2 2.1|–] C3[0.1 0.2 2.2|–]",
        "· C1[0.0 1.2 2.0|–] C2[0.1 1.1 2.1|–] C3[0.2 1.0 2.2|–]",
    ),
    "ClientsNotDivide": ("· C1[0.0 1.0 1.2 2.0 2.2|–] C2[0.1 0.2 1.1 2.1|–]", SAME),
    "UnevenThreads": ("· C1[1.2|–] C2[0.0 1.1|–] C3[0.1 0.2 1.0|–]", SAME),
    "MoreClientsThanTasks": ("· C1[0.0|–] C2[0.1|–] C3[–|–]", SAME),
    "ThreadsPerClientEqTasks": (
        "· C1[0.0 1.0 2.0|–] C2[1.1 1.2 2.1|–] C3[0.1 0.2 2.2|–]",
        "· C1[0.0 1.2 2.0|–] C2[0.1 1.1 2.1|–] C3[0.2 1.0 2.2|–]",
    ),
    "WarmupWhenBalancedOverThreadsOnly": ("P C1[0.0 0.1 1.0 1.1|–] C2[–|1.1] C3[–|0.1]", SAME),
    "WarmedUpClients": ("· C1[0.0 1.0|–] C2[1.1|–] C3[0.1|–]", SAME),
    "ThreadsEvenBestEffortClients": (
        "· C1[0.0 1.0 1.1 1.2 2.0 2.2|–] C2[0.1 0.2 2.1|–]",
        "· C1[0.0 0.1 1.0 1.2 2.0 2.2|–] C2[0.2 1.1 2.1|–]",
    ),
    "UnassignedActive": ("· C1[0.0 0.1|–]", SAME),
    "UnassignedStandby": ("· C1[0.0|–] C2[–|0.0]", SAME),
    "ActiveNotOnCaughtUp": ("P C1[0.1|0.0] C2[0.0|–]", SAME),
    "MostCaughtUp": ("P C1[–|0.0] C2[–|0.0] C3[0.0|–]", SAME),
    "StandbysForStateful": ("· C1[0.0|0.1] C2[0.1|0.0]", SAME),
    "NoStandbysForStateless": ("· C1[0.0|–] C2[0.1|–]", SAME),
    "WarmupsWithoutStandbys": ("P C1[0.0 0.1|–] C2[–|0.1]", SAME),
    "MaxWarmup1": ("P C1[0.0 0.1 0.2 0.3|–] C2[–|0.1]", SAME),
    "WarmupAndStandbyNotSame": ("P C1[0.0 0.1 0.2 0.3|–] C2[–|0.0 0.1 0.2 0.3]", SAME),
    "InsufficientCapacity": ("· C1[0.0 0.1|–]", SAME),
    "NoneCaughtUp": ("· C1[0.0 0.1|–]", SAME),
    "MaxWarmupWithStandbys": ("P C1[0.0 0.1 0.2 0.3|–] C2[–|0.0 0.1 0.2 0.3] C3[–|0.1 0.2]", SAME),
    "StatelessBalanceTotalLoad": ("P C1[0.0 0.1 0.2 0.3|–] C2[1.0 1.1 1.2|0.0 0.1 0.2 0.3]", SAME),
    "StatefulToAllClients": ("· C1[0.0 0.3 1.0 1.1 1.2 2.0|–] C2[0.1 1.3|–] C3[0.2|–]", SAME),
    "PreviousReused": ("· C1[0.0 0.3|–] C2[0.1 0.2|–]", SAME),
    "NoWarmups": ("· C1[0.0 0.3|–] C2[0.1 0.2|–]", SAME),
    "WarmupsAssigned": ("P C1[0.0 0.1|–] C2[–|0.1]", SAME),
    "Stateless7Threads": (
        "· C1[0.0 0.3 1.2|–] C2[0.1 1.1|–] C3[0.2 1.0|–]",
        "· C1[0.0 1.0 1.2|–] C2[0.2 1.1|–] C3[0.1 0.3|–]",
    ),
    "Stateless2Threads": (
        "· C1[0.0 0.3 1.2|–] C2[0.1 1.1|–] C3[0.2 1.0|–]",
        "· C1[0.0 1.0 1.2|–] C2[0.2 1.1|–] C3[0.1 0.3|–]",
    ),
    "StatelessUneven": (
        "· C1[0.0 1.2|–] C2[0.1 1.1|–] C3[0.2 0.3 1.0|–]",
        "· C1[0.0 1.2|–] C2[0.2 1.1|–] C3[0.1 0.3 1.0|–]",
    ),
    "StatelessPrevIgnored": (
        "· C1[0.0 0.3 1.2|–] C2[0.1 1.1|–] C3[0.2 1.0|–]",
        "· C1[0.0 1.0 1.2|–] C2[0.2 1.1|–] C3[0.1 0.3|–]",
    ),
}
"""Answers of `min_traffic` and `balance_subtopology`."""

_OTHER_CLIENTS = {
    "WarmedUpClients": [Client(0, 5), own("1.1", 5), own("0.1", 5)],
    "PreviousReused": [own("0.0 0.3"), own("0.1 0.2")],
}


def clients_in_racks(name: str) -> list[Client]:
    """Return the clients of a case, the first in rack 0, the second in rack 1, and so on; Kafka's
    tests begin two cases otherwise then.
    """
    clients = _OTHER_CLIENTS.get(name, CASES[name][0][2])
    return [replace(client, rack=rack) for rack, client in enumerate(clients)]
