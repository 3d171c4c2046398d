import json
import re

import msgspec
import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import decode_application
from evenkeel.data.scenarios.application_edits import APPLICATION_EDITS, AnyApplicationEdit
from evenkeel.data.scenarios.application_edits.application_edit import ApplicationState
from evenkeel.data.scenarios.edits.edit import EditPlace
from tests.data.scenarios.run.small_application import DOCUMENT, ONE, THREE, TWO, application, lines

_EDITS = msgspec.json.Decoder(AnyApplicationEdit)


def edited(*edits, document=None):
    state = ApplicationState(document or application())
    for place, edit in enumerate(edits):
        state = _EDITS.decode(json.dumps(edit)).apply(state, EditPlace(0, place))
    decode_application(msgspec.json.encode(state.document))
    return state


def process_ids(state):
    return [process.process_id for process in state.document.processes]


def test_a_process_leaves_with_its_consumers_and_its_disk_keeps_all_records_of_its_tasks():
    state = edited({"op": "remove_processes", "process_ids": [ONE]})

    assert process_ids(state) == [TWO, THREE]
    assert state.gone[ONE].consumers[0].task_offset_sums == dict.fromkeys(
        ["0_0", "0_1", "0_2", "0_3"], 60_000
    )
    assert state.gone[ONE].consumers[0].owned is None


def test_a_process_comes_back_with_its_disk_under_its_id_and_a_new_member_id():
    state = edited(
        {"op": "remove_processes", "process_ids": [TWO]},
        {"op": "return_processes", "process_ids": [TWO], "seed": 5},
    )

    assert process_ids(state) == [ONE, THREE, TWO]
    (consumer,) = state.document.processes[2].consumers
    assert consumer.task_offset_sums == {"0_1": 60_000, "0_2": 30_000}
    assert re.fullmatch("orders-2-consumer-[0-9a-f-]{36}", consumer.member_id)
    assert state.gone == {}


def test_a_process_that_comes_back_without_its_disk_is_a_new_one_with_nothing():
    state = edited(
        {"op": "remove_processes", "process_ids": [TWO]},
        {"op": "return_processes", "process_ids": [TWO], "disk": False},
    )

    back = state.document.processes[2]
    assert back.process_id not in (ONE, TWO, THREE)
    assert back.consumers[0].task_offset_sums is None
    assert state.document.restore_rates[back.process_id] == 100.0


def test_added_processes_are_like_another_one_and_the_seed_makes_their_ids():
    first, again, other = (
        edited({"op": "add_processes", "like": ONE, "count": 2, "seed": seed}) for seed in (1, 1, 2)
    )

    assert process_ids(first) == process_ids(again) != process_ids(other)
    assert [
        (process.rack, len(process.consumers), process.consumers[0].owned)
        for process in first.document.processes[3:]
    ] == [
        ("a", 1, None),
        ("a", 1, None),
    ]


def test_members_of_a_streams_group_make_ids_of_22_characters():
    state = edited({"op": "add_processes", "like": ONE}, document=application(type="streams"))

    assert re.fullmatch("[A-Za-z0-9_-]{22}", state.document.processes[3].consumers[0].member_id)


def test_settings_change_and_null_is_the_default_of_kafka():
    state = edited(
        {
            "op": "set_settings",
            "settings": {"max.warmup.replicas": 4, "acceptable.recovery.lag": None},
        }
    )

    assert state.document.settings == {"num.standby.replicas": 0, "max.warmup.replicas": 4}


def test_what_is_assumed_of_a_process_follows_it():
    state = edited(
        {"op": "remove_processes", "process_ids": [ONE]},
        document=application(
            assumed=["processes[0].rack", "processes[2].consumers[0].owned", "tasks"]
        ),
    )

    assert state.document.assumed == ["processes[1].consumers[0].owned", "tasks"]


@pytest.mark.parametrize(
    ("edits", "refusal"),
    [
        (
            [{"op": "remove_processes", "process_ids": [ONE, "x"]}],
            'steps[0].edits[0].process_ids[1]: no process "x"',
        ),
        (
            [{"op": "remove_processes", "process_ids": [ONE, ONE]}],
            f'steps[0].edits[0].process_ids[1]: process "{ONE}" twice, expected once',
        ),
        (
            [{"op": "remove_processes", "process_ids": [ONE, TWO, THREE]}],
            "steps[0].edits[0].process_ids: all 3 processes",
        ),
        ([{"op": "add_processes", "like": "x"}], 'steps[0].edits[0].like: no process "x"'),
        (
            [{"op": "return_processes", "process_ids": [ONE]}],
            f'steps[0].edits[0].process_ids[0]: no process "{ONE}" has left',
        ),
        (
            [{"op": "set_settings", "settings": {"x": 1}}],
            'steps[0].edits[0].settings: "x" is not a setting of high-availability',
        ),
        (
            [{"op": "set_settings", "settings": {"max.warmup.replicas": 0}}],
            "steps[0].edits[0].settings: high-availability: max_warmup_replicas is 0",
        ),
        (
            [{"op": "advance", "seconds": 5}],
            "steps[0].edits[0].seconds: time passes after a rebalance",
        ),
    ],
)
def test_an_edit_that_names_what_is_not_there_is_refused_with_its_place(edits, refusal):
    with pytest.raises(SnapshotError, match=f"^{re.escape(refusal)}"):
        edited(*edits)


@pytest.mark.parametrize(("rates", "missing"), [({"x": 1}, 'no process "x"')])
def test_a_rate_of_a_process_that_is_not_there_is_refused(rates, missing):
    with pytest.raises(SnapshotError, match=rf"^steps\[1\]\.edits\[0\]\.restore_rates: {missing}"):
        lines([], [{"op": "advance", "seconds": 5, "restore_rates": rates}])


def test_every_edit_that_is_off_does_nothing():
    quiet = [{"op": "remove_processes", "process_ids": ["x"], "off": True}]

    assert lines(quiet)[1]["assignment"] == lines([])[1]["assignment"]
    assert set(APPLICATION_EDITS) == {
        "remove_processes",
        "add_processes",
        "return_processes",
        "set_settings",
        "advance",
    }
    assert DOCUMENT["processes"][0]["process_id"] == ONE
