"""glibc's qsort: a merge sort, which shows where a comparison is no order. Other C libraries sort such members otherwise."""

from collections.abc import Callable, Sequence
from typing import TypeVar

_Element = TypeVar("_Element")


def merge_sort(elements: Sequence[_Element], compare: Callable[[_Element, _Element], int]) -> list[_Element]:
    """Return the elements sorted top down: the first half, rounded down, then the rest, merged; of equal ones the left one first."""
    half = len(elements) // 2
    if not half:
        return list(elements)
    left, right = merge_sort(elements[:half], compare), merge_sort(elements[half:], compare)
    return _merged(left, right, compare)


def _merged(left: list, right: list, compare: Callable) -> list:
    merged, at, other = [], 0, 0
    while at < len(left) and other < len(right):
        if compare(left[at], right[other]) <= 0:
            merged.append(left[at])
            at += 1
        else:
            merged.append(right[other])
            other += 1
    return merged + left[at:] + right[other:]
