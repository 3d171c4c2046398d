"""Groups with the verdicts of their snapshots."""

from datetime import UTC, datetime

import numpy as np
import pyarrow as pa

from evenkeel.assignors.timeline.verdicts import VERDICTS, group_verdict, verdicts
from evenkeel.dashboard.groups.listing import Choice, listing, with_verdicts
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.series import Axis
from tests.generated.histories import series_of

_AXIS = Axis(("a", "b", "c"), np.array([0, 1, 3]), np.array([0.0, 30.0, 90.0]))


def _at(second):
    return datetime.fromtimestamp(second, UTC)


def _verdict(group_id, verdict, since, seconds, lags, unknown=0):
    found = dict.fromkeys(schemas.GROUP_VERDICT.names) | {
        "taken_at": _at(90),
        "since": _at(0),
        "verdict_since": _at(since),
    }
    return found | {
        "group_id": group_id,
        "lasting_verdict": verdict,
        "lag_seconds": seconds,
        "lags": lags,
        "unknown_lag_count": unknown,
    }


def _groups(**lags):
    columns = {
        "group_id": list(lags),
        "lag": list(lags.values()),
        "unknown_lag_count": [0] * len(lags),
    }
    return pa.table(columns)


def _shown(*verdicts, **lags):
    return with_verdicts(
        _groups(**lags), pa.Table.from_pylist(list(verdicts), schema=schemas.GROUP_VERDICT), _AXIS
    )


def test_groups_in_trouble_come_first_by_verdict_and_time_lag_and_the_others_stay_in_their_order():
    shown = _shown(
        _verdict("slow", "SLOW", 90, 9.0, [1, 1, 1]),
        _verdict("stopped", "STOP", 90, 5.0, [1, 1, 1]),
        _verdict("slower", "SLOW", 90, 99.0, [1, 1, 1]),
        _verdict("back", "REWIND", 90, None, [1, 1, 1]),
        **{"big": 900, "slow": 8, "unseen": 7, "stopped": 6, "slower": 5, "back": 4},
    )

    assert shown["group_id"].to_pylist() == ["stopped", "back", "slower", "slow", "big", "unseen"]
    assert shown["verdict"].to_pylist() == ["STOP", "REWIND", "SLOW", "SLOW", None, None]


def test_a_group_of_which_one_partition_stopped_and_one_went_back_is_listed_as_stopped_before_stalls_and_rewinds():
    series = series_of(
        [[50, 50], [51, 51], [52, 52]], [[30, 30], [20, 30], [40, 30]], [[0, 0], [0, 0], [0, -1]]
    )
    worst = VERDICTS[group_verdict(series, verdicts(series))[-1]]
    lags = {"back": 9, "both": 8, "stalled": 7}
    shown = _shown(
        *(
            _verdict(name, one, 90, 1.0, [1])
            for name, one in (("back", "REWIND"), ("both", worst), ("stalled", "STALL"))
        ),
        **lags,
    )

    assert list(zip(shown["group_id"].to_pylist(), shown["verdict"].to_pylist(), strict=True)) == [
        ("both", "STOP"),
        ("stalled", "STALL"),
        ("back", "REWIND"),
    ]


def test_a_lag_changes_by_its_rates_and_by_an_unknown_number_where_part_of_it_is_unknown():
    rates = {"in_rate": 5.5, "out_rate": 5.0}
    shown = _shown(
        _verdict("a", "OK", 90, 1.0, [10, 30, 40]) | rates,
        _verdict("b", "OK", 90, 1.0, [10, 30, 40], unknown=1) | rates,
        a=40,
        b=40,
    )

    assert shown["lag_change"].to_pylist() == [30.0, None]
    assert shown["slots"].to_pylist() == [[0, 1, 3]] * 2


def test_a_group_in_trouble_is_listed_although_its_lag_is_gone_and_those_that_keep_up_begin_behind_it():
    shown = _shown(_verdict("a", "STALL", 90, 1.0, [1, 1, 1]), a=0, b=5, c=0)

    found, stalled = listing(shown, Choice()), listing(shown, Choice(verdict="STALL"))

    assert (found.rows["group_id"].to_pylist(), found.steady_at, found.quiet.num_rows) == (
        ["a", "b"],
        1,
        1,
    )
    assert stalled.rows["group_id"].to_pylist() == ["a"]
