"""Leader's settings: which ones may hold for an application, where only its leader knows."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from evenkeel.assignors.group import NO_RACK
from evenkeel.assignors.group.application import NO_TAG, ApplicationSnapshot
from evenkeel.assignors.kafka.streams.assignor import StreamsSettings

_ACCEPTABLE_LAG, _MAX_WARMUPS = "acceptable.recovery.lag", "max.warmup.replicas"
_RACK_STRATEGY, _RACK_TAGS = "rack.aware.assignment.strategy", "rack.aware.assignment.tags"
_DEFAULT_LAG = StreamsSettings.acceptable_recovery_lag
_WARMUPS = (2, 1, 3, 4, 5, 8, 10, 100)
_STRATEGIES = ("none", "min_traffic", "balance_subtopology")
_NO_TAGS: tuple[str, ...] = ()
_DEFAULTS = {_ACCEPTABLE_LAG: _DEFAULT_LAG, _MAX_WARMUPS: _WARMUPS[0], _RACK_STRATEGY: _STRATEGIES[0], _RACK_TAGS: _NO_TAGS}
_MOST_LAGS = 12


def possible_settings(joined: ApplicationSnapshot, known: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield settings, those that are `known` in all of them, the likeliest first: Kafka's defaults, then those that differ in the fewest.

    Of acceptable lags that part the copies alike, the one nearest to Kafka's default stands for all. Strategies for racks are tried where
    all processes have one. Tags that all processes have are likely to be in use, all of them.
    """
    has_racks = joined.process_count and (joined.process_rack != NO_RACK).all()
    keys = tuple(key for key, values in zip(joined.tag_key, joined.tag_value.T, strict=True) if (values != NO_TAG).all())
    choices = {
        _ACCEPTABLE_LAG: _lags(joined),
        _MAX_WARMUPS: _WARMUPS,
        _RACK_STRATEGY: _STRATEGIES if has_racks else _STRATEGIES[:1],
        _RACK_TAGS: (sorted(keys), _NO_TAGS) if keys else (_NO_TAGS,),
    }
    open_choices = {name: values for name, values in choices.items() if name not in known}
    ways = sorted(product(*(range(len(values)) for values in open_choices.values())), key=lambda way: (sum(map(bool, way)), sum(way)))
    for way in ways:
        chosen = {name: values[place] for (name, values), place in zip(open_choices.items(), way, strict=True)}
        yield dict(known) | {name: value for name, value in chosen.items() if value != _DEFAULTS[name]}


def _lags(joined: ApplicationSnapshot) -> tuple[int, ...]:
    lags = np.unique(joined.lag[:, joined.is_stateful])
    below, above = lags[(lags > 0) & (lags <= _DEFAULT_LAG)], lags[lags > _DEFAULT_LAG]
    others = [*(below[::-1] - 1).tolist(), *above.tolist()]
    spread = np.unique(np.linspace(0, len(others) - 1, min(len(others), _MOST_LAGS)).astype(int)).tolist() if others else []
    return (_DEFAULT_LAG, *(others[place] for place in spread))
