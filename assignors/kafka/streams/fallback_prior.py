"""Fallback: every task stays on the process that ran it, until the leader can read end offsets again.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.FallbackPriorTaskAssignor`.
"""

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.kafka.streams.legacy_sticky import LegacyStickyTaskAssignor


@dataclass(frozen=True)
class FallbackPriorTaskAssignor(LegacyStickyTaskAssignor):
    """What Kafka takes for a rebalance in which end offsets cannot be read; always asks for a probing rebalance."""

    name: ClassVar[str] = "fallback-prior"
    java_class: ClassVar[str] = "org.apache.kafka.streams.processor.internals.assignment.FallbackPriorTaskAssignor"
    quirks: ClassVar[tuple[str, ...]] = ("Q-13",)
    must_preserve: ClassVar[bool] = True
