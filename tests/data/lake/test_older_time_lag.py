"""Time lags beyond the snapshots that were looked at."""

from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import last_of, older_rows, with_older_time_lags
from evenkeel.data.lake.place import place_of
from tests.generated.stored import recent_verdicts
from tests.generated.written_slots import members_of, write_slot


def _told(groups) -> dict[str, tuple]:
    return {
        row["group_id"]: (row["lag_seconds"], row["lag_seconds_method"])
        for row in groups.to_pylist()
    }


def test_older_snapshots_give_the_time_lag_of_a_stalled_group_and_without_them_it_is_a_guess(
    tmp_path,
):
    """One record comes in 30 s, and from slot 60 on 100: by the slope of the last 40 slots all seem
    to have come just before them.
    """
    lake = place_of(tmp_path / "lake")
    committed = {"far": 1_010, "farther": 500, "near": 4_800}
    for number in range(100):
        end = 1_000 + number + 99 * max(number - 60, 0)
        row = {
            "topic": "orders",
            "partition": 0,
            "begin_offset": 0,
            "end_offset": end,
            "member_id": "A",
        }
        rows = [
            row | {"group_id": name, "committed_offset": min(one, end)}
            for name, one in committed.items()
        ]
        write_slot(
            lake, number, rows, [one for name in committed for one in members_of(name, ["A"])]
        )
    groups, last = recent_verdicts(lake, "c").groups, last_of(instants(lake, "c"), 40)

    guessed = _told(groups)
    found = with_older_time_lags(lake, "c", groups, last)

    assert {name: method for name, (_, method) in guessed.items()} == {
        "far": "extrapolated",
        "farther": "extrapolated",
        "near": "interpolated",
    }
    # Slot 10 was 89 slots before the last; the guess is 15 slots before the first of the last 40.
    assert guessed["far"][0] == 1_185.0
    assert _told(found)["far"] == (89 * 30.0, "interpolated")
    assert _told(found)["farther"][1] == "extrapolated"
    assert _told(found)["near"] == guessed["near"]
    assert found.schema == groups.schema


def test_a_dozen_of_a_days_snapshots_are_read():
    assert (2_879 - older_rows(2_880, 40)).tolist() == [
        2_879,
        2_249,
        1_499,
        1_000,
        666,
        444,
        296,
        197,
        132,
        88,
        58,
        39,
        0,
    ]
    assert older_rows(40, 40).tolist() == [0, 39]
    assert older_rows(1, 1).tolist() == [0]
