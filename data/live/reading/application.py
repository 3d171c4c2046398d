"""LiveApplication: a Kafka Streams application as streams documents. Pages can use it without a
Kafka client.
"""

from typing import NamedTuple

from evenkeel.data.group.document import Application


class LiveApplication(NamedTuple):
    """A Kafka Streams application. `document`: input of the next rebalance. `owned` and `standby`
    in the document are the threads' present tasks.

    `joined`: the threads' last subscriptions in a classic application, null for a streams group.
    `next_probing_ms`: time of the next probing rebalance by the leader's clock, null if none is
    scheduled.
    """

    document: Application
    joined: Application | None = None
    next_probing_ms: int | None = None
