"""Ranking: which clients are caught up on a task, and which of them has least to restore."""

import numpy as np


class Ranking:
    """Clients by their lag on each stateful task; -3 sorts before -2, and both before every real lag.

    Parameters
    ----------
    lag : int64 (C, K)
        Clients ascending by process id.
    is_caught_up : bool (C, K)
    """

    def __init__(self, lag: np.ndarray, is_caught_up: np.ndarray):
        self._lag = lag
        self._is_caught_up = is_caught_up.tolist()
        self._caught_up_count = is_caught_up.sum(axis=0).tolist()
        # Without clients there is no least lag, and nobody asks for it.
        self._is_behind = (~is_caught_up & (lag > lag.min(axis=0))).tolist() if len(lag) else []

    def is_caught_up(self, client: int, task: int) -> bool:
        """Return whether the client may take over the task now."""
        return self._is_caught_up[client][task]

    def caught_up_count(self, task: int) -> int:
        """Return how many clients are caught up."""
        return self._caught_up_count[task]

    def is_behind(self, client: int, task: int) -> bool:
        """Return whether the client is not caught up and another one has less to restore."""
        return self._is_behind[client][task]

    def ahead_of(self, client: int, task: int) -> list[int]:
        """Return the clients before this one, by lag, then id."""
        order = np.argsort(self._lag[:, task], kind="stable").tolist()
        return order[: order.index(client)]
