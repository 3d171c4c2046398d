"""What librdkafka's assignors have in common."""

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.protocol import Assignor


@dataclass(frozen=True)
class LibrdkafkaAssignor(Assignor):
    """An assignor of librdkafka 2.6.1 to 2.16.0, run by a member that leads; it comes with the client."""

    client: ClassVar[str] = "librdkafka"
    group_type: ClassVar[str] = "classic"
    is_cooperative: ClassVar[bool] = False
    is_in_kafka: ClassVar[bool] = True
    checks_topics: ClassVar[bool] = False
