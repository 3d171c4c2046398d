"""ClientAssignor: what the assignors of other clients say of themselves."""

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.protocol import Assignor


@dataclass(frozen=True)
class ClientAssignor(Assignor):
    """The base of all; each comes with its client. `client`: its key, as the group document's `leader` names it."""

    client: ClassVar[str]
    group_type: ClassVar[str] = "classic"
    is_cooperative: ClassVar[bool] = False
    is_in_kafka: ClassVar[bool] = True
    checks_topics: ClassVar[bool] = False
