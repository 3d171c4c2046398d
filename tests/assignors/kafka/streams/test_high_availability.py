"""Kafka's HighAvailabilityTaskAssignorTest; the answers are those of Kafka's class."""

import pytest

from evenkeel.assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from tests.assignors.applications import application, spelled
from tests.recorded.high_availability import CASES, CHANGELOG, SOURCE, WITH_RACKS, clients_in_racks


def answer_of(snapshot, limits, **settings) -> str:
    return spelled(snapshot, HighAvailabilityTaskAssignor(*limits, **settings).assign(snapshot))


@pytest.mark.parametrize(("given", "limits", "expected"), CASES.values(), ids=CASES)
def test_kafkas_own_cases_have_kafkas_answers(given, limits, expected):
    assert answer_of(application(*given), limits) == expected


@pytest.mark.parametrize("name", WITH_RACKS)
def test_kafkas_own_cases_have_kafkas_answers_with_racks(name):
    (tasks, stateful, _), limits, _ = CASES[name]
    snapshot = application(tasks, stateful, clients_in_racks(name), source=SOURCE, changelog=CHANGELOG)

    min_traffic, by_subtopology = WITH_RACKS[name]

    assert answer_of(snapshot, limits, rack_aware_assignment_strategy="min_traffic") == min_traffic
    assert answer_of(snapshot, limits, rack_aware_assignment_strategy="balance_subtopology") == (by_subtopology or min_traffic)


def test_racks_that_are_not_known_leave_tasks_where_they_are_and_are_assumed():
    given, limits, expected = CASES["ClientsDivideTasks"]
    answer = HighAvailabilityTaskAssignor(*limits, rack_aware_assignment_strategy="min_traffic").assign(application(*given))

    assert spelled(application(*given), answer) == expected
    assert [(assumed.column, assumed.rows.tolist()) for assumed in answer.assumed] == [("rack", [0, 1, 2]), ("source_racks", list(range(9)))]
