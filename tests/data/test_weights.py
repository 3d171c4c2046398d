"""The file of weights: what it says of what was read, how it is replaced, and what a broker with it
answers.
"""

import json
import time
from datetime import UTC, datetime

import numpy as np
import pytest

from evenkeel.assignors.assignment import Assignment
from evenkeel.data.best.readings import Readings
from evenkeel.data.commands.main import main
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.columns.rows import uuid_text
from evenkeel.data.group.document import decode
from evenkeel.data.live.replay import next_epoch
from evenkeel.data.weights import (
    Plan,
    TopicWeights,
    WeightsFile,
    answer,
    fitting,
    fresh,
    is_planned,
    plan_of,
    read,
    with_plan,
    write,
)

ORDERS = uuid_text((1, 2))


def group(taken_at, offsets, members=("a", "b"), owned=None, **more):
    """A group whose topic orders has these (committed, end) offsets; everything else is known."""
    partitions = [
        {"begin_offset": 0, "committed_offset": committed, "end_offset": end}
        for committed, end in offsets
    ]
    document = {
        "format": "evenkeel.group/1",
        "group_id": "payments",
        "taken_at": datetime.fromtimestamp(taken_at, UTC).isoformat(),
        "type": "consumer",
        "assignor": "evenkeel-weighted",
        "topics": [{"name": "orders", "topic_id": ORDERS, "partitions": partitions}],
        "members": [
            {
                "member_id": one,
                "subscribed": ["orders"],
                "owned": {"orders": (owned or {}).get(one, [])},
            }
            for one in members
        ],
    }
    return decode(json.dumps(document | more))


@pytest.mark.parametrize(
    ("objective", "weights"),
    [("rate", [2.0, 0.0, None]), ("lag", [20, 70, 5]), ("drain", [1220, 70, None])],
)
def test_rate_is_what_arrived_between_two_readings_lag_what_is_behind_and_drain_both(
    objective, weights
):
    readings = Readings()

    readings.add([group(1000, [(100, 200), (30, 100)])])
    as_of = readings.add([group(1010, [(200, 220), (30, 100), (0, 5)])])

    assert as_of == 1_010_000
    assert readings.weights(objective) == [TopicWeights(ORDERS, "orders", weights)]


def test_a_topic_that_was_made_anew_has_no_rate_and_two_groups_share_the_larger_lag():
    readings = Readings()

    readings.add([group(1000, [(100, 200)])])
    readings.add([group(1010, [(0, 7)]), group(1010, [(3, 7)])])

    assert readings.weights("rate")[0].weights == [None]
    assert readings.weights("lag")[0].weights == [7]


def test_a_file_is_replaced_whole_and_a_folder_that_takes_nothing_keeps_the_old_one(tmp_path):
    path, file = (
        tmp_path / "weights.json",
        WeightsFile(5, [TopicWeights(ORDERS, "orders", [1.5, None])]),
    )
    write(path, file)

    with pytest.raises(SnapshotError, match="No such file or directory"):
        write(tmp_path / "missing" / "weights.json", file)

    assert read(path) == file
    assert [one.name for one in tmp_path.iterdir()] == ["weights.json"]
    assert read(tmp_path / "other.json") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"format":"evenkeel.weights/2","as_of_ms":1,"topics":[]}',
        '{"format":"evenkeel.weights/1"}',
    ],
)
def test_a_file_that_brokers_refuse_is_refused_by_name(tmp_path, text):
    (tmp_path / "weights.json").write_text(text)

    with pytest.raises(
        SnapshotError, match="weights.json: .*, expected a file of weights, evenkeel.weights/1"
    ):
        read(tmp_path / "weights.json")


def _stored(text):
    """Return the text of a file, with the id of orders for ID."""
    return f'{{"format":"evenkeel.weights/1","as_of_ms":NOW,{text}}}'.replace("ID", ORDERS)


REFUSED = {
    "a topic id twice": _stored(
        '"topics":[{"topic_id":"ID","weights":[100,300,10,10]},{"topic_id":"ID","weights":[100,300,10,10]}]'
    ),
    "a partition twice": _stored(
        '"topics":[{"topic_id":"ID","weights":[100,300,10,10]}],"plans":[{"members":{"x":{"ID":[0,0]}}}]'
    ),
    "a partition beyond int32": _stored(
        '"topics":[{"topic_id":"ID","weights":[100,300,10,10]}],"plans":[{"members":{"x":{"ID":[4294967296]}}}]'
    ),
    "no format": '{"as_of_ms":NOW,"topics":[{"topic_id":"ID","weights":[100,300,10,10]}]}'.replace(
        "ID", ORDERS
    ),
    "a key twice": _stored('"topics":[],"topics":[{"topic_id":"ID","weights":[100,300,10,10]}]'),
    "40 levels": _stored(
        f'"topics":[{{"topic_id":"ID","weights":[100,300,10,10]}}],"more":{"[" * 40}{"]" * 40}'
    ),
    "200,000 levels": _stored(
        f'"topics":[{{"topic_id":"ID","weights":[100,300,'
        f'10,10]}}],"more":{"[" * 200_000}{"]" * 200_000}'
    ),
    "no UTF-8": _stored('"topics":[{"topic_id":"ID","name":"\udcff","weights":[100,300,10,10]}]'),
}
"""What the jar refuses, as text; NOW stands for the time."""


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_the_twin_refuses_what_the_jar_refuses(tmp_path, text):
    (tmp_path / "weights.json").write_bytes(
        text.replace("NOW", "5").encode(errors="surrogateescape")
    )

    with pytest.raises(
        SnapshotError,
        match=r"^[^\n]*weights.json: [^\n]*, expected a file of weights, evenkeel.weights/1$",
    ):
        read(tmp_path / "weights.json")


