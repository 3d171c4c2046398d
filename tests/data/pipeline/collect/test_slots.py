"""Time slots of a collector: each has a snapshot or a reason."""

from evenkeel.data.pipeline.snapshots import LATE, PLANNED, STOPPED, Gap, Slots

_SLOTS = Slots(every=10, started=1000)


def test_a_slot_is_known_by_the_second_at_which_it_begins():
    assert [_SLOTS.at(now) for now in (1000, 1009.9, 1010)] == [1000, 1000, 1010]


def test_slots_that_follow_one_another_leave_no_gap():
    assert _SLOTS.gaps(after=1000, last=1010, now=1011) == []


def test_slots_before_the_start_are_told_from_those_that_came_too_late():
    assert _SLOTS.gaps(after=970, last=1030, now=1031) == [
        Gap(980, 990, STOPPED),
        Gap(1000, 1020, LATE),
    ]


def test_a_slot_that_was_planned_before_a_stop_is_not_read_afterwards():
    assert _SLOTS.gaps(after=950, last=960, now=1001) == [Gap(960, 960, PLANNED)]


def test_a_slot_that_ends_while_it_is_planned_still_counts():
    assert not _SLOTS.is_over(1000, now=1010.1)
    assert _SLOTS.is_over(1000, now=1020)
