"""A lag over some slots as paths of a small drawing; gaps stay open."""

from collections.abc import Sequence

WIDTH, HEIGHT = 96, 20
_EDGE = 2.5


def sparkline(slots: Sequence[int], lags: Sequence[int | None]) -> dict[str, str | list[float]] | None:
    """Return `line` and `area` as SVG paths, and the `dot` of the last slot where its lag is known; None where no lag is known.

    `slots` ascend; a number that is missing between two neighbours is a gap, and so is an unknown lag.
    """
    runs = _runs(slots, lags)
    if not runs:
        return None
    span, highest = max(slots[-1] - slots[0], 1), max(lag for run in runs for _, lag in run) or 1
    drawn = [[(_x((slot - slots[0]) / span), _y(lag / highest)) for slot, lag in run] for run in runs]
    line = "".join("M" + "L".join(f"{x} {y}" for x, y in run) for run in drawn)
    area = "".join(
        f"M{run[0][0]} {HEIGHT}L" + "L".join(f"{x} {y}" for x, y in run) + f"L{run[-1][0]} {HEIGHT}Z" for run in drawn if len(run) > 1
    )
    return {"line": line, "area": area} | ({"dot": list(drawn[-1][-1])} if lags[-1] is not None else {})


def _runs(slots: Sequence[int], lags: Sequence[int | None]) -> list[list[tuple[int, int]]]:
    """Return the stretches without a gap."""
    runs: list[list[tuple[int, int]]] = []
    for slot, lag in zip(slots, lags, strict=True):
        if lag is None:
            continue
        if not runs or runs[-1][-1][0] != slot - 1:
            runs.append([])
        runs[-1].append((slot, lag))
    return runs


def _x(share: float) -> float:
    return round(1 + share * (WIDTH - 1 - _EDGE), 1)


def _y(share: float) -> float:
    return round(HEIGHT - 1 - share * (HEIGHT - 1 - _EDGE), 1)
