"""Random streams documents, and the next one after an answer: what consumers own and have restored
by then.
"""

from random import Random
from uuid import UUID

LARGEST = 2**63 - 1
SETTINGS = {
    "acceptable.recovery.lag": (0, 5, 100, 10_000, LARGEST),
    "max.warmup.replicas": (1, 2, 3, 10),
    "num.standby.replicas": (0, 0, 1, 1, 2, 4, -1),
}


def streams_request(random: Random, assignor: str) -> dict:
    """Return a request about an unrelated application, one in ten larger."""
    return {
        "assignor": assignor,
        "group": streams_document(random),
        "settings": streams_settings(random, assignor),
    }


def leader_request(random: Random, assignor: str) -> dict:
    """Return a request about an application that a leader can have: it has tasks and processes, and
    a topology has its tasks.

    In four of five the coordinator's list mixes the consumers of processes, in one of ten no end
    offset is known.
    """
    request = streams_request(random, assignor)
    while not (request["group"]["tasks"] and request["group"]["processes"]):
        request = streams_request(random, assignor)
    document = request["group"]
    if random.random() < 0.7:
        count = len({_subtopology(task["task_id"]) for task in document["tasks"]})
        _renumber(document, sorted(random.sample(range(random.choice([8, 14, 40])), count)))
    _level(document["tasks"])
    if random.random() < 0.1:
        for task in document["tasks"]:
            task.pop("end_offset_sum", None)
    return request | {"group": _listed(random, document) if random.random() < 0.8 else document}


def _listed(random: Random, document: dict) -> dict:
    """Return the document as a coordinator lists its consumers, across processes."""
    consumers = [consumer for process in document["processes"] for consumer in process["consumers"]]
    for consumer, place in zip(
        consumers, random.sample(range(len(consumers)), len(consumers)), strict=True
    ):
        consumer["order"] = place
    return document


def _subtopology(task_id: str) -> int:
    return int(task_id.split("_")[0])


def _renumber(document: dict, numbers: list[int]):
    """Give subtopologies these numbers: some are left out, such as those of global stores."""

    def renamed(task_id: str) -> str:
        subtopology, partition = map(int, task_id.split("_"))
        return f"{numbers[subtopology]}_{partition}" if subtopology < len(numbers) else task_id

    for task in document["tasks"]:
        task["task_id"] = renamed(task["task_id"])
    for consumer in (
        consumer for process in document["processes"] for consumer in process["consumers"]
    ):
        consumer["owned"], consumer["standby"] = (
            [renamed(each) for each in consumer[role]] for role in ("owned", "standby")
        )
        consumer["task_offset_sums"] = {
            renamed(each): offset_sum for each, offset_sum in consumer["task_offset_sums"].items()
        }


def _level(tasks: list[dict]):
    """Let a topic end once for all higher partitions, and give the tasks of a subtopology as many
    changelogs each.
    """
    sources: dict[int, int] = {}
    changelogs: dict[int, int] = {}
    for task in sorted(tasks, key=lambda one: int(one["task_id"].split("_")[1])):
        number = _subtopology(task["task_id"])
        if "source_racks" in task:
            sources[number] = min(
                sources.get(number, len(task["source_racks"])), len(task["source_racks"])
            )
            task["source_racks"] = task["source_racks"][: sources[number]]
        if "changelog_racks" in task:
            count = changelogs.setdefault(number, len(task["changelog_racks"]))
            task["changelog_racks"] = (task["changelog_racks"] * count)[:count]


def streams_settings(random: Random, assignor: str) -> dict:
    """Return what a leader has configured; half settle racks, a third tags. A broker refuses a
    negative number of standbys.
    """
    settings = {
        name: random.choice(values) for name, values in SETTINGS.items() if random.random() < 0.9
    }
    if assignor == "streams-group-sticky" and settings.get("num.standby.replicas") == -1:
        settings["num.standby.replicas"] = 3
    if random.random() < 0.5:
        settings["rack.aware.assignment.strategy"] = random.choice(
            ["min_traffic", "balance_subtopology", "none"]
        )
        costs = [("traffic", (0, 1, 10, 100)), ("non_overlap", (0, 1, 10))]
        settings |= {
            f"rack.aware.assignment.{name}_cost": random.choice(values)
            for name, values in costs
            if random.random() < 0.5
        }
    if random.random() < 0.3:
        settings["rack.aware.assignment.tags"] = random.choice(
            [["zone"], ["zone", "cluster"], ["none"], ["cluster", "odd"]]
        )
    return settings


def streams_document(random: Random) -> dict:
    is_large = random.random() < 0.1
    tasks = _tasks(random, 8 if is_large else 4, 30 if is_large else 6)
    drawn = [
        _process(random, place)
        for place in range(
            random.randint(0 if random.random() < 0.02 else 1, 30 if is_large else 6)
        )
    ]
    processes = list({process["process_id"]: process for process in drawn}.values())
    document = {"format": "evenkeel.streams/1", "tasks": tasks, "processes": processes}
    if random.random() < 0.9:
        _put_into_racks(random, tasks, processes)
    for process in processes:
        for consumer in process["consumers"]:
            _report(random, consumer, tasks)
    return document


