"""Time to balance and extra copies, by settings."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evenkeel.assignors.rounds.streams import GridPoint
from evenkeel.data.words.formats import UNKNOWN, duration

Place = tuple[int, int]
"""max.warmup.replicas, acceptable.recovery.lag."""

_MISSING = "…"


class Cell(NamedTuple):
    """`shade`: from 0, the fastest, to 1. `mark`: `now`, `best` or empty."""

    text: str
    title: str
    shade: float = 0.0
    mark: str = ""


class GridRow(NamedTuple):
    """`extra`: copies beyond the standbys at once, at most; None while it is computed."""

    warmups: int
    cells: tuple[Cell, ...]
    extra: int | None


def grid_rows(warmups: Sequence[int], lags: Sequence[int], points: Mapping[Place, GridPoint], now: Place) -> list[GridRow]:
    """Return a row for each max.warmup.replicas."""
    slowest = max((point.seconds or 0.0 for point in points.values()), default=0.0)
    best = suggested(points, now)
    rows = []
    for row in warmups:
        cells = tuple(_cell((row, lag), points.get((row, lag)), slowest, now, best) for lag in lags)
        known = [point for (at, _), point in points.items() if at == row]
        rows.append(GridRow(row, cells, max((extra_copies(point) for point in known), default=None)))
    return rows


def extra_copies(point: GridPoint) -> int:
    """Return how many copies there are at once beyond those that stay."""
    return point.most_copies - point.standing_copies


def suggested(points: Mapping[Place, GridPoint], now: Place) -> Place | None:
    """Return the fewest warmups that are fastest with the lag as it is set; None where nothing is faster than now."""
    column = {place: point.seconds for place, point in points.items() if place[1] == now[1] and point.seconds is not None}
    if now not in column:
        return None
    fastest = min(column, key=lambda place: (column[place], place[0]))
    return fastest if column[fastest] < column[now] else None


def _cell(place: Place, point: GridPoint | None, slowest: float, now: Place, best: Place | None) -> Cell:
    mark = "now" if place == now else "best" if place == best else ""
    settings = f"max.warmup.replicas {place[0]:,}, acceptable.recovery.lag {place[1]:,}"
    if point is None:
        return Cell(_MISSING, f"{settings}: not computed yet", mark=mark)
    if point.seconds is None:
        return Cell(
            UNKNOWN if point.is_balanced else "never", f"{settings}: {'unknown' if point.is_balanced else 'never balanced'}", 1.0, mark
        )
    text = duration(point.seconds) if point.seconds else "at once"
    return Cell(text, f"{settings}: {text}, {point.round_count - 1} rounds", point.seconds / slowest if slowest else 0.0, mark)
