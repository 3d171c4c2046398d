from dashboard.loading.streams.applications import application
from dashboard.loading.streams.probing import answered
from dashboard.tables.streams.downtimes import downtime
from dashboard.view import Opened


def test_a_moved_task_is_down_until_its_records_are_restored_at_the_rate_of_its_instance():
    view = application(Opened("kip-441"))

    row = downtime(view, "legacy-sticky", answered(view, "legacy-sticky").found)

    # Two tasks of 8,100,000 records together on one instance that restores 20,000 a second.
    assert (row.stopped, row.records, row.seconds) == (2, 8_100_000, 405.0)


def test_high_availability_moves_tasks_to_caught_up_copies_alone():
    view = application(Opened("kip-441"))

    row = downtime(view, "high-availability", answered(view, "high-availability").found)

    assert row.records < 10_000 * row.moved
    assert row.seconds < 1