def _tasks(random: Random, most_subtopologies: int, most_partitions: int) -> list[dict]:
    tasks = []
    for subtopology in range(random.randint(0 if random.random() < 0.1 else 1, most_subtopologies)):
        is_stateful = random.random() < 0.7
        for partition in range(random.randint(1, most_partitions)):
            task = {"task_id": f"{subtopology}_{partition}", "stateful": is_stateful}
            if is_stateful:
                task["end_offset_sum"] = random.choice([0, 10, 100, 1000, 1000, 20_000, LARGEST])
            tasks.append(task)
    random.shuffle(tasks)
    return tasks


def _put_into_racks(random: Random, tasks: list[dict], processes: list[dict]):
    """Give racks to all processes and replicas; once in a while one of them has none."""
    names = random.choice(["ab", "abc", "abcde"])
    for process in processes:
        process["rack"] = random.choice(names)
    for task in tasks:
        task["source_racks"] = [
            random.sample(names, random.randint(1, 2)) for _ in range(random.choice([1, 1, 2, 3]))
        ]
        if task["stateful"]:
            task["changelog_racks"] = [
                random.sample(names, random.randint(1, 2)) for _ in range(random.choice([1, 1, 2]))
            ]
    if random.random() < 0.1 and processes:
        random.choice(processes)["rack"] = random.choice([None, ""])
    elif random.random() < 0.1 and tasks:
        random.choice(tasks)["source_racks"] = [["a", None]]


def _process(random: Random, place: int) -> dict:
    # Small ids meet in one bucket of Java's maps, and the first digit decides the sign.
    number = random.choice(
        [
            random.getrandbits(128),
            random.getrandbits(6) << 120 | random.getrandbits(4),
            random.getrandbits(3) << 64,
        ]
    )
    names = [
        "Aa",
        "BB",
        "AaAa",
        "BBBB",
        f"c{random.getrandbits(12)}",
        f"app-{random.getrandbits(64):x}-StreamThread-1",
    ]
    consumers = [
        {"member_id": f"{random.choice(names)}{place}-{number_of}"}
        for number_of in range(random.choice([1, 1, 2, 3, 5]))
    ]
    process = {"process_id": str(UUID(int=(number + place) % 2**128)), "consumers": consumers}
    if random.random() < 0.9:
        chances = {"zone": 0.9, "cluster": 0.9, "odd": 0.2}
        process["client_tags"] = {
            key: random.choice(["a", "b", "c"])
            for key, chance in chances.items()
            if random.random() < chance
        }
    return process


def _report(random: Random, consumer: dict, tasks: list[dict]):
    """Write what the consumer owns and has of each task's state."""
    names = [task["task_id"] for task in tasks] + (["7_77"] if random.random() < 0.1 else [])
    consumer["owned"] = random.sample(names, random.randint(0, min(len(names), 6)))
    sums = {}
    for task in random.sample(tasks, random.randint(0, len(tasks))):
        end = task.get("end_offset_sum") or 0
        sums[task["task_id"]] = random.choice(
            [
                -2,
                -2,
                -3,
                0,
                end,
                max(end - 5, 0),
                max(end - 100, 0),
                end // 2,
                min(end + 7, LARGEST),
            ]
        )
    consumer["task_offset_sums"] = sums | ({"7_77": 5} if random.random() < 0.1 else {})
    kept = [task["task_id"] for task in tasks if task["stateful"]]
    consumer["standby"] = random.sample(kept, random.randint(0, min(len(kept), 6)))


def next_application(random: Random, document: dict, answer: dict) -> dict:
    """Return the application after the answer: consumers own what they got, have restored some of
    it, and a process may leave or join.
    """
    ends = {
        task["task_id"]: task.get("end_offset_sum", 1_000 if task["stateful"] else None)
        for task in document["tasks"]
    }
    processes = [
        process
        | {
            "consumers": [
                _restored(random, consumer, answer, ends) for consumer in process["consumers"]
            ]
        }
        for process in document["processes"]
    ]
    if random.random() < 0.3 and len(processes) > 1:
        processes.remove(random.choice(processes))
    if random.random() < 0.3:
        processes.insert(
            random.randint(0, len(processes)), _joined(random, len(processes), processes)
        )
    after = document | {"processes": processes}
    return _listed(random, after) if "order" in document["processes"][0]["consumers"][0] else after


def _joined(random: Random, place: int, others: list[dict]) -> dict:
    process = _process(random, place)
    process |= {"process_id": str(UUID(int=random.getrandbits(128))), "rack": others[0].get("rack")}
    taken = {consumer["member_id"] for other in others for consumer in other["consumers"]}
    named = [each for each in process["consumers"] if each["member_id"] not in taken]
    process["consumers"] = named or [{"member_id": f"new {random.getrandbits(64):x}"}]
    return process


def _restored(random: Random, consumer: dict, answer: dict, ends: dict[str, int | None]) -> dict:
    got, waiting = (
        answer["threads"][consumer["member_id"]],
        answer["withheld"].get(consumer["member_id"], []),
    )
    owned = [task for task in got["active"] if task not in waiting]
    sums = {
        task: -2 if random.random() < 0.8 else ends[task] // 2
        for task in owned
        if ends[task] is not None
    }
    for task in got["standby"]:
        sums[task] = random.choice([ends[task], max(ends[task] - 50, 0), ends[task] // 2])
    return {
        "member_id": consumer["member_id"],
        "owned": owned,
        "standby": got["standby"],
        "task_offset_sums": sums,
    }
