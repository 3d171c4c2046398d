"""Repetition: rounds of Bellman and Ford's search along a cycle of negative cost repeat, with all distances less by the same number.

Kafka runs as many rounds as there are nodes; what they end with needs only the first repetition and what remains after whole ones.
"""

from collections.abc import Callable, Hashable

import numpy as np


def run(rounds: int, relax: Callable[[], Hashable]) -> bool:
    """Do what so many rounds do; return False as soon as one begins with nothing to relax.

    `relax` does a round and returns what it leaves behind as `state` does, None where nothing was left to relax.
    """
    seen: dict[Hashable, int] = {}
    done = 0
    while done < rounds:
        left = relax()
        if left is None:
            return False
        done += 1
        if left in seen:
            rounds = done + (rounds - done) % (done - seen[left])
        seen[left] = done
    return True


def state(distances: tuple[np.ndarray, ...], nearer: tuple[np.ndarray, ...]) -> Hashable:
    """Return what decides the rounds to come: distances from the first one on, and the nodes that came nearer."""
    # Equal states of two rounds with something to relax: every distance fell between them, so each node's way there is known again too.
    least = distances[0].flat[0]
    return (*((each - least).tobytes() for each in distances), *(each.tobytes() for each in nearer))
