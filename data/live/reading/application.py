"""LiveApplication: a Kafka Streams application as streams documents; pages know it without a Kafka
client.
"""

from typing import NamedTuple

from evenkeel.data.group.document import Application


class LiveApplication(NamedTuple):
    """`document`: the input of the next rebalance; its `owned` and `standby` are the threads'
    present tasks.

    `joined`: the threads' last subscriptions in a classic application, null for a streams group.
    `next_probing_ms`: time of the next probing rebalance by the leader's clock; null if it asks for
    none.
    """

    document: Application
    joined: Application | None = None
    next_probing_ms: int | None = None
