import json

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.run.results import application_result
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario, decode_scenario
from evenkeel.data.scenarios.scenario.scenario import content_hash
from tests.data.scenarios.run.small_application import DOCUMENT, ONE, THREE, TWO, lines, scenario


def test_tasks_go_to_caught_up_processes_and_others_warm_up():
    (listed,) = lines()

    # KIP-441: process 2 is caught up on 0_1 alone; process 3 is to have one of four tasks, so it
    # warms one up.
    assert listed["assignment"][TWO]["active"] == ["0_1"]
    assert listed["assignment"][THREE]["active"] == []
    assert (listed["warmup_tasks"], listed["probing_rebalance"], listed["moved_tasks"]) == (
        1,
        True,
        1,
    )
    assert (listed["records_to_restore"], listed["seconds_to_restore"]) == (0, 0.0)
    assert listed["owned_before"] == {ONE: ["0_0", "0_1", "0_2", "0_3"], TWO: [], THREE: []}


def test_the_only_process_has_both_the_most_and_the_fewest_tasks():
    *_, alone = lines([{"op": "remove_processes", "process_ids": [TWO, THREE]}])

    assert (alone["max_active_tasks"], alone["min_active_tasks"]) == (4, 4)


def test_tasks_of_a_process_that_died_have_moved_and_have_to_restore():
    *_, died = lines([{"op": "remove_processes", "process_ids": [ONE]}])

    # Process 2 is caught up on 0_1 and has half of 0_2; of the others nobody has anything.
    assert died["moved_tasks"] == 4
    assert died["tasks_without_caught_up_copy"] == 3
    # Process 2 restores 0_0 and the rest of 0_2, process 3 restores 0_3, at 100 records/s each.
    assert (died["records_to_restore"], died["seconds_to_restore"]) == (
        60_000 + 30_000 + 60_000,
        900.0,
    )


def test_time_that_passes_fills_warmups_at_the_given_rate():
    _, first, later = lines([], [{"op": "advance", "seconds": 300, "restore_rates": {"*": 1_000}}])
    _, _, sooner = lines([], [{"op": "advance", "seconds": 1, "restore_rates": {"*": 1_000}}])

    assert (first["probing_rebalance"], later["moved_tasks"] > 0, sooner["moved_tasks"]) == (
        True,
        True,
        0,
    )


def test_every_later_step_starts_where_the_step_before_ended():
    _, first, second = lines([], [])

    assert second["owned_before"] == {
        process: roles["active"] for process, roles in first["assignment"].items()
    }
    assert second["moved_tasks"] == 0


def test_times_are_unknown_where_rates_are():
    without = {key: value for key, value in DOCUMENT.items() if not key.endswith("rates")}

    (listed,) = lines(group=without)
    *_, died = lines([{"op": "remove_processes", "process_ids": [ONE]}], group=without)

    assert (listed["rounds"], listed["seconds_to_balance"]) == (None, None)
    assert (died["records_to_restore"] > 0, died["seconds_to_restore"]) == (True, None)


def test_records_to_restore_are_unknown_where_the_end_of_a_moved_task_is():
    tasks = [{"task_id": task["task_id"], "stateful": True} for task in DOCUMENT["tasks"]]

    *_, died = lines(
        [{"op": "remove_processes", "process_ids": [ONE]}], group=DOCUMENT | {"tasks": tasks}
    )

    assert (
        died["records_to_restore"],
        died["seconds_to_restore"],
        died["tasks_without_caught_up_copy"],
    ) == (None, None, None)
    assert "tasks[0].end_offset_sum" in died["assumed"]


def test_without_a_choice_the_assignors_of_the_type_answer_and_an_unknown_one_is_refused():
    names = [line["assignor"] for line in lines_of(application_result(scenario()))[1:]]
    of_group = [
        line["assignor"]
        for line in lines_of(application_result(scenario(group=DOCUMENT | {"type": "streams"})))[1:]
    ]

    assert (names, of_group) == (
        ["high-availability", "legacy-sticky", "fallback-prior", "streams-sticky"],
        ["streams-group-sticky"],
    )
    with pytest.raises(
        SnapshotError, match='^assignors: found "sticky", expected one of high-availability, '
    ):
        application_result(scenario(assignors=["sticky"]))


def test_a_streams_group_is_assigned_by_member():
    (listed,) = lines(assignor="streams-group-sticky", group=DOCUMENT | {"type": "streams"})

    assert (
        listed["assignment"].keys()
        == listed["owned_before"].keys()
        == {f"orders-{number}-consumer" for number in (1, 2, 3)}
    )


def test_names_of_steps_and_edits_that_are_off_are_not_in_the_hash_and_rates_are():
    steps = [{"op": "remove_processes", "process_ids": [ONE]}]
    off = [*steps, {"op": "remove_processes", "process_ids": [TWO], "off": True}]
    faster = DOCUMENT | {"restore_rates": {ONE: 100.5}}

    assert content_hash(scenario(steps)) == content_hash(scenario(off))
    assert content_hash(scenario(steps)) != content_hash(scenario(steps, group=faster))


def test_the_same_scenario_gives_the_same_hashes_and_lines():
    asked = scenario([{"op": "add_processes", "like": ONE, "count": 2, "seed": 1}])

    assert lines_of(application_result(asked)) == lines_of(application_result(asked))


def test_what_answers_groups_alone_says_who_answers_a_streams_document():
    with pytest.raises(
        SnapshotError,
        match=(
            r"^\$\.group: a streams document; `evenkeel replay` and POST /api/scenarios answer it"
        ),
    ):
        decode_scenario(json.dumps({"format": "evenkeel.scenario/1", "group": DOCUMENT}).encode())


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        (
            {"steps": [{"edits": [{"op": "remove_members"}]}]},
            (
                r"\$\.steps\[0\]\.edits\[0\]\.op: found 'remove_members', expected one of"
                r" remove_processes"
            ),
        ),
        (
            {"group": DOCUMENT | {"tasks": [{"task_id": "x", "stateful": True}]}},
            r'\$\.group\.tasks\[0\]\.task_id: found "x"',
        ),
        ({"settings": {"kafka_version": "4.3.1"}}, r"\$\.settings: object contains unknown field"),
        (
            {"extra": 1},
            (
                r"\$: object contains unknown field `extra`, expected a scenario .* with a group"
                r" evenkeel.streams/1"
            ),
        ),
    ],
)
def test_a_scenario_that_breaks_the_contract_is_refused_with_the_path(changed, refusal):
    document = {"format": "evenkeel.scenario/1", "group": DOCUMENT} | changed

    with pytest.raises(SnapshotError, match=f"^{refusal}"):
        decode_any_scenario(json.dumps(document).encode())
