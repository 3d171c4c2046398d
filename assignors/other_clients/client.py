"""ClientAssignor: what the assignors of other clients say of themselves."""

from dataclasses import dataclass
from typing import ClassVar

from assignors.protocol import Assignor


@dataclass(frozen=True)
class ClientAssignor(Assignor):
    """The base of all. `client`: the key of the client whose code this is, as the group document's `leader` names it; it comes with that client."""

    client: ClassVar[str]
    group_type: ClassVar[str] = "classic"
    is_cooperative: ClassVar[bool] = False
    is_in_kafka: ClassVar[bool] = True
    checks_topics: ClassVar[bool] = False
