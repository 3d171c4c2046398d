"""Leader's settings: which ones may hold for an application, where only its leader knows."""

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any

import numpy as np

from assignors.group import NO_RACK
from assignors.group.application import ApplicationSnapshot

ACCEPTABLE_LAG, WARMUPS, STRATEGY = "acceptable.recovery.lag", "max.warmup.replicas", "rack.aware.assignment.strategy"
_DEFAULT_LAG, _LARGEST = 10_000, 2**63 - 1
_WARMUPS = (2, 1, 3, 4, 5, 8, 10, 100)
_STRATEGIES = ("none", "min_traffic", "balance_subtopology")
_MOST_LAGS, _MOST = 12, 60
_MOST_CELLS = 3_000_000
"""Tasks times processes times tries: keeps the search within about a second."""


def possible_settings(joined: ApplicationSnapshot, known: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield settings, those that are `known` in all of them, Kafka's defaults first, then those that differ in the fewest places.

    Of all acceptable lags, only those matter between which some copy's lag lies.
    """
    choices = {ACCEPTABLE_LAG: _lags(joined), WARMUPS: _WARMUPS, STRATEGY: _strategies(joined)}
    open_choices = {name: values for name, values in choices.items() if name not in known}
    ways = sorted(product(*(range(len(values)) for values in open_choices.values())), key=lambda way: (sum(map(bool, way)), sum(way)))
    most = max(1, min(_MOST, _MOST_CELLS // max(1, joined.task_count * joined.process_count)))
    for way in islice(ways, most):
        chosen = {name: values[place] for (name, values), place in zip(open_choices.items(), way, strict=True) if place}
        yield dict(known) | chosen


def _lags(joined: ApplicationSnapshot) -> tuple[int, ...]:
    lags = np.unique(joined.lag[:, joined.is_stateful])
    below, above = lags[(lags > 0) & (lags < _DEFAULT_LAG)], lags[lags >= _DEFAULT_LAG]
    others = [*([0] if below.size else []), *below[:-1].tolist(), *above.tolist()]
    spread = np.unique(np.linspace(0, len(others) - 1, min(len(others), _MOST_LAGS)).astype(int)).tolist() if others else []
    return (_DEFAULT_LAG, *(others[place] for place in spread))


def _strategies(joined: ApplicationSnapshot) -> tuple[str, ...]:
    return _STRATEGIES if joined.process_count and (joined.process_rack != NO_RACK).all() else _STRATEGIES[:1]
