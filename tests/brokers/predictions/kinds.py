"""Kinds of groups: whose client leads, which assignor, equal or differing subscriptions."""

from typing import NamedTuple

from tests.data.live.histories import PROTOCOLS, QUICK_HEARTBEATS

JAVA, LIBRDKAFKA = "Java", "librdkafka"

SHORT_SESSION_MS = "6000"
BROKERS = QUICK_HEARTBEATS | {
    f"group.consumer.{limit}session.timeout.ms": SHORT_SESSION_MS for limit in ("", "min.")
}
"""Settings of brokers: a member that dies is missed after six seconds."""


class Kind(NamedTuple):
    """One kind of group."""

    client: str
    assignor: str
    is_equal: bool = True

    def __str__(self) -> str:
        return f"{self.client}-{self.assignor}-{'equal' if self.is_equal else 'differing'}"

    @property
    def is_classic(self) -> bool:
        return self.assignor not in ("uniform", "broker-range")

    def settings(self, session_ms: str | None = None) -> dict[str, str]:
        """Return a consumer's settings, with _ for the dots; the leader of a classic group must
        notice soon that a topic has grown.
        """
        session = {"session_timeout_ms": session_ms} if session_ms and self.is_classic else {}
        if self.client == JAVA:
            return (
                PROTOCOLS[self.assignor]
                | session
                | {"enable_auto_commit": "false", "metadata_max_age_ms": "1000"}
            )
        named = {
            "group_protocol": "consumer",
            "group_remote_assignor": self.assignor.removeprefix("broker-"),
        }
        return (
            session | {"partition_assignment_strategy": self.assignor} if self.is_classic else named
        ) | {"topic_metadata_refresh_interval_ms": "1000"}


KINDS = [
    Kind(client, assignor, is_equal)
    for client, assignors in (
        (JAVA, ("range", "roundrobin", "sticky", "cooperative-sticky", "uniform", "broker-range")),
        (LIBRDKAFKA, ("range", "roundrobin", "cooperative-sticky", "uniform", "broker-range")),
    )
    for assignor in assignors
    for is_equal in (True, False)
]
