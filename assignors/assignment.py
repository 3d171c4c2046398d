"""What assignors return: an Assignment of partitions, a TaskAssignment of Streams tasks, or an
exception.
"""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

UNASSIGNED = -1

REQUEST_ERROR = "RequestError"
"""The name of an error if Kafka throws no exception: Kafka's class never ends, the answer is
unknown, or the request is refused.
"""


class Assumption(NamedTuple):
    """An unknown input on which Kafka's answer depends.

    `column`: a column of the snapshot, such as `lag` or `topic_id`, or a condition in words, such
    as `hash collisions`. `rows`: row numbers (int64) with an unknown value in this column; empty
    for a condition.
    """

    column: str
    rows: np.ndarray


HASH_COLLISIONS = Assumption("hash collisions", np.empty(0, dtype=np.int64))
"""The answer depends on a Java map with many hash codes in one bucket. The iteration order of this
bucket is not reproduced.
"""


IDENTITY_HASHES = Assumption("identity hashes", np.empty(0, dtype=np.int64))
"""Kafka's answer depends on hash codes that the JVM chooses at random for each object. This is one
of many valid answers.
"""


LIST_ORDER = Assumption("list order", np.empty(0, dtype=np.int64))
"""The answer depends on the order of the coordinator's list of consumers. With several processes,
the input does not have this order.
"""


UNREAD_ENDS = Assumption("unread end offsets", np.empty(0, dtype=np.int64))
"""No end offset is known. The answer is computed as by a leader that cannot read end offsets."""


MEMBER_ORDER, MEMBER_RACKS, REPLICA_RACKS = "member order", "member racks", "replica racks"
"""Inputs that may be unknown although the answer depends on them."""


def _no_rows(width: int) -> np.ndarray:
    return np.empty((0, width), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Assignment:
    """The owner of each partition, and further facts.

    Parameters
    ----------
    owner : int32 (P,)
        Row number of the member, or `UNASSIGNED`.
    extra : int32 (E, 3)
        (member, topic, partition), without duplicates. Further owners of a partition, in share
        groups or after double claims. Also partitions that the topic does not have. Nearly always
        empty.
    withheld : int32 (W, 2)
        (member, partition row number): partitions that a cooperative assignor withholds. They have
        no owner in `owner`; the member gets them in the next round.
    assumed : tuple of Assumption
        Unknown inputs on which the answer depends. Empty if there are none.
    dealt : tuple of int (D,) arrays, optional
        Member and topic of each partition that a broker's assignor adds, in the order of adding.
        Repeated pairs are left out. None if the order is unknown.
    """

    owner: np.ndarray
    extra: np.ndarray = field(default_factory=lambda: _no_rows(3))
    withheld: np.ndarray = field(default_factory=lambda: _no_rows(2))
    assumed: tuple[Assumption, ...] = ()
    dealt: tuple[np.ndarray, np.ndarray] | None = None

    def handed_out(self) -> "Assignment":
        """Return the assignment after the next round, in which the withheld partitions are
        assigned.
        """
        if not self.withheld.size:
            return self
        owner = self.owner.copy()
        owner[self.withheld[:, 1]] = self.withheld[:, 0]
        return replace(self, owner=owner, withheld=_no_rows(2))


@dataclass(frozen=True, eq=False)
class TaskAssignment:
    """The process that runs each Kafka Streams task, and the processes with copies of its state.

    Parameters
    ----------
    active : int32 (K,)
        Row number of the process that runs each task.
    standby : int32 (S, 2)
        (process, task), ascending: all copies of the state, warmups included.
    warmup : int32 (W, 2)
        (process, task), ascending: copies that a process restores before it can run the task.
    active_member : int32 (K,)
        Row number of the consumer that runs each task, before the revocation step.
    standby_member : int32 (S,)
        Row number of the consumer that has each copy of `standby`.
    withheld : int32 (R, 2)
        (member, task), ascending: tasks that another consumer still owns. The revocation step
        withholds them.
    is_probing_rebalance_needed : bool
        Whether the leader rebalances again after `probing_rebalance_interval_ms`.
    assumed : tuple of Assumption
        Unknown inputs on which the answer depends. Empty if there are none.
    """

    active: np.ndarray
    standby: np.ndarray
    warmup: np.ndarray
    active_member: np.ndarray
    standby_member: np.ndarray
    withheld: np.ndarray
    is_probing_rebalance_needed: bool
    assumed: tuple[Assumption, ...] = ()


# Errors


class AssignorError(ValueError):
    """An error with the name of the exception that Kafka's class would throw, such as
    `ArithmeticException`.
    """

    def __init__(self, java_class: str, message: str):
        super().__init__(message)
        self.java_class = java_class

    def __reduce__(self):
        return _remade, (type(self), self.args, self.__dict__)

    def named(self, name: str) -> "AssignorError":
        """Return the error with the name of an assignor before the message, because several
        assignors share the code that raises the error.
        """
        return AssignorError(self.java_class, f"{name}: {self}")


def _remade(kind: type[AssignorError], args: tuple, facts: dict) -> AssignorError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(facts)
    return error


class NotKnownError(AssignorError):
    """Evenkeel does not know the answer of this Kafka release.

    `since`: the first release whose answer is known. `reason`: the property of the group for which
    the answer is unknown.
    """

    def __init__(self, name: str, release: str, since: str, reason: str = ""):
        super().__init__(
            REQUEST_ERROR,
            f"{name}: {f'{reason}; ' if reason else ''}unknown for Kafka {release}, known since"
            f" {since}",
        )
        self.release, self.since, self.reason = release, since, reason


class NoFunctionError(AssignorError):
    """No answer can be predicted: for the same input, the client can give different answers. `why`:
    what decides the answer.
    """

    def __init__(self, name: str, client: str, why: str):
        super().__init__(
            REQUEST_ERROR, f"{name} of {client} is not a function of the inputs: {why}"
        )
