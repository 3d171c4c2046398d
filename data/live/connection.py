"""Connection: the Kafka clients for a cluster. A connection opens within five seconds or fails with
a clear error.
"""

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AclOperation, AdminClient
from kafka import errors
from kafka.errors import (
    BrokerResponseError,
    KafkaConnectionError,
    KafkaTimeoutError,
    NodeNotReadyError,
)
from kafka.errors import (
    KafkaError as OtherKafkaError,
)

from evenkeel.data.configuration.clusters import Profile, profile_of
from evenkeel.data.errors import UnansweredError
from evenkeel.data.live.wire.raw_groups import RawGroups
from evenkeel.data.live.wire.raw_records import RawRecords

T = TypeVar("T")

_OPEN_SECONDS, ANSWER_SECONDS = 4.5, 15
_RECORDS_OPEN_MS = 2000
_CAUSES = {
    KafkaError._AUTHENTICATION: "the broker refuses user, password or mechanism",
    KafkaError._RESOLVE: "no such host",
    KafkaError._TRANSPORT: "no connection",
    KafkaError._SSL: "TLS fails: wrong certificate, or the listener speaks no TLS",
    KafkaError._BAD_MSG: "the address answers, but not as a Kafka broker",
    KafkaError._TIMED_OUT: "no answer in time",
    KafkaError._INVALID_ARG: "a setting is not valid",
}
# A misleading hint, and durations that would change the text of an error each time.
_NOISE = re.compile(r": increase receive\.message\.max\.bytes| ?\(after \d+ms in state .*\)")
# librdkafka puts the value of a setting before its name, and the two may be long.
_PROPERTY = re.compile(r'configuration property "([\w.]+)"')
_QUIET = logging.Logger("evenkeel.librdkafka")
_QUIET.addHandler(logging.NullHandler())
# At each failed attempt, both clients log addresses and user names. The user sees the cause as one
# line instead.
logging.getLogger("kafka").setLevel(logging.CRITICAL)


