"""Paths of a document for people."""

import re
from collections.abc import Iterable

_NUMBER = re.compile(r"\[\d+\]")


def in_short(paths: Iterable[str]) -> list[str]:
    """Return paths that differ in numbers alone as one, with their count."""
    alike: dict[str, list[str]] = {}
    for path in sorted(paths):
        alike.setdefault(_NUMBER.sub("[…]", path), []).append(path)
    return [same[0] if len(same) == 1 else f"{shape} ({len(same):,})" for shape, same in alike.items()]
