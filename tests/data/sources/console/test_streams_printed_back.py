"""Every form in which an application's members are printed gives the same application."""

from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.data.group.columns import ApplicationTables, application_from_tables
from evenkeel.data.sources.inputs import read
from tests.data.sources.console.printing_streams import ROLES, Printed, first_form, newer_form

_NAMES = st.sampled_from(["wordcount", "my app", "a", "x-1", "ü", "-b"])
_TASKS = st.fixed_dictionaries(
    {
        role: st.dictionaries(
            st.integers(0, 3),
            st.lists(st.integers(0, 20), min_size=1, max_size=3, unique=True),
            max_size=2,
        )
        for role in ROLES
    }
)
_PROCESSES = [f"6ba7b81{number}-9dad-11d1-80b4-00c04fd430c8" for number in range(3)]


@st.composite
def _members(draw):
    group_id = draw(_NAMES)
    ids = draw(
        st.lists(
            st.text("abcXYZ019_-", min_size=22, max_size=22), min_size=1, max_size=4, unique=True
        )
    )
    return [
        Printed(
            group_id,
            each,
            draw(st.sampled_from(_PROCESSES)),
            draw(st.sampled_from(["wc-1", "my client", "c"])),
            draw(_TASKS),
            draw(_TASKS),
        )
        for each in ids
    ]


def _application(text, group_id):
    parsed = read([("printed.txt", text.encode())])
    assert parsed.rejected.to_pylist() == []
    assert (
        parsed.line_count
        == parsed.row_count + parsed.note_count
        == text.count("\n") + (not text.endswith("\n"))
    )
    return application_from_tables(
        ApplicationTables(parsed.tasks, parsed.consumers, parsed.members, parsed.offsets), group_id
    )


def _ids(tasks):
    return [f"{one}_{number}" for one, numbers in tasks.items() for number in numbers]


@settings(max_examples=40, deadline=None)
@given(_members())
def test_both_forms_with_verbose_say_what_runs_and_what_is_to_run(members):
    newer, first = (
        _application(form(members, verbose=True), members[0].group_id)
        for form in (newer_form, first_form)
    )

    assert newer == first
    found = {one.member_id: one for process in newer.processes for one in process.consumers}
    for each in members:
        consumer = found[each.member_id]
        assert (consumer.owned, consumer.standby) == (
            _ids(each.target["ACTIVE"]),
            _ids(each.target["STANDBY"]),
        )
        running = {
            task for task, offset_sum in consumer.task_offset_sums.items() if offset_sum == -2
        }
        assert running == set(_ids(each.tasks["ACTIVE"]))


@settings(max_examples=40, deadline=None)
@given(_members())
def test_both_forms_without_verbose_say_what_runs(members):
    newer, first = (
        _application(form(members, verbose=False), members[0].group_id)
        for form in (newer_form, first_form)
    )

    assert newer == first
    assert {
        (process.process_id, one.member_id)
        for process in newer.processes
        for one in process.consumers
    } == {(each.process_id, each.member_id) for each in members}
