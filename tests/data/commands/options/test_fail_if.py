"""What `--fail-if` of a group's history says of unknown lags."""

from types import SimpleNamespace

import numpy as np
import pytest

from assignors.drain.band import Band
from data.commands.options.fail_if import GroupCondition
from data.scenarios.drains import GroupDrain


@pytest.mark.parametrize(
    ("condition", "unknown_count", "holds"),
    [
        ("drain_seconds > 60", 0, False),
        ("drain_seconds > 60", 1, None),  # the unknown lag may take longer
        ("drain_seconds > 20", 1, True),
        ("drain_seconds < 60", 1, None),
    ],
)
def test_the_time_of_a_drain_is_a_lower_bound_where_lags_are_unknown(condition, unknown_count, holds):
    now = SimpleNamespace(unknown_count=lambda: unknown_count)
    drains = {"current": GroupDrain(Band(*np.array([10.0, 30.0, 50.0])), 0.0)}

    assert GroupCondition.parse(condition).holds_for(now, drains) is holds
