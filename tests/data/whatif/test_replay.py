"""Replaying a scenario: the same lines in any process, and answers that are those of `evenkeel
assign`, round by round.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings, strategies

from evenkeel.assignors.diagnosis.finding import GAIN
from evenkeel.data.compare.advice import with_advice
from evenkeel.data.compare.assign_command import answer
from evenkeel.data.diagnosis.answer import diagnosed
from evenkeel.data.diagnosis.reading import Readings
from evenkeel.data.scenarios.run.results import result_of
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.decode import decode_scenario
from evenkeel.data.scenarios.scenario.scenario import content_hash
from tests.data.scenarios.edited_by_hand import edited
from tests.data.scenarios.scenarios import PAYMENTS, scenario
from tests.generated.documents import group_document
from tests.generated.edits import random_edit

ROOT = Path(__file__).parents[3]
STEPS = (
    [{"op": "remove_members", "member_ids": ["pay-b"]}],
    [
        {"op": "add_members", "like": "pay-a", "count": 3, "seed": 7},
        {"op": "set_partition_count", "topic": "orders", "count": 9},
    ],
    [
        {"op": "restart_members", "member_ids": ["pay-a"], "seed": 1},
        {"op": "add_topic", "name": "refunds", "partitions": 3},
    ],
)
ALL = ("range", "roundrobin", "sticky", "cooperative-sticky", "lag", "uniform", "broker-range")
CAUSES_NO_REBALANCE = ("set_lag", "scale_lag", "advance")
REFUSED = {}
"""In place of an answer."""

randoms = strategies.randoms(use_true_random=False)


encoded = msgspec.json.encode


def test_a_replay_in_another_process_gives_the_same_lines(tmp_path):
    one = scenario(*STEPS, assignors=ALL)
    (tmp_path / "scenario.json").write_bytes(encoded(one))
    command = [
        sys.executable,
        "-c",
        "import sys; from evenkeel.data.commands.main import main; sys.exit(main())",
        "replay",
        tmp_path / "scenario.json",
    ]

    # Another seed of Python's hashes, another time zone, another day.
    surroundings = os.environ | {
        "PYTHONHASHSEED": "12345",
        "TZ": "Pacific/Apia",
        "PYTHONPATH": str(ROOT),
    }
    told = subprocess.run(command, capture_output=True, check=True, env=surroundings, cwd=tmp_path)

    found = result_of(one)
    diagnosis = diagnosed(Readings(found.listed)).document()
    assert [json.loads(line) for line in told.stdout.splitlines()] == json.loads(
        json.dumps(with_advice(lines_of(found), found, diagnosis, GAIN))
    )


def test_a_scenario_survives_its_json():
    one = scenario(*STEPS, assignors=ALL, kafka_version="4.0.0", jdk=21)

    assert decode_scenario(encoded(one)) == one
    assert content_hash(decode_scenario(encoded(one))) == content_hash(one)


def test_names_and_edits_that_are_off_do_not_change_the_content_hash():
    plain = scenario(*STEPS)
    text = json.loads(encoded(plain))
    text["name"], text["steps"][0]["name"] = "a name", "another"
    text["steps"][1]["edits"].append(
        {"op": "remove_members", "member_ids": ["nobody"], "off": True}
    )

    assert content_hash(decode_scenario(json.dumps(text).encode())) == content_hash(plain)


@pytest.mark.parametrize(
    "change", [{"kafka_version": "4.0.0"}, {"jdk": 21}, {"assignors": ("range",)}]
)
def test_settings_change_the_content_hash(change):
    assert content_hash(scenario(*STEPS, **change)) != content_hash(scenario(*STEPS))


def test_the_hash_of_offsets_beyond_what_javascript_counts_is_exact():
    def hash_of(end: int) -> str:
        partition = {"begin_offset": 0, "end_offset": end, "committed_offset": 0}
        return content_hash(
            scenario(group=PAYMENTS | {"topics": [{"name": "orders", "partitions": [partition]}]})
        )

    assert hash_of(2**62) != hash_of(2**62 + 1)


@given(randoms, strategies.sampled_from(ALL))
@settings(max_examples=60)
def test_every_step_is_what_assign_answers_round_by_round(random: Random, name: str):
    stored = name in ("uniform", "broker-range")
    start = {
        "format": "evenkeel.scenario/1",
        "group": group_document(random, stored),
        "settings": {"assignors": [name]},
    }
    followed, steps = start["group"], []
    for _ in range(2):
        edit = random_edit(random, followed)
        steps.append({"edits": [edit]})
        followed = edited(followed, edit)
    lines = lines_of(result_of(decode_scenario(json.dumps(start | {"steps": steps}).encode())))[1:]

    group = start["group"]
    for line, step in zip(lines[1:], steps, strict=True):
        group = edited(group, step["edits"][0])
        if line["rounds"] == 0 and step["edits"][0]["op"] in CAUSES_NO_REBALANCE:
            assert not line["moved_partitions"]
            assert line["assignment"] == line["owned_before"]
            continue
        group, asked = _at_rest(group, name)
        if asked is None:
            assert line["error"] is not None
            return
        if asked is REFUSED or line["never_ends"] is not False:
            return
        assert line["error"] is None
        assert line["assignment"] == asked


def _at_rest(group: dict, name: str) -> tuple[dict, dict | None]:
    """Ask `assign` until nobody has a reason to rejoin; return the group then, and what members
    have, None where Kafka throws.
    """
    for _ in range(20):
        told = answer(json.dumps({"assignor": name, "group": group}).encode())
        if told.error:
            return group, None
        had = {member["member_id"]: _pairs(member.get("owned")) for member in group["members"]}
        generation = 1 + max(
            (member.get("generation") or 0 for member in group["members"]), default=0
        )
        is_last = name != "cooperative-sticky" or not any(
            had[member] - _pairs(told.assignment[member]) for member in had
        )
        if any(
            set(told.assignment[each["member_id"]]) - set(each["subscribed"])
            for each in group["members"]
        ):
            # A client refuses such an assignment; the tests of rounds follow it.
            return group, REFUSED
        members = [
            each | _joining(each, told.assignment[each["member_id"]], name, generation)
            for each in group["members"]
        ]
        group = group | {"members": members}
        if is_last:
            return group, told.assignment
    return group, told.assignment


def _joining(member: dict, given: dict, name: str, generation: int) -> dict:
    if name in ("uniform", "broker-range"):
        return {} if _pairs(member.get("owned")) == _pairs(given) else {"owned": given}
    return {"owned": given, "generation": generation}


def _pairs(held: dict | None) -> set:
    return {(topic, number) for topic, numbers in (held or {}).items() for number in numbers or ()}
