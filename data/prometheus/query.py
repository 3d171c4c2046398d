"""Queries: selectors of gauges with their labels as text, and ranges in pieces."""

import re
from collections.abc import Collection, Iterator, Mapping

DAY_MS = 86_400_000


def selector(
    metrics: Collection[str],
    labels: Mapping[str, str],
    one_of: Mapping[str, Collection[str]] | None = None,
) -> str:
    """Return a selector of series: any of these gauges, with these labels and, for some labels, any
    of several values.
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
    """Yield parts of a range in ms, none longer than `longest`; they end with days in UTC."""
    start = since
    while start < until:
        end = min(until, start + longest, (start // DAY_MS + 1) * DAY_MS)
        yield start, end
        start = end
