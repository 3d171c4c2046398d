"""Members in turn."""

import numpy as np


def deal_in_turn(owner: np.ndarray, members: np.ndarray) -> None:
    """Write members, at least one, into `owner` one after the other, over and over."""
    whole = owner.size // members.size * members.size
    owner[:whole].reshape(-1, members.size)[:] = members
    owner[whole:] = members[: owner.size - whole]
