"""RealApplication: an application of Kafka Streams on a real broker, read when it rests."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from confluent_kafka import Producer

from evenkeel.data.group.document import STABLE, Application
from evenkeel.data.group.document.application import Process
from evenkeel.data.live.application_replay import Roles, roles_of
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.application import LiveApplication
from evenkeel.data.live.reading.documents import live_groups
from tests.brokers.applications import SOURCES, Applications
from tests.brokers.topics import create_topic

_PAUSE_SECONDS, _LIMIT_SECONDS = 0.5, 120
_TASKS = 2 * SOURCES["counted"] + SOURCES["copied"]


class AtRest(NamedTuple):
    """What was read, and how many seconds it took since the question."""

    live: LiveApplication
    seconds: float

    @property
    def roles(self) -> dict[str, Roles]:
        return roles_of(self.live.document)


class RealApplication:
    """`names`: the instances that run, by client id. `records`: in the topic that its
    stores count.
    """

    def __init__(
        self,
        connection: Connection,
        instances: Applications,
        application_id: str,
        records: int,
        **settings: str,
    ):
        self.connection, self.application_id, self.records = connection, application_id, records
        self._instances, self._settings = instances, settings
        self.names: set[str] = set()

    def start(self, name: str, threads: int = 1, disk: str | None = None) -> None:
        """Start an instance; `disk`: the name of one that had this disk before."""
        self.names.add(name)
        self._instances.start(
            name, self.application_id, disk, num_stream_threads=str(threads), **self._settings
        )

    def end(self, name: str, how: Callable[[Applications, str], None] = Applications.stop) -> None:
        """End an instance: by default without a word to the coordinator."""
        self.names.discard(name)
        how(self._instances, name)

    def read(self) -> LiveApplication | None:
        """Read it now; null in the middle of a rebalance."""
        listed = [
            one
            for one in self.connection.ask(self.connection.raw.listed)
            if one.group_id == self.application_id
        ]
        for one in live_groups(self.connection, listed):
            if one.document and one.document.state == STABLE:
                return one.application
        return None

    def at_rest(
        self,
        is_new: Callable[[LiveApplication], bool] = lambda live: True,
        seconds: float = _LIMIT_SECONDS,
    ) -> AtRest:
        """Wait until each instance runs what the group says it has, and all tasks run.

        Raises
        ------
        AssertionError
            With what was seen last, when that takes too long.
        """
        start, live = time.monotonic(), None
        while time.monotonic() < start + seconds:
            live = self.read()
            if live and self._rests(live.document) and is_new(live):
                return AtRest(live, time.monotonic() - start)
            time.sleep(_PAUSE_SECONDS)
        said = {name: self._instances.running(name) for name in sorted(self.names)}
        raise AssertionError(f"{self.application_id}: not at rest after {seconds} s: {live} {said}")

    def restored(self, seconds: float = 3 * _LIMIT_SECONDS) -> AtRest:
        """Wait until no copy of state lacks a record and the stores have counted all records."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            rest = self.at_rest()
            ends = sum(task.end_offset_sum or 0 for task in rest.live.document.tasks or ())
            if ends >= 2 * self.records and not any(
                self._instances.behind(name) for name in sorted(self.names)
            ):
                return self.at_rest()
            time.sleep(_PAUSE_SECONDS)
        raise AssertionError(f"{self.application_id}: copies of state are behind after {seconds} s")

    def _rests(self, document: Application) -> bool:
        processes = document.processes or []
        if sorted(one.client_id for one in processes) != sorted(self.names):
            return False
        active = [task for one in roles_of(document).values() for task in one.active]
        return len(active) == len({*active}) == _TASKS and all(self._runs(one) for one in processes)

    def _runs(self, process: Process) -> bool:
        said = self._instances.running(process.client_id)
        pairs = [(said.active, "owned"), (said.standby, "standby")]
        return said.state == "RUNNING" and all(
            sorted(task for tasks in told.values() for task in tasks)
            == sorted(_listed(process, key))
            for told, key in pairs
        )


def _listed(process: Process, key: str) -> Sequence[str]:
    return [task for consumer in process.consumers for task in getattr(consumer, key) or ()]


def make_sources(connection: Connection, records: int) -> None:
    """Create the source topics of the applications, with records of many keys in `counted`."""
    for name, partitions in SOURCES.items():
        create_topic(connection.admin, name, partitions)
    producer = Producer(
        {"bootstrap.servers": connection.profile.settings["bootstrap.servers"], "linger.ms": "50"}
    )
    for number in range(records):
        producer.produce("counted", key=f"k{number}", value="x")
        producer.poll(0)
    producer.flush()