class Connection:
    """The Kafka clients for a cluster. They send only describe, list and offset requests. They also
    fetch records if the profile has `record_timestamps`.

    `admin` (confluent-kafka): reports why a cluster cannot be reached, and lists topics. `raw`
    (kafka-python): groups, topics and offsets. `records` (kafka-python): timestamps of records,
    opened at the first use. `sees_all_groups`: whether this user has DESCRIBE on the cluster. A
    user without this right sees only the groups that the user may describe.

    Raises
    ------
    UnansweredError
        If the cluster cannot be reached. The message has the first error of a client.
    """

    def __init__(self, profile: Profile):
        self.profile = profile
        self._causes: list[KafkaError] = []
        self._is_closed = False
        self.admin = self._open(
            lambda: AdminClient(
                profile.librdkafka() | {"error_cb": self._causes.append}, logger=_QUIET
            )
        )
        self.sees_all_groups = self.ask(self._reach)
        limits = {"bootstrap_timeout_ms": 4000, "request_timeout_ms": ANSWER_SECONDS * 1000}
        self.raw = self._open(lambda: RawGroups(limits | profile.kafka_python()))
        self._records: RawRecords | None = None
        self._opening_records = Lock()

    @property
    def records(self) -> RawRecords:
        """The client for timestamps of records.

        Raises
        ------
        UnansweredError
            If the client cannot reach the cluster.
        """
        with self._opening_records:
            if self._records is None:
                limits = {"bootstrap_timeout_ms": _RECORDS_OPEN_MS}
                self._records = self._open(lambda: RawRecords(limits | self.profile.kafka_python()))
            return self._records

    def close(self) -> None:
        """Close all clients."""
        self._is_closed = True
        self.raw.close()
        if self._records is not None:
            self._records.close()

    def ask(self, question: Callable[[], T]) -> T:
        """Return the answer of a client. If the client raises an error, the message becomes one
        line without secrets.

        Raises
        ------
        UnansweredError
            If the client raises an error, or if another thread has closed the connection.
        """
        try:
            return question()
        except KafkaException as error:
            raise self.error(error.args[0]) from None
        except OtherKafkaError as error:
            raise UnansweredError(self._line(_words_of(error))) from None
        except RuntimeError:
            if not self._is_closed:
                raise
            raise UnansweredError(
                self._line("the connection was closed during this request; try again")
            ) from None

    def _open(self, client: Callable[[], T]) -> T:
        """Open a client. If a setting is refused, the error does not contain the value of the
        setting.
        """
        try:
            return self.ask(client)
        except (AssertionError, TypeError, ValueError, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            raise UnansweredError(self._line("", why or "a setting is not valid")) from None

    def error(self, cause: Any) -> UnansweredError:
        """Turn an error of confluent-kafka into an UnansweredError."""
        if not isinstance(cause, KafkaError):
            return UnansweredError(self._line(str(cause)))
        if named := _PROPERTY.search(cause.str()):
            return UnansweredError(
                self._line("", f"{_CAUSES[KafkaError._INVALID_ARG]}: {named[1]}")
            )
        # Not librdkafka's own text: it counts brokers, and counts the bootstrap address as a
        # broker.
        if cause.code() == KafkaError._ALL_BROKERS_DOWN:
            return UnansweredError(
                self._line(
                    "no broker answers at"
                    f" {self.profile.settings['bootstrap.servers']}{self._tls_hint()}"
                )
            )
        code = KafkaError._SSL if "SSL routines" in cause.str() else cause.code()
        return UnansweredError(self._line(_NOISE.sub("", cause.str()), _CAUSES.get(code)))

    def _tls_hint(self) -> str:
        has_tls = "SSL" in str(self.profile.settings.get("security.protocol")).upper()
        return "" if has_tls else "; a listener that expects TLS does not answer a plain client"

    def _line(self, message: str, cause: str | None = None) -> str:
        """Return one line of an error: the cause, then the client's message without the values of
        settings.
        """
        words = " ".join(self.profile.without_secrets(message).split())[:400]
        return f"cluster {self.profile.name}: {': '.join(part for part in (cause, words) if part)}"

    def _reach(self) -> bool:
        """Wait until the cluster answers. Return whether the user has DESCRIBE on the cluster."""
        deadline = monotonic() + _OPEN_SECONDS
        answer = self.admin.describe_cluster(
            include_authorized_operations=True, request_timeout=_OPEN_SECONDS
        )
        # librdkafka reports the cause only to `error_cb`, which only poll calls.
        while not answer.done() and not self._causes and monotonic() < deadline:
            self.admin.poll(0.1)
        if not answer.done():
            raise KafkaException(
                self._causes[0]
                if self._causes
                else KafkaError(KafkaError._TIMED_OUT, f"no answer in {_OPEN_SECONDS} s")
            )
        return AclOperation.DESCRIBE in (answer.result().authorized_operations or ())


def _words_of(error: OtherKafkaError) -> str:
    """Return a kafka-python error in words. If the broker answered, the words are Kafka's name of
    the error.
    """
    if isinstance(error, (NodeNotReadyError, KafkaConnectionError, KafkaTimeoutError)):
        return "no broker answers"
    return (
        error.message
        if isinstance(error, BrokerResponseError)
        else f"{type(error).__name__}: {error}"
    )


# Connections by cluster. Each process has one open connection for each cluster. Other connections
# are open only inside a block.


_KEPT: dict[str, Connection] = {}
_OPENING: dict[str, Lock] = {}


def open_connection(profile: Profile) -> Connection:
    """Return this process's connection to a cluster. If the cluster's settings have changed, open a
    new connection.

    Raises
    ------
    SnapshotError
        If the cluster cannot be reached.
    """
    # A lock for each cluster: a cluster that does not answer does not delay requests to others.
    with _OPENING.setdefault(profile.name, Lock()):
        connection = _KEPT.get(profile.name)
        if connection is not None and connection.profile == profile:
            return connection
        opened = _KEPT[profile.name] = Connection(profile)
    if connection is not None:
        connection.close()
    return opened


def drop(connection: Connection) -> None:
    """Close a connection. The next request opens a new one."""
    name = connection.profile.name
    with _OPENING.setdefault(name, Lock()):
        if _KEPT.get(name) is connection:
            del _KEPT[name]
    connection.close()


@contextmanager
def connected(cluster: str) -> Iterator[Connection]:
    """Open a separate connection to a cluster (name or allowed address), and close it
    afterwards.
    """
    connection = Connection(profile_of(cluster))
    try:
        yield connection
    finally:
        connection.close()


# Meaning of a broker's refusal, in one line.


NO_TOPIC = "UNKNOWN_TOPIC_OR_PARTITION: this topic or partition no longer exists"
NO_GROUP = "GROUP_ID_NOT_FOUND: this group no longer exists"
_MEANINGS = {
    "UNKNOWN_TOPIC_OR_PARTITION": NO_TOPIC,
    "GROUP_ID_NOT_FOUND": NO_GROUP,
    "TOPIC_AUTHORIZATION_FAILED": (
        "TOPIC_AUTHORIZATION_FAILED: the right DESCRIBE on a topic is missing"
    ),
    "GROUP_AUTHORIZATION_FAILED": (
        "GROUP_AUTHORIZATION_FAILED: the right DESCRIBE on the group is missing"
    ),
    "UNSTABLE_OFFSET_COMMIT": (
        "UNSTABLE_OFFSET_COMMIT: an open transaction is about to replace the commit"
    ),
    "CLUSTER_AUTHORIZATION_FAILED": (
        "CLUSTER_AUTHORIZATION_FAILED: the right DESCRIBE on the cluster is missing"
    ),
}
NO_COMMIT_VISIBLE = (
    "no commit is visible: nothing is committed, or the right DESCRIBE on its topics is missing"
)
"""Kafka silently omits a group's commits in topics that the user may not see."""

NO_START_VISIBLE = (
    "no start offset is visible: none is set, or the right DESCRIBE on its topics is missing"
)
"""Kafka also silently omits a share group's start offsets in topics that the user may not see."""

NO_START_SAID = (
    "the broker does not report start offsets of share groups, because it is older than Kafka 4.1"
)


def error_word(code: int) -> str:
    """Return Kafka's name for an error code, with its meaning if the name is unclear."""
    name = getattr(errors.for_code(code), "message", None) or f"error {code}"
    return _MEANINGS.get(name, name)
