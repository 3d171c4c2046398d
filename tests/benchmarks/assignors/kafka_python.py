"""kafka-python's assignors on the benchmarks' cases, in a process of their own that can be
ended.
"""

import multiprocessing
import resource
import time

from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from kafka.coordinator.assignors.sticky.user_data import StickyAssignorUserData
from kafka.protocol.consumer.metadata import ConsumerProtocolSubscription

from tests.benchmarks.assignors.cases import case, document
from tests.benchmarks.assignors.timing import Times

ASSIGNORS = {
    "range": RangePartitionAssignor,
    "roundrobin": RoundRobinPartitionAssignor,
    "sticky": StickyPartitionAssignor,
}
_MOST_BYTES = 14 << 30


class Failed(Exception):
    """What it said in place of an answer, or that it took too long."""


class _Member:
    group_instance_id = None

    def __init__(self, member: dict, generation: int):
        self.member_id = member["member_id"]
        said = (
            StickyAssignorUserData(list(member["owned"].items()), generation)
            if member["owned"]
            else b""
        )
        self.metadata = ConsumerProtocolSubscription(0, member["subscribed"], said)


class _Cluster:
    def __init__(self, topics: list[dict]):
        self._partitions = {topic["name"]: set(range(topic["partitions"])) for topic in topics}

    def topics(self):
        return set(self._partitions)

    def partitions_for_topic(self, topic: str):
        return self._partitions.get(topic)


class KafkaPython:
    """One case, answered and timed; a context manager."""

    def __init__(self, assignor: str, *name: str):
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, assignor, name), daemon=True)
        self._process.start()

    def assignment(self, time_limit: float) -> dict[str, dict[str, list[int]]]:
        """Return what each member gets."""
        return self._asked(0, time_limit)

    def times(self, runs: int, time_limit: float) -> Times:
        """Return how long so many calls take; raise Failed."""
        return self._asked(runs, time_limit)

    def _asked(self, runs: int, time_limit: float):
        self._pipe.send(runs)
        if not self._pipe.poll(time_limit):
            raise Failed(f"> {time_limit:.0f} s")
        answer = self._pipe.recv()
        if isinstance(answer, Failed):
            raise answer
        return answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.join()


def _serve(pipe, assignor: str, name: tuple[str, ...]):
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    asked = document(case(*name))
    cluster, members = (
        _Cluster(asked["topics"]),
        [_Member(member, 1) for member in asked["members"]],
    )
    while True:
        try:
            pipe.send(
                _times(assignor, cluster, members, runs)
                if (runs := pipe.recv())
                else _assignment(assignor, cluster, members)
            )
        except MemoryError:
            pipe.send(Failed(f"> {_MOST_BYTES >> 30} GB"))
        except Exception as error:
            pipe.send(Failed(type(error).__name__))


def _times(assignor: str, cluster: _Cluster, members: list[_Member], runs: int) -> Times:
    times = Times([], [])
    for _ in range(runs):
        fresh, start, used = ASSIGNORS[assignor](), time.perf_counter(), time.process_time()
        fresh.assign(cluster, members)
        times.wall.append((time.perf_counter() - start) * 1e3)
        times.processor.append((time.process_time() - used) * 1e3)
    return times


def _assignment(
    assignor: str, cluster: _Cluster, members: list[_Member]
) -> dict[str, dict[str, list[int]]]:
    given = ASSIGNORS[assignor]().assign(cluster, members)
    return {member: dict(each.assigned_partitions) for member, each in given.items()}
