"""Queries: selectors of gauges as text, and time ranges that are split into shorter ranges."""

import re
from collections.abc import Collection, Iterator, Mapping

DAY_MS = 86_400_000


def selector(
    metrics: Collection[str],
    labels: Mapping[str, str],
    one_of: Mapping[str, Collection[str]] | None = None,
) -> str:
    """Return a selector of the series that have one of the gauges `metrics` and all of `labels`.

    `one_of`: labels that may have one of several values.
    """
    parts = [_among("__name__", metrics)]
    parts += [f"{name}={_quoted(value)}" for name, value in sorted(labels.items())]
    parts += [_among(name, values) for name, values in sorted((one_of or {}).items())]
    return f"{{{','.join(parts)}}}"


def _among(label: str, values: Collection[str]) -> str:
    names = sorted(values)
    if len(names) == 1:
        return f"{label}={_quoted(names[0])}"
    return f"{label}=~{_quoted('|'.join(map(re.escape, names)))}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
    return f'"{escaped}"'


def pieces(since: int, until: int, longest: int) -> Iterator[tuple[int, int]]:
    """Split a range in ms; no part is longer than `longest` or crosses midnight UTC."""
    start = since
    while start < until:
        end = min(until, start + longest, (start // DAY_MS + 1) * DAY_MS)
        yield start, end
        start = end
