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
        self._lag, self._is_caught_up = lag, is_caught_up
        self._caught_up: dict[int, set[int]] = {}
        # Without clients there is no least lag, and nobody asks for it.
        self._is_behind = ~is_caught_up & (lag > lag.min(axis=0)) if len(lag) else is_caught_up

    def caught_up(self, task: int) -> set[int]:
        """Return the clients that may take over the task now."""
        if task not in self._caught_up:
            self._caught_up[task] = set(np.flatnonzero(self._is_caught_up[:, task]).tolist())
        return self._caught_up[task]

    def is_caught_up(self, client: int, task: int) -> bool:
        """Return whether the client may take over the task now."""
        return client in self.caught_up(task)

    def caught_up_count(self, task: int) -> int:
        """Return how many clients are caught up."""
        return len(self.caught_up(task))

    def behind(self, client: int) -> set[int]:
        """Return the tasks on which the client is not caught up and another one has less to restore."""
        return set(np.flatnonzero(self._is_behind[client]).tolist())

    def ahead_of(self, client: int, task: int) -> list[int]:
        """Return the clients before this one, by lag, then id."""
        order = np.argsort(self._lag[:, task], kind="stable").tolist()
        return order[: order.index(client)]
