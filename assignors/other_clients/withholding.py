"""Withholding: what a cooperative leader keeps back until its former owner has given it up."""

from dataclasses import replace

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment


def withholding(answer: Assignment, moving: np.ndarray) -> Assignment:
    """Return an answer in which the topic-partitions `moving`, int64, are withheld from their new owners."""
    owner = answer.owner.copy()
    owner[moving] = UNASSIGNED
    return replace(answer, owner=owner, withheld=np.column_stack((answer.owner[moving], moving)).astype(np.int32))
