"""What holds for every application and every task assignor."""

from dataclasses import replace
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.group.application import RUNNING, UNKNOWN_SUM
from evenkeel.assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from evenkeel.data.group.columns import application_from_document
from evenkeel.data.group.document import decode_application
from tests.generated.applications import streams_document

LEADERS = {
    name: assignor for name, assignor in TASK_ASSIGNORS.items() if assignor.group_type == "classic"
}
every_assignor = pytest.mark.parametrize("assignor", TASK_ASSIGNORS.values(), ids=TASK_ASSIGNORS)
of_a_leader = pytest.mark.parametrize("assignor", LEADERS.values(), ids=LEADERS)
some_examples = settings(max_examples=40, deadline=None)
NUMBERS = st.integers(0, 2**32)


def snapshot(number: int):
    """A random application that runs: it has processes, and tasks for what they own."""
    document = streams_document(Random(number))
    found = application_from_document(decode_application(msgspec.json.encode(document)))
    return (
        replace(found, owns_unknown=np.zeros(found.process_count, dtype=bool))
        if found.process_count
        else snapshot(number + 1)
    )


def spread(values: np.ndarray) -> float:
    return float(values.max() - values.min())


@every_assignor
@some_examples
@given(NUMBERS, st.integers(0, 3))
def test_every_task_runs_once_and_its_copies_lie_on_other_processes(assignor, number, standbys):
    application = snapshot(number)
    answer = assignor(num_standby_replicas=standbys).assign(application)

    holders = [
        *enumerate(answer.active.tolist()),
        *((task, process) for process, task in answer.standby.tolist()),
    ]
    assert (answer.active >= 0).all()
    assert len(set(holders)) == len(holders)
    assert application.is_stateful[answer.standby[:, 1]].all()


@every_assignor
@some_examples
@given(NUMBERS, st.integers(0, 3))
def test_each_stateful_task_has_as_many_copies_as_there_are_processes_for_them_and_warmups_beside(
    assignor, number, standbys
):
    application = snapshot(number)
    answer = assignor(num_standby_replicas=standbys).assign(application)

    wanted = min(standbys, application.process_count - 1)
    copies = np.bincount(answer.standby[:, 1], minlength=application.task_count)
    warmups = np.bincount(answer.warmup[:, 1], minlength=application.task_count)
    assert ((copies >= wanted) & (copies <= wanted + warmups))[application.is_stateful].all()


@of_a_leader
@some_examples
@given(NUMBERS)
def test_threads_of_a_process_share_its_tasks_evenly(assignor, number):
    application = snapshot(number)
    answer = assignor(num_standby_replicas=1).assign(application)

    assert (application.member_process[answer.active_member] == answer.active).all()
    assert (application.member_process[answer.standby_member] == answer.standby[:, 0]).all()
    load = np.bincount(
        [*answer.active_member, *answer.standby_member], minlength=application.member_count
    )
    assert all(
        spread(load[application.member_process == process]) <= 1
        for process in range(application.process_count)
    )


@some_examples
@given(NUMBERS, st.integers(1, 4))
def test_warmups_keep_within_their_number_and_ask_for_a_probing_rebalance(number, most):
    application = snapshot(number)
    answer = HighAvailabilityTaskAssignor(
        max_warmup_replicas=most, num_standby_replicas=1, acceptable_recovery_lag=50
    ).assign(application)

    standbys = set(map(tuple, answer.standby.tolist()))
    assert len(answer.warmup) <= most
    assert all(warmup in standbys for warmup in map(tuple, answer.warmup.tolist()))
    assert answer.is_probing_rebalance_needed or not answer.warmup.size


@some_examples
@given(NUMBERS)
def test_an_active_task_is_on_a_caught_up_process_wherever_there_is_one(number):
    application = snapshot(number)
    answer = HighAvailabilityTaskAssignor(
        acceptable_recovery_lag=50, num_standby_replicas=1
    ).assign(application)

    lag = application.lag
    is_caught_up = (lag == RUNNING) | ((lag >= 0) & (lag <= 50))
    has_one = is_caught_up.any(axis=0) & application.is_stateful
    # A lag of -3 sorts before every other, so such a process keeps the task.
    runs_on_unknown = lag[answer.active, np.arange(application.task_count)] == UNKNOWN_SUM
    assert (is_caught_up[answer.active, np.arange(application.task_count)] | runs_on_unknown)[
        has_one
    ].all()


@some_examples
@given(NUMBERS)
def test_where_all_are_caught_up_active_tasks_are_even_by_thread(number):
    application = snapshot(number)
    answer = HighAvailabilityTaskAssignor(acceptable_recovery_lag=2**63 - 1).assign(application)

    by_thread = (
        np.bincount(answer.active, minlength=application.process_count) / application.capacity
    )
    assert spread(by_thread) <= 1
    assert not answer.is_probing_rebalance_needed


@every_assignor
@some_examples
@given(NUMBERS)
def test_the_input_is_not_changed_and_two_calls_give_one_answer(assignor, number):
    application = snapshot(number)
    for column in vars(application).values():
        if isinstance(column, np.ndarray):
            column.flags.writeable = False

    first, second = (assignor(num_standby_replicas=1).assign(application) for _ in range(2))

    assert first.active.tolist() == second.active.tolist()
    assert first.standby.tolist() == second.standby.tolist()
    assert first.active_member.tolist() == second.active_member.tolist()
    assert first.withheld.tolist() == second.withheld.tolist()


@of_a_leader
def test_a_process_that_owns_only_what_does_not_exist_is_an_error_as_in_kafka(assignor):
    application = snapshot(1)
    lost = replace(
        application,
        owns_unknown=np.ones(application.process_count, dtype=bool),
        owned_member=np.empty(0, dtype=np.int32),
        owned_task=np.empty(0, dtype=np.int32),
    )

    with pytest.raises(AssignorError) as raised:
        assignor().assign(lost)

    assert raised.value.java_class == "IllegalStateException"


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        (
            "acceptable_recovery_lag",
            -1,
            "acceptable_recovery_lag is -1, expected an integer from 0 to 9223372036854775807",
        ),
        ("max_warmup_replicas", 0, "max_warmup_replicas is 0, expected an integer from 1"),
        ("num_standby_replicas", "1", "num_standby_replicas is '1', expected an integer"),
        (
            "probing_rebalance_interval_ms",
            59_999,
            "probing_rebalance_interval_ms is 59999, expected an integer from 60000",
        ),
        (
            "rack_aware_assignment_tags",
            "zone",
            (
                "rack_aware_assignment_tags is 'zone', expected a list of keys of at most 20"
                " characters"
            ),
        ),
        (
            "rack_aware_assignment_tags",
            tuple("abcdef"),
            "rack_aware_assignment_tags has 6 keys, expected at most 5",
        ),
        ("jdk", True, "jdk is True, expected an integer from 8"),
    ],
)
def test_a_setting_out_of_kafkas_range_is_refused(setting, value, message):
    with pytest.raises(ValueError, match="^high-availability: ") as refused:
        HighAvailabilityTaskAssignor(**{setting: value})

    assert message in str(refused.value)
