"""How many bytes a value takes, with all that it holds."""

import sys
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import numpy as np

_ARRAY = 112
_LOOKED_AT = 200
"""Of a long collection only the first so many elements are measured."""


def size_of(value: Any) -> int:
    """Add up a value and what it refers to, each object once; of long collections the first elements stand for the others."""
    return _Walk().size(value)


class _Walk:
    def __init__(self) -> None:
        self._seen: dict[int, Any] = {}

    def size(self, value: Any) -> int:
        if id(value) in self._seen or isinstance(value, type):
            return 0
        # The value is kept beside its id: Python gives the id of a dead object to a new one.
        self._seen[id(value)] = value
        if isinstance(value, np.ndarray):
            return self.size(value.base) if isinstance(value.base, np.ndarray) else value.nbytes + _ARRAY
        if hasattr(value, "memory_usage"):
            return int(value.memory_usage(deep=True).sum())
        if hasattr(value, "nbytes"):
            return int(value.nbytes)
        return sys.getsizeof(value) + self._inside(value)

    def _inside(self, value: Any) -> int:
        if isinstance(value, Mapping):
            return self._sampled(value.keys(), len(value)) + self._sampled(value.values(), len(value))
        if isinstance(value, (list, tuple, set, frozenset)):
            return self._sampled(value, len(value))
        return sum(self.size(each) for each in self._fields(value))

    def _sampled(self, values: Iterable[Any], count: int) -> int:
        looked_at = [self.size(each) for each in islice(values, _LOOKED_AT)]
        return int(sum(looked_at) * count / len(looked_at)) if looked_at else 0

    @staticmethod
    def _fields(value: Any) -> list[Any]:
        slots = [getattr(value, name, None) for name in getattr(value, "__struct_fields__", ())]
        return [*getattr(value, "__dict__", {}).values(), *slots]
