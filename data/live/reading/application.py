"""LiveApplication: a Kafka Streams application as streams documents. Pages can use it without a
Kafka client.
"""

from typing import NamedTuple

from evenkeel.data.group.document import Application


class LiveApplication(NamedTuple):
    """A Kafka Streams application. `document`: the members as they would join the next rebalance.
    In `document`, `owned` and `standby` are the present tasks of each thread.

    `joined`: the last subscriptions of the threads of a classic application, null for a streams
    group. `next_probing_ms`: time of the next probing rebalance by the leader's clock, null if none
    is scheduled.
    """

    document: Application
    joined: Application | None = None
    next_probing_ms: int | None = None
