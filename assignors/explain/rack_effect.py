"""Rack effect: how many partitions of an answer racks decide."""

from dataclasses import replace

import numpy as np

from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.kafka.sticky.assignor import racks_in_play
from evenkeel.assignors.protocol import Assignor


def rack_effect(group: GroupSnapshot, assignor: Assignor, answer: Assignment) -> int:
    """Return how many partitions would finally have another owner if no member had a rack."""
    if not assignor.uses_racks or racks_in_play(group, 0) is None:
        return 0
    try:
        plain = assignor.assign(replace(group, member_rack=np.full_like(group.member_rack, NO_RACK)))
    except AssignorError:
        return 0
    return int(np.count_nonzero(plain.handed_out().owner != answer.handed_out().owner))
