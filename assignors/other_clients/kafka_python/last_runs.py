"""Who takes part: kafka-python sorts static and dynamic members apart, and keeps the last run of each."""

from itertools import groupby

import numpy as np

from evenkeel.assignors.group import GroupSnapshot


def taking_part(group: GroupSnapshot, members: np.ndarray) -> np.ndarray:
    """Return the members that get partitions, int32: the last run of static ones, then the last run of dynamic ones, each sorted.

    `members` int32: in the order reported. kafka-python's `itertools.groupby` cuts them where static and dynamic ones meet, and a
    dictionary of its groups keeps the last of each kind.
    """
    rows = members.tolist()
    last = {is_static: list(run) for is_static, run in groupby(rows, lambda row: group.instance_id[row] is not None)}
    static = sorted(last.get(True, []), key=lambda row: (group.instance_id[row], group.member_id[row]))
    dynamic = sorted(last.get(False, []), key=lambda row: group.member_id[row])
    return np.array(static + dynamic, dtype=np.int32)
