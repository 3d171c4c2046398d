from dataclasses import replace

import numpy as np

from evenkeel.assignors.group import UNKNOWN
from evenkeel.dashboard.parts.task_tables import downtime
from evenkeel.dashboard.shell.loading.applications import answered, application
from evenkeel.dashboard.streams.tiles import instances
from evenkeel.dashboard.view import OpenGroup, TaskRounds


def test_a_moved_task_is_down_until_its_records_are_restored_at_the_rate_of_its_instance():
    view = application(OpenGroup("kip-441"))

    row = downtime(view, "legacy-sticky", answered(view, "legacy-sticky").task_rounds)

    # Two tasks of 8,100,000 records together on one instance that restores 20,000 a second.
    assert (row.stopped, row.records, row.seconds) == (2, 8_100_000, 405.0)


def test_high_availability_moves_tasks_to_caught_up_copies_alone():
    view = application(OpenGroup("kip-441"))

    row = downtime(view, "high-availability", answered(view, "high-availability").task_rounds)

    assert row.records < 10_000 * row.moved
    assert row.seconds < 1


def test_what_a_task_restores_is_unknown_where_the_end_of_its_changelog_is():
    view = application(OpenGroup("kip-441"))
    found = _without_ends(answered(view, "legacy-sticky").task_rounds)

    row = downtime(view, "legacy-sticky", found)

    assert (row.moved, row.stopped, row.records, row.seconds) == (2, None, None, None)


def test_the_lag_of_a_copy_is_unknown_where_the_end_of_its_changelog_is():
    view = application(OpenGroup("kip-441"))
    answer = answered(view, "high-availability")
    found = _without_ends(answer.task_rounds)

    last = instances(view, found.rounds, 0, answer.assignor)[-1]

    # The third instance has no state of any task, and ran none.
    assert {tile.note for tile in last.threads[0].tiles["warmup"] if tile.kind == "warmup"} == {"–"}


def _without_ends(found: TaskRounds) -> TaskRounds:
    first, *later = found.rounds
    unknown = replace(
        first.application, end_offset_sum=np.full_like(first.application.end_offset_sum, UNKNOWN)
    )
    return replace(found, rounds=(replace(first, application=unknown), *later))
