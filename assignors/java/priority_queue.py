"""java.util.PriorityQueue: a binary heap whose array decides between equal elements."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any


class PriorityQueue:
    """Least element first; equal ones in no order but the array's, so it is kept as Java keeps it.

    Parameters
    ----------
    key : function of an element
        What elements are compared by, read at every comparison.
    elements : iterable
        As given to Java's constructor from a collection.
    """

    def __init__(self, key: Callable[[Any], Any], elements: Iterable[Any] = ()):
        self._key = key
        self._heap = list(elements)
        for place in reversed(range(len(self._heap) // 2)):
            self._sift_down(place, self._heap[place])

    def __len__(self) -> int:
        return len(self._heap)

    def __iter__(self) -> Iterator[Any]:
        """Yield the elements in the order of the array, which is not sorted."""
        return iter(self._heap)

    def offer(self, element: Any):
        self._heap.append(element)
        self._sift_up(len(self._heap) - 1, element)

    def poll(self) -> Any:
        """Take the least element out; the queue must not be empty."""
        least, last = self._heap[0], self._heap.pop()
        if self._heap:
            self._sift_down(0, last)
        return least

    def remove(self, element: Any):
        """Take the first equal element of the array out; without one nothing happens."""
        if element not in self._heap:
            return
        place, last = self._heap.index(element), self._heap.pop()
        if place < len(self._heap):
            self._sift_down(place, last)
            if self._heap[place] is last:
                self._sift_up(place, last)

    def _sift_up(self, place: int, element: Any):
        while place and self._key(element) < self._key(self._heap[(place - 1) // 2]):
            self._heap[place] = self._heap[(place - 1) // 2]
            place = (place - 1) // 2
        self._heap[place] = element

    def _sift_down(self, place: int, element: Any):
        while (child := 2 * place + 1) < len(self._heap):
            if child + 1 < len(self._heap) and self._key(self._heap[child + 1]) < self._key(self._heap[child]):
                child += 1
            if self._key(element) <= self._key(self._heap[child]):
                break
            self._heap[place] = self._heap[child]
            place = child
        self._heap[place] = element
