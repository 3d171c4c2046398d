"""librdkafka: the assignors of a leader that uses confluent-kafka, rdkafka or kcat. Reproduces
librdkafka 2.6.1 to 2.16.0.
"""

import re

from evenkeel.assignors.clients.client import (
    CLASSIC_SETTINGS,
    CONSUMER_SETTINGS,
    COOPERATIVE_STICKY,
    EAGER,
    NUMBER,
    REMOTE_ASSIGNOR,
    STICKY,
    Client,
    ConsumerProtocol,
    SentSubscription,
    Settings,
    WrittenAssignment,
    by_name,
    joins_first,
)
from evenkeel.assignors.clients.librdkafka.cooperative_sticky import (
    LibrdkafkaCooperativeStickyAssignor,
)
from evenkeel.assignors.clients.librdkafka.eager import (
    LibrdkafkaRangeAssignor,
    LibrdkafkaRoundRobinAssignor,
)


def _sends(sent: SentSubscription, protocol: str) -> bool:
    if sent.user_data is None or sent.owned is None:
        return False
    if sent.version == 1:
        # 1.6 to 2.1 send an empty text.
        return not sent.user_data or (
            protocol == COOPERATIVE_STICKY and len(sent.user_data) != NUMBER
        )
    if sent.version != 3 or not sent.user_data:
        return sent.version == 3
    # Without a rack setting, librdkafka sends an empty rack. franz-go, which also sends an array
    # and a generation, sends null.
    is_memory = len(sent.user_data) != NUMBER and not joins_first(sent)
    return protocol not in (*EAGER, STICKY) and is_memory and sent.rack is not None


def _writes(assignment: WrittenAssignment, _protocol: str) -> bool:
    # The leader copies the user data from the member's subscription.
    return assignment.version == 0 and assignment.is_echo


CLIENT = Client(
    name="librdkafka",
    assignors=by_name(
        LibrdkafkaRangeAssignor, LibrdkafkaRoundRobinAssignor, LibrdkafkaCooperativeStickyAssignor
    ),
    differs=(COOPERATIVE_STICKY,),
    releases="2.6 to 2.16",
    libraries="confluent-kafka, rust-rdkafka, node-rdkafka, kcat and others",
    default_client_id=re.compile("rdkafka"),
    sends_empty_rack=True,
    sends=_sends,
    writes=_writes,
    settings=Settings(
        "partition.assignment.strategy={}",
        # 2.16.1 refuses a list with eager and cooperative assignors.
        names={
            "range": "range",
            "roundrobin": "roundrobin",
            COOPERATIVE_STICKY: COOPERATIVE_STICKY,
        },
    ),
    consumer_protocol=ConsumerProtocol(
        "librdkafka 2.12 or later",
        since="2.12",
        preview="2.4",
        added=CONSUMER_SETTINGS,
        remote=REMOTE_ASSIGNOR,
        removed=(*CLASSIC_SETTINGS, "group.protocol.type"),
        remark="Rebalance callbacks must use incremental_assign and incremental_unassign.",
    ),
)
