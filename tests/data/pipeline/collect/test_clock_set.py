"""A collector while somebody sets the clock: its slots stay in order, each is told once, and a
sentence says what was done.
"""

import pytest

from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.snapshots import LATE, SET
from tests.data.pipeline.collect.test_lake_away import _every_slot, collected

__all__ = ["collected"]


def test_the_slots_that_a_clock_set_forward_an_hour_has_left_out_are_a_gap_that_says_so(
    collected, tmp_path, set_clock
):
    run, told, said = collected

    run(place_of(tmp_path), when_told=lambda: len(told) == 1 and set_clock(3600))

    assert said == []
    assert SET in {one.gap for one in told} <= {None, SET, LATE}
    assert 3500 < len(_every_slot(place_of(tmp_path))) < 3700


@pytest.mark.parametrize("is_started_anew", [False, True])
def test_while_the_clock_is_behind_the_last_slot_the_next_one_waits_and_a_sentence_says_so(
    collected, tmp_path, set_clock, is_started_anew
):
    run, told, said = collected
    lake = place_of(tmp_path)
    if is_started_anew:
        run(lake)
        told.clear()
        set_clock(-3600)

    run(lake, lambda: len(told) == 1 and not said and set_clock(-3600), lambda: set_clock(0))

    (line,) = said
    assert line.startswith("the last slot of cluster c is 20")
    assert line.endswith(" ahead of the clock; the next slot waits until then")
    assert {one.gap for one in told} <= {None, SET, LATE, "the collector did not run"}
    _every_slot(lake)
