"""The order of topics in a broker's answer about metadata, which a librdkafka leader keeps.

As Apache Kafka answers; another broker may use another order.
"""

from collections.abc import Iterable, Sequence

from evenkeel.assignors.java.collections import scala_order

_MOST_IN_ORDER = 4
"""Scala's sets of up to four elements keep the order in which these were added."""


def answered_order(listed: Iterable[Sequence[str]]) -> list[str]:
    """Return the topics that members list, each member's in the order sent, as the broker answers; unknown topics are among them."""
    asked = list(dict.fromkeys(name for names in listed for name in names))
    return asked if len(asked) <= _MOST_IN_ORDER else scala_order(asked)
