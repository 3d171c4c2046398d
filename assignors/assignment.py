"""Answers of assignors: an Assignment of partitions, a TaskAssignment of Streams tasks, or an
exception.
"""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

UNASSIGNED = -1

REQUEST_ERROR = "RequestError"
"""Replaces the exception's name if Kafka throws none: its class never ends, its answer is unknown,
or the request is refused.
"""


class Assumption(NamedTuple):
    """An unknown input on which Kafka's answer depends.

    `column`: a column of the snapshot (`lag`, `topic_id`) or a condition in words (`hash
    collisions`). `rows` int64: the column's unknown rows; empty for a condition.
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
"""No end offset is known. The answer is the answer of a leader that cannot read end offsets."""


MEMBER_ORDER, MEMBER_RACKS, REPLICA_RACKS = "member order", "member racks", "replica racks"
"""Inputs that can decide an answer and can be unknown."""


def _no_rows(width: int) -> np.ndarray:
    return np.empty((0, width), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Assignment:
    """The owner of each topic-partition, and further facts.

    Parameters
    ----------
    owner : int32 (P,)
        Row of the member, or `UNASSIGNED`.
    extra : int32 (E, 3)
        (member, topic, partition), without duplicates: additional owners of a partition (share
        groups, double claims), and partitions beyond a topic's size. Empty in nearly every answer.
    withheld : int32 (W, 2)
        (member, topic-partition): partitions that a cooperative assignor withholds. The member gets
        them in the next round; in `owner` they are unassigned.
    assumed : tuple of Assumption
        Empty if the snapshot alone decides the answer.
    dealt : tuple of int (D,) arrays, optional
        Member and topic of the partitions that a broker's assignor adds, in the order in which it
        adds them, without repeats; None if this order is unknown.
    """

    owner: np.ndarray
    extra: np.ndarray = field(default_factory=lambda: _no_rows(3))
    withheld: np.ndarray = field(default_factory=lambda: _no_rows(2))
    assumed: tuple[Assumption, ...] = ()
    dealt: tuple[np.ndarray, np.ndarray] | None = None

    def handed_out(self) -> "Assignment":
        """Return the owners after the next round, which assigns the withheld partitions."""
        if not self.withheld.size:
            return self
        owner = self.owner.copy()
        owner[self.withheld[:, 1]] = self.withheld[:, 0]
        return replace(self, owner=owner, withheld=_no_rows(2))


@dataclass(frozen=True, eq=False)
class TaskAssignment:
    """The owner of each Kafka Streams task, and the processes with copies of its state.

    Parameters
    ----------
    active : int32 (K,)
        Row of the process that runs each task.
    standby : int32 (S, 2)
        (process, task), ascending: copies of state, including warmups.
    warmup : int32 (W, 2)
        (process, task), ascending: copies that are restored until their process can run the task.
    active_member : int32 (K,)
        Row of the consumer that runs each task, before the revocation step.
    standby_member : int32 (S,)
        Row of the consumer that has each copy of `standby`.
    withheld : int32 (R, 2)
        (member, task), ascending: tasks that the revocation step withholds, because another
        consumer still owns them.
    is_probing_rebalance_needed : bool
        The leader rebalances again after `probing_rebalance_interval_ms`.
    assumed : tuple of Assumption
        Empty if the snapshot alone decides the answer.
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
    """An error with the simple name of the exception that the Kafka class would throw, such as
    `ArithmeticException`.
    """

    def __init__(self, java_class: str, message: str):
        super().__init__(message)
        self.java_class = java_class

    def __reduce__(self):
        return _remade, (type(self), self.args, self.__dict__)

    def named(self, name: str) -> "AssignorError":
        """Return the error with the assignor's name in front, for code that several assignors
        share.
        """
        return AssignorError(self.java_class, f"{name}: {self}")


def _remade(kind: type[AssignorError], args: tuple, facts: dict) -> AssignorError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(facts)
    return error


class NotKnownError(AssignorError):
    """This Kafka release has an answer, but Evenkeel does not know it.

    `since`: first release with a known answer. `reason`: the property of the group that makes the
    answer unknown.
    """

    def __init__(self, name: str, release: str, since: str, reason: str = ""):
        super().__init__(
            REQUEST_ERROR,
            f"{name}: {f'{reason}; ' if reason else ''}unknown for Kafka {release}, known since"
            f" {since}",
        )
        self.release, self.since, self.reason = release, since, reason


class NoFunctionError(AssignorError):
    """Equal inputs give different answers, so no answer can be predicted. `why`: the deciding
    input."""

    def __init__(self, name: str, client: str, why: str):
        super().__init__(
            REQUEST_ERROR, f"{name} of {client} is not a function of the inputs: {why}"
        )
