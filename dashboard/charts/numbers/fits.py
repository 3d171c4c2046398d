"""Both fits of every assignor: how even in partitions, how even in lag."""

from collections.abc import Sequence
from typing import NamedTuple

from evenkeel.assignors.figures.comparison import Row
from evenkeel.dashboard.charts.numbers.loads import no_lag
from evenkeel.dashboard.words.names import under
from evenkeel.data.words.formats import ratio

PARTITIONS, LAG = "Partitions, max ÷ mean", "Lag, max ÷ mean"
"""Names of the two fits."""


class Fit(NamedTuple):
    """The fit of an assignment: largest ÷ mean partitions of a member, largest ÷ mean lag; unknown is None.

    `no_lag` says why there is no lag to compare; it is empty if there is some.
    """

    name: str
    partitions: float | None
    lag: float | None
    no_lag: str = ""


class Point(NamedTuple):
    """One place on the scatter and the assignments there; `role` is current, candidate or other."""

    names: tuple[str, ...]
    partitions: float
    lag: float
    role: str


def fit_of(row: Row) -> Fit:
    """Return the fit of an assignment; it is unknown if there is no answer."""
    if row.balance is None:
        return Fit(row.name, None, None)
    return Fit(row.name, row.balance.partitions_max_over_mean, row.balance.max_lag_share, no_lag(row.balance))


def points(fits: Sequence[Fit], candidate: str) -> list[Point]:
    """Join fits that are equal to three decimals; leave out unknown ones."""
    places: dict[tuple[float, float], list[str]] = {}
    for fit in fits:
        if fit.partitions is not None and fit.lag is not None:
            places.setdefault((round(fit.partitions, 3), round(fit.lag, 3)), []).append(fit.name)
    current = fits[0].name if fits else ""
    roles = {current: "current", candidate: "candidate"}
    found = []
    for (x, y), names in places.items():
        special = [name for name in names if name in roles]
        found += [Point((name,), x, y, roles[name]) for name in special]
        others = tuple(name for name in names if name not in roles)
        if others:
            found.append(Point(others, x, y, "other"))
    return found


def finding(fits: Sequence[Fit], candidate: str) -> str:
    """Say in one sentence what the scatter shows."""
    chosen = next((fit for fit in fits if fit.name == candidate), None)
    if not fits or chosen is None or chosen.lag is None or fits[0].lag is None:
        return "Partitions and lag, largest over mean: unknown for this group."
    now = fits[0]
    lag = f"{ratio(now.lag)} now to {ratio(chosen.lag)} {under(candidate)}"
    return f"Largest over mean lag goes from {lag}, partitions from {ratio(now.partitions)} to {ratio(chosen.partitions)}."
