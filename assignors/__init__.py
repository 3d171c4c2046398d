"""Assignors: pure functions of a group's columns. `ASSIGNORS` lists them by name, in the order people see them."""

from assignors.classic.lag_based import LagBasedAssignor
from assignors.classic.range import RangeAssignor
from assignors.classic.round_robin import RoundRobinAssignor
from assignors.consumer.range import BrokerRangeAssignor
from assignors.consumer.uniform import UniformAssignor
from assignors.share.simple import SimpleAssignor

ASSIGNORS = {
    RangeAssignor.name: RangeAssignor,
    RoundRobinAssignor.name: RoundRobinAssignor,
    LagBasedAssignor.name: LagBasedAssignor,
    UniformAssignor.name: UniformAssignor,
    BrokerRangeAssignor.name: BrokerRangeAssignor,
    SimpleAssignor.name: SimpleAssignor,
}
