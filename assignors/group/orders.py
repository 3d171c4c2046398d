"""The orders in which Kafka walks the members of a group."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import HASH_COLLISIONS, Assumed
from evenkeel.assignors.java.collections import put_order
from evenkeel.assignors.java.hashing import sorted_rows, string_hashes


class MemberOrder(NamedTuple):
    """`rows` int32 (M,): members in order. `assumed` as in Assignment: what is unknown of Java's order."""

    rows: np.ndarray
    assumed: tuple[Assumed, ...]

    @property
    def places(self) -> np.ndarray:
        """int64 (M,): each member's place in the order."""
        places = np.empty(self.rows.size, dtype=np.int64)
        places[self.rows] = np.arange(self.rows.size)
        return places


def map_order(member_id: Sequence[str]) -> MemberOrder:
    """Order members as a HashMap of their ids iterates that was filled in the order reported.

    The coordinator reports its own map's order. A KIP-848 broker holds group state in a TimelineHashMap and reports the order of that map.
    """
    walked = put_order(string_hashes(member_id))
    return MemberOrder(walked.rows.astype(np.int32), (HASH_COLLISIONS,) if walked.tree_bin else ())


def refilled_order(member_id: Sequence[str], walked: MemberOrder) -> MemberOrder:
    """Order members as a second HashMap iterates that was filled in the first one's order.

    Both orders are the same unless nine ids met in one bucket of a small map: the insertion order then decides how early the map grows.
    """
    again = put_order(string_hashes(member_id)[walked.rows])
    return MemberOrder(walked.rows[again.rows], (HASH_COLLISIONS,) if again.tree_bin else walked.assumed)


def member_info_order(member_id: Sequence[str], instance_id: Sequence[str | None]) -> MemberOrder:
    """Order members as `AbstractPartitionAssignor.MemberInfo` does: static ones by instance id, then dynamic ones by member id.

    Two live members with one instance id compare equal and keep the iteration order of the map of subscriptions.
    """
    if instance_id.count(None) == len(instance_id):
        return MemberOrder(sorted_rows(member_id), ())
    static = [row for row, instance in enumerate(instance_id) if instance is not None]
    dynamic = [row for row, instance in enumerate(instance_id) if instance is None]
    assumed = ()
    if len({instance_id[row] for row in static}) < len(static):
        walked, assumed = map_order(member_id)
        static = [row for row in walked.tolist() if instance_id[row] is not None]
    by_instance = sorted_rows([instance_id[row] for row in static])
    by_id = sorted_rows([member_id[row] for row in dynamic])
    rows = np.concatenate((np.array(static, dtype=np.int32)[by_instance], np.array(dynamic, dtype=np.int32)[by_id]))
    return MemberOrder(rows, assumed)
