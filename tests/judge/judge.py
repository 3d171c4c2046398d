"""Judge: what Kafka's own classes answer, asked as `evenkeel assign` is."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from evenkeel.data.configuration.plugin import assignor
from evenkeel.data.configuration.plugin.host import Host
from tests.judge.building import BROKER_SOURCES, classes_of

_HERE = Path(__file__).parent
_HOST = Path(assignor.__file__).with_name("Host.java")
_BATCH = 500
_TIME_LIMIT_SECONDS = 300
_BROKER = "kafka-group-coordinator"
_BROKER_SINCE = [3, 9]


class Judge:
    """A JVM with Kafka's client, broker and Streams assignors; a context manager.

    Parameters
    ----------
    version : str
        The Kafka release: from 3.9.0 on with the broker's assignors, from 2.4.0 on with those of
        the clients.
    options : list of str
        For the JVM; the default suits many small groups.
    """

    def __init__(
        self,
        version: str = assignor.KAFKA_VERSION,
        memory: str = "512m",
        options: Iterable[str] = ("-XX:TieredStopAtLevel=1",),
    ):
        self._host = Host(
            [_classes(), *_released(version), *_libraries()], ["Judge", "1"], memory, tuple(options)
        )

    def answer(self, assignor: str, group: dict, settings: dict | None = None) -> dict:
        """Return the answer for one group document."""
        return next(
            self.answers([{"assignor": assignor, "group": group, "settings": settings or {}}])
        )

    def measured(
        self, assignor: str, runs: int, time_limit: float = _TIME_LIMIT_SECONDS
    ) -> dict[str, list[float]]:
        """Return how long each of so many calls of the assignor took on the group that it answered
        last: `milliseconds` by the clock, `processor` of the thread.
        """
        request = msgspec.json.encode({"assignor": assignor, "runs": runs})
        return msgspec.json.decode(self._host.ask([request], time_limit)[0])

    def answers(self, requests: Iterable[dict]) -> Iterator[dict]:
        """Yield one answer for each request, in order, many asked at once."""
        waiting = iter(requests)
        while batch := list(islice(waiting, _BATCH)):
            yield from map(
                msgspec.json.decode,
                self._host.ask(
                    [msgspec.json.encode(request) for request in batch], _TIME_LIMIT_SECONDS
                ),
            )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._host.close()


def _classes() -> Path:
    """Compile the judge against the newest release; what an older release does not have is an error
    only where it is reached.
    """
    return classes_of(
        (_HOST, *sorted(_HERE.glob("*.java")), *BROKER_SOURCES),
        tuple(_released(assignor.KAFKA_VERSION)),
    )


def _released(version: str) -> list[Path]:
    """Return the jars of a release."""
    has_broker = [int(part) for part in version.split(".")[:2]] >= _BROKER_SINCE
    # Of Kafka Streams only the task assignors are asked, in the newest release; what it needs
    # beside, RocksDB among it, is not.
    streams = (
        assignor.kafka_jars("kafka-streams", version, is_alone=True)
        if version == assignor.KAFKA_VERSION
        else []
    )
    return [*assignor.kafka_jars(_BROKER if has_broker else "kafka-clients", version), *streams]


def _libraries() -> list[Path]:
    """Return the jars of others, such as a reader of JSON, which clients alone come without. None
    is Kafka's: what a release lacks must not come from another.
    """
    return [jar for jar in assignor.kafka_jars(_BROKER) if not jar.name.startswith("kafka-")]
