"""Snapshots before a range."""

from datetime import timedelta

import pytest

from evenkeel.data.lake.history.history import history_in
from evenkeel.data.lake.history.instants import LEAD, between, instants, led_instants, with_lead
from evenkeel.data.lake.place import place_of
from tests.generated.written_slots import DAY, kept_up, members_of, write_slot

SLOTS = 30


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    place = place_of(tmp_path_factory.mktemp("lead") / "lake")
    for number in range(SLOTS):
        write_slot(place, number, kept_up("payments", number), members_of("payments"))
    return place


def at(number: int):
    return DAY + timedelta(seconds=30 * number)


@pytest.mark.parametrize(("first", "lead"), [(0, 0), (5, 5), (20, 20), (26, 20)])
def test_a_range_is_led_by_as_many_snapshots_as_verdicts_need_or_there_are(lake, first, lead):
    found = led_instants(lake, "c", at(first), at(28))

    assert (found.lead, len(found.batches), LEAD) == (lead, lead + 29 - first, 20)
    assert found.axis.time[lead] == at(first).timestamp()
    assert found.axis.time[-1] == at(28).timestamp()


def test_the_range_of_a_history_is_that_which_is_read_without_a_lead(lake):
    whole = instants(lake, "c")
    alone = between(whole, at(24).timestamp(), at(28).timestamp())
    within = history_in(lake, "payments", with_lead(alone, whole), "c").within

    assert within.batch == alone.axis.batch
    assert within.lead == 0
    assert within.series.time.tolist() == alone.axis.time.tolist()
    assert (
        within.series.committed_offset.tolist()
        == history_in(lake, "payments", alone, "c").series.committed_offset.tolist()
    )


def test_a_range_without_a_snapshot_has_no_lead(lake):
    assert led_instants(lake, "c", at(100), None).batches == ()
