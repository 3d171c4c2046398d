"""LiveApplication: a Kafka Streams application as streams documents. Pages know it without a client
of Kafka.
"""

from typing import NamedTuple

from evenkeel.data.group.document import Application


class LiveApplication(NamedTuple):
    """`document`: the input of the next rebalance; its `owned` and `standby` are the threads'
    present tasks.

    `joined`: the threads' last subscriptions in a classic application, null for a streams group.
    `next_probing_ms`: when the leader asks for the next probing rebalance, by its clock; null if it
    asks for none.
    """

    document: Application
    joined: Application | None = None
    next_probing_ms: int | None = None
