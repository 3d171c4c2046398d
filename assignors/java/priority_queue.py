"""java.util.PriorityQueue: a binary heap in an array, whose layout shows where elements compare equal or are read in array order."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any


class PriorityQueue:
    """Iterates in array order, not in sorted order.

    Parameters
    ----------
    key : function of an element
        What elements compare by. It is asked at every comparison: a key that changes while its element waits does not move the element.
    elements : iterable
        In the order in which the collection iterates that the queue is made from.
    """

    def __init__(self, key: Callable[[Any], Any] = lambda element: element, elements: Iterable = ()):
        self._key = key
        self._array = list(elements)
        for place in range(len(self._array) // 2 - 1, -1, -1):
            self._sift_down(place, self._array[place])

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator:
        return iter(self._array)

    def compare_by(self, key: Callable[[Any], Any]):
        """Compare by another key from now on; no element moves."""
        self._key = key

    def offer(self, element: Any):
        """Add an element."""
        self._array.append(element)
        self._sift_up(len(self._array) - 1, element)

    def poll(self) -> Any:
        """Take the head of a queue that is not empty."""
        head, last = self._array[0], self._array.pop()
        if self._array:
            self._sift_down(0, last)
        return head

    def remove(self, element: Any):
        """Take out the first element of the array that equals this one; it has to be there."""
        place, last = self._array.index(element), self._array.pop()
        if place == len(self._array):
            return
        self._sift_down(place, last)
        if self._array[place] is last:
            self._sift_up(place, last)

    def _sift_up(self, place: int, element: Any):
        while place and self._key(element) < self._key(self._array[(place - 1) // 2]):
            self._array[place] = self._array[(place - 1) // 2]
            place = (place - 1) // 2
        self._array[place] = element

    def _sift_down(self, place: int, element: Any):
        while (child := 2 * place + 1) < len(self._array):
            if child + 1 < len(self._array) and self._key(self._array[child]) > self._key(self._array[child + 1]):
                child += 1
            if self._key(element) <= self._key(self._array[child]):
                break
            self._array[place] = self._array[child]
            place = child
        self._array[place] = element
