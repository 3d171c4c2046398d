"""Java: Kafka's own client. Its assignors are the classes in `ASSIGNORS`. Without other
information, the leader is assumed to be Java.
"""

import re

from evenkeel.assignors.clients.client import (
    CLASSIC_SETTINGS,
    CONSUMER_SETTINGS,
    EAGER,
    NONE_OWNED,
    NUMBER,
    REMOTE_ASSIGNOR,
    STICKY,
    Client,
    ConsumerProtocol,
    Layout,
    SentSubscription,
    Settings,
    WrittenAssignment,
    by_name,
    joins_first,
)
from evenkeel.assignors.kafka.range import RangeAssignor
from evenkeel.assignors.kafka.round_robin import RoundRobinAssignor
from evenkeel.assignors.kafka.sticky.assignor import CooperativeStickyAssignor, StickyAssignor


def _sends(sent: SentSubscription, protocol: str) -> bool:
    if sent.version != 3 or sent.user_data == b"":
        return False
    if sent.user_data is None:
        return protocol in (*EAGER, STICKY)
    if protocol == STICKY:
        return sent.user_data != NONE_OWNED
    return protocol not in EAGER and len(sent.user_data) == NUMBER and not joins_first(sent)


def _writes(assignment: WrittenAssignment, _protocol: str) -> bool:
    return (assignment.version, assignment.user_data) == (3, None)


CLIENT = Client(
    name="java",
    assignors=by_name(RangeAssignor, RoundRobinAssignor, StickyAssignor, CooperativeStickyAssignor),
    label="Java",
    default_client_id=re.compile(r"consumer-.*-\d+"),
    sends=_sends,
    writes=_writes,
    # Clients before Kafka 2.3 send no generation; KIP-341 added it.
    sticky_layouts=(Layout.GENERATION_LAST, Layout.NO_GENERATION),
    settings=Settings(
        "partition.assignment.strategy={}",
        names=None,
        # The default since Kafka 3.0.
        default=("range", "cooperative-sticky"),
        lists_both_kinds=True,
    ),
    consumer_protocol=ConsumerProtocol(
        "clients of Kafka 4.0 or later",
        since="4.0",
        preview="3.7",
        added=CONSUMER_SETTINGS,
        remote=REMOTE_ASSIGNOR,
        removed=CLASSIC_SETTINGS,
        remark="enforceRebalance has no effect.",
    ),
)
