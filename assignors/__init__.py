"""Assignors: pure functions of a group's columns. `ASSIGNORS` lists them by name, in the order people see them."""

from assignors.classic.cooperative_sticky import CooperativeStickyAssignor
from assignors.classic.lag_based import LagBasedAssignor
from assignors.classic.range import RangeAssignor
from assignors.classic.round_robin import RoundRobinAssignor
from assignors.classic.sticky import StickyAssignor
from assignors.consumer.range import BrokerRangeAssignor
from assignors.consumer.uniform import UniformAssignor
from assignors.share.simple import SimpleAssignor

ASSIGNORS = {
    RangeAssignor.name: RangeAssignor,
    RoundRobinAssignor.name: RoundRobinAssignor,
    StickyAssignor.name: StickyAssignor,
    CooperativeStickyAssignor.name: CooperativeStickyAssignor,
    LagBasedAssignor.name: LagBasedAssignor,
    UniformAssignor.name: UniformAssignor,
    BrokerRangeAssignor.name: BrokerRangeAssignor,
    SimpleAssignor.name: SimpleAssignor,
}
