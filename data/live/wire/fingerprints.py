"""Fingerprints: which clients send such a subscription. Seen in real joins to Kafka 4.3.1, with the newest release of each client."""

from evenkeel.data.live.wire.consumer_protocol import Subscription

ONLY_OF = {"RoundRobinAssigner": "kafkajs", "rack-affinity": "kafka-go"}
"""Protocols that one client alone offers."""

_EAGER = ("range", "roundrobin")
_STICKY, _COOPERATIVE = "sticky", "cooperative-sticky"
_NOTHING, _NONE_OWNED = b"", b"\0\0\0\0"
_NUMBER = 4
"""Bytes of a generation, or of the length of an array."""


def clients_that_send(sent: Subscription, protocol: str) -> frozenset[str]:
    """Return the clients whose bytes these can be; none where they fit no known client."""
    if protocol in ONLY_OF:
        return frozenset([ONLY_OF[protocol]])
    by_version = {0: _version_0, 1: _version_1, 2: _version_2, 3: _version_3}
    return frozenset(by_version[sent.version](sent, protocol))


def _version_0(sent: Subscription, protocol: str) -> set[str]:
    if sent.user_data is None:
        return {"sarama"}
    if not sent.user_data:
        return {"kafka-python", "aiokafka"} if protocol in (*_EAGER, _STICKY) else set()
    if protocol != _STICKY:
        return set()
    # kafka-python's user data begins with a version; the array of the others begins with its length, which is below 65,536.
    return {"kafka-python"} if sent.user_data[:2] == b"\0\1" else {"aiokafka"}


def _version_1(sent: Subscription, protocol: str) -> set[str]:
    if sent.owned is None:
        # It ends behind the user data.
        return {"kafka-go", "platformatic"} if protocol == "roundrobin" else {"kafka-go"}
    if sent.user_data is None:
        return {"sarama", "platformatic"} if protocol == "roundrobin" else {"sarama"}
    if protocol == _COOPERATIVE:
        return _cooperative_1(sent.user_data)
    # librdkafka 1.6 to 2.1 sends an empty text.
    return {"librdkafka"} if not sent.user_data else {"sarama"} if protocol == _STICKY else set()


def _cooperative_1(user_data: bytes) -> set[str]:
    if len(user_data) == _NUMBER:
        return {"sarama", "platformatic"}
    return {"librdkafka", "kafka-python"} if not user_data else {"librdkafka"}


def _version_2(_sent: Subscription, _protocol: str) -> set[str]:
    return {"sarama"}


def _version_3(sent: Subscription, protocol: str) -> set[str]:
    if sent.user_data == _NOTHING:
        return {"librdkafka"}
    if protocol in _EAGER:
        return {"java", "franz-go"} if sent.user_data is None else set()
    if sent.user_data is None:
        return {"java"} if protocol == _STICKY else {"platformatic"}
    return _sticky_3(sent.user_data) if protocol == _STICKY else _cooperative_3(sent)


def _sticky_3(user_data: bytes) -> set[str]:
    if user_data == _NONE_OWNED:
        return {"franz-go"}
    # A member of franz-go gives up everything before it joins: its array is always empty.
    return {"java", "franz-go"} if user_data[:_NUMBER] == _NONE_OWNED else {"java"}


def _cooperative_3(sent: Subscription) -> set[str]:
    user_data = sent.user_data or _NOTHING
    if user_data == _NONE_OWNED and (sent.generation or 0) < 0:
        return {"franz-go"}
    if len(user_data) == _NUMBER:
        return {"java"}
    # Both send an array and a generation; librdkafka sends an empty rack where none is set, franz-go sends null.
    return {"librdkafka"} if sent.rack == "" else {"franz-go"} if sent.rack is None else {"franz-go", "librdkafka"}