def test_a_topic_needs_no_name_and_a_bracket_in_a_name_is_no_level(tmp_path):
    for name, said in ((None, ""), ("[" * 99 + '"', f'"name":{json.dumps("[" * 99 + chr(34))},')):
        (tmp_path / "weights.json").write_text(
            _stored(f'"topics":[{{"topic_id":"ID",{said}"weights":[1]}}]').replace("NOW", "5")
        )
        assert read(tmp_path / "weights.json") == WeightsFile(
            5, [TopicWeights(ORDERS, name, [1.0])]
        )


def test_a_file_of_a_time_to_come_is_stale_and_one_of_a_clock_that_is_a_little_fast_is_not(
    tmp_path,
):
    now, path = int(time.time() * 1000), tmp_path / "weights.json"
    found = []
    for ahead in (600_000, 200_000, -200_000, -700_000):
        write(path, WeightsFile(now + ahead, []))
        found.append(fresh(path) is not None)

    assert found == [False, True, True, False]


def test_a_plan_decides_for_exactly_its_members_and_only_while_every_partition_has_one_owner():
    document = group(1000, [(0, 1)] * 3)
    observed = observed_from_document(document)
    plan = plan_of(observed, Assignment(np.array([1, 1, 1], dtype=np.int32)))

    wrong = [
        {"a": {ORDERS: [0, 1]}, "b": {}},
        {"a": {ORDERS: [0, 1, 2]}, "b": {ORDERS: [2]}},
        {"a": {ORDERS: [0, 1, 2, 3]}, "b": {}},
        {"a": {ORDERS: [0, 1, 2], uuid_text((9, 9)): [0]}, "b": {}},
        {"a": {ORDERS: [0, 1, 2]}},
    ]

    assert plan == Plan({"a": {}, "b": {ORDERS: [0, 1, 2]}}, "payments")
    assert answer(document, WeightsFile(1, [], plans=[plan])).owner.tolist() == [1, 1, 1]
    assert not any(
        is_planned(observed.snapshot, WeightsFile(1, [], plans=[Plan(members)]))
        for members in wrong
    )
    assert fitting([plan], [document]) == [plan]
    assert fitting([plan], [group(1000, [(0, 1)] * 3, ("a", "c"))]) == []


def test_a_plan_stands_beside_the_weights_and_the_plans_of_other_groups(tmp_path, capsys):
    path, other = tmp_path / "weights.json", Plan({"x": {}}, "refunds")
    write(
        path,
        WeightsFile(
            5, [TopicWeights(ORDERS, "orders", [1.0])], plans=[other, Plan({"old": {}}, "payments")]
        ),
    )
    (tmp_path / "group.json").write_text(json.dumps(_document()))

    assert main(["best", str(tmp_path / "group.json"), "--plan-out", str(path)]) == 0

    found, said = read(path), capsys.readouterr().err
    why = (
        "brokers ignore this file and its plan: the time of the weights is too long ago or in the"
        " future; write new weights"
    )
    assert said == f"evenkeel best: {path}: {why}\n"
    assert (found.as_of_ms, found.topics) == (5, [TopicWeights(ORDERS, "orders", [1.0])])
    assert [plan.group for plan in found.plans] == ["refunds", "payments"]
    assert sorted(len(topics[ORDERS]) for topics in found.plans[1].members.values()) == [1, 2]
    assert with_plan(path, found.plans[1]) == found


def _document():
    lags = [{"lag": lag} for lag in (100, 60, 50)]
    topics = [{"name": "orders", "topic_id": ORDERS, "partitions": lags}]
    members = [
        {"member_id": "a", "subscribed": ["orders"], "owned": {"orders": [0, 1, 2]}},
        {"member_id": "b", "subscribed": ["orders"]},
    ]
    return {
        "format": "evenkeel.group/1",
        "group_id": "payments",
        "topics": topics,
        "members": members,
    }


def test_the_next_epoch_moves_what_the_weights_of_now_ask_for_and_agrees_where_nothing_would_move():
    file = WeightsFile(1, [TopicWeights(ORDERS, "orders", [100.0, 100.0, 1.0, 1.0])])
    uneven = group(1000, [(0, 1)] * 4, owned={"a": [0, 1], "b": [2, 3]})
    even = group(1000, [(0, 1)] * 4, owned={"a": [0, 2], "b": [1, 3]})

    found = next_epoch(uneven, file)

    assert (len(found.moves.topic), found.worst_now, found.worst_then) == (1, 200.0, 102.0)
    assert next_epoch(even, file).agrees
    assert next_epoch(uneven, None).agrees
    assert not next_epoch(uneven, None).has_weights
    assert next_epoch(group(1000, [(0, 1)], assignor="uniform"), file) is None
