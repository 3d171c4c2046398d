"""A group that is too large is refused before anything of its size is made."""

import json
import tracemalloc

import msgspec
import pytest
from hypothesis import given, strategies

from evenkeel.data.configuration import Configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import Budget, Footprint, TooLargeError
from evenkeel.data.group.columns import group_keys, observed_from_document, observed_from_tables
from evenkeel.data.group.document import decode
from evenkeel.data.scenarios.application_edits.application_edit import ApplicationState
from evenkeel.data.scenarios.edits import AnyEdit
from evenkeel.data.scenarios.edits.edit import EditPlace
from evenkeel.data.scenarios.run.results import application_result, result_of
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario
from evenkeel.data.scenarios.size import SizeOfApplication, SizeOfGroup
from evenkeel.data.sources.inputs import read
from tests.generated.documents import group_document
from tests.generated.edits import random_edit

DOCUMENT = (
    b'{"format":"evenkeel.group/1","group_id":"g","topics":[{"name":"t","partitions":10000000}],"members":[{"member_id":"a","subscribed'
    b'":["t"],"owned":{"t":[0]}}]}'
)
LINES = (
    b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    + b"".join(b"g t%d 999999 1 2 1 - - -\n" % number for number in range(9))
)


@pytest.mark.parametrize("text", [DOCUMENT, LINES])
def test_a_few_bytes_that_stand_for_millions_of_partitions_are_refused_at_once(text):
    parsed = read([("group", text)])
    tables = (parsed.offsets, parsed.members, parsed.topics)
    tracemalloc.start()
    try:
        with pytest.raises(TooLargeError) as refusal:
            observed_from_tables(*tables, *group_keys(*tables)[0], budget=Configuration().budget)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 5_000_000
    assert "partitions and" in str(refusal.value)
    assert "MB ([limits] group). The command line allows it: evenkeel compare PATH" in str(
        refusal.value
    )


def test_a_million_partitions_of_two_thousand_members_fit_by_default():
    assert (
        Footprint(1_000_000, 2_000, 1_000_000, 500, 2_000).byte_count
        <= Configuration().budget.group_bytes
    )


def test_many_members_and_claims_count_too():
    assert Footprint(1, 1_000_000, 0, 1, 1).byte_count > Configuration().budget.group_bytes
    assert Footprint(1, 1, 50_000_000, 1, 1).byte_count > Configuration().budget.group_bytes
    assert Footprint(1, 1, 0, 100_000, 100_000).byte_count > Configuration().budget.group_bytes


GROUP = {
    "format": "evenkeel.group/1",
    "topics": [{"name": "t", "partitions": 3}],
    "members": [{"member_id": "m", "subscribed": ["t"]}],
}
TEN_THOUSAND = {"op": "add_members", "like": "m", "count": 10_000}
PROCESS = "00000000-0000-0000-0000-000000000001"
APPLICATION = {
    "format": "evenkeel.streams/1",
    "tasks": [{"task_id": f"0_{number}", "stateful": True} for number in range(1_000)],
    "processes": [{"process_id": PROCESS, "consumers": [{"member_id": "c"}]}],
}


def scenario(*steps: list[dict], group: dict = GROUP, **changed) -> bytes:
    told = {
        "format": "evenkeel.scenario/1",
        "group": group | changed,
        "steps": [{"edits": edits} for edits in steps],
    }
    return json.dumps(told).encode()


def topic(partitions: int) -> dict:
    return {"topics": [{"name": "t", "partitions": partitions}]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            scenario(**topic(10_000_000)),
            (
                "$.group.topics[0].partitions: the group has 10,000,000 partitions and 1 member and"
                " takes 2.5 GB, expected at most 512 MB ([limits] group)"
            ),
        ),
        (
            scenario([], [{"op": "set_partition_count", "topic": "t", "count": 10_000_000}]),
            (
                "steps[1].edits[0].count: the group would have 10,000,000 partitions and 1 member"
                " and take 2.5 GB, expected at most 512 MB ([limits] group)"
            ),
        ),
        (
            scenario([{"op": "add_topic", "name": "u", "partitions": 9_000_000}]),
            (
                "steps[0].edits[0].partitions: the group would have 9,000,003 partitions and 1"
                " member and take 2.3 GB, expected at most 512 MB ([limits] group)"
            ),
        ),
        (
            scenario([TEN_THOUSAND] * 300),
            (
                "steps[0].edits[25].count: the group would have 3 partitions and 260,001 members"
                " and take 520 MB, expected at most 512 MB ([limits] group)"
            ),
        ),
        (
            scenario(*[[]] * 20, **topic(1_000_000)),
            (
                "steps[1]: 7 assignors would answer about 21,000,168 partitions in all steps up to"
                " this one, expected at most 20,000,000 ([limits] work)"
            ),
        ),
        (
            scenario(*[[{"op": "remove_members", "member_ids": []}] * 300] * 40),
            "steps[33]: found 10,200 edits in all steps up to this one, expected at most 10,000",
        ),
        (
            scenario([{"op": "add_processes", "like": PROCESS, "count": 1_000}], group=APPLICATION),
            (
                "steps[0].edits[0].count: the application would have 1,000 tasks and 1,001"
                " processes and take 803 MB, expected at most 512 MB ([limits] group)"
            ),
        ),
        (
            scenario(
                *[[{"op": "add_processes", "like": PROCESS, "count": 50}]] * 12, group=APPLICATION
            ),
            # 1,008 for each process: its member counts 8, its pairs with tasks 1,000; an edit makes
            # a step count 1.1.
            (
                "steps[8]: 4 assignors would answer about 10,023,120 partitions in all steps up to"
                " this one, expected at most 10,000,000 ([limits] work)"
            ),
        ),
    ],
)
def test_a_request_for_too_much_is_refused_early_with_place_size_limit_and_setting(text, said):
    budget = Budget(work=10_000_000) if "at most 10,000,000" in said else Budget()
    tracemalloc.start()
    try:
        asked, begin = decode_any_scenario(text), tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        with pytest.raises(SnapshotError) as refusal:
            (application_result if "tasks" in str(text[:200]) else result_of)(asked, budget=budget)
        peak = tracemalloc.get_traced_memory()[1] - begin
    finally:
        tracemalloc.stop()

    assert str(refusal.value) == said
    assert peak < 5_000_000


def test_a_group_of_many_members_is_refused_by_its_members():
    members = [{"member_id": f"m-{number}", "subscribed": ["t"]} for number in range(6_000)]

    with pytest.raises(TooLargeError) as refusal:
        result_of(
            decode_any_scenario(scenario(members=members)), budget=Budget(group_bytes=10 * 10**6)
        )

    assert (
        str(refusal.value)
        == "$.group.members: the group has 3 partitions and 6,000 members and takes 12 MB, expected"
        " at most 10 MB ([limits] group)"
    )


def test_a_command_may_ask_for_more_and_names_its_own_setting():
    result_of(decode_any_scenario(scenario([TEN_THOUSAND], **topic(10))), wanted=["range"])

    with pytest.raises(SnapshotError) as refusal:
        result_of(decode_any_scenario(scenario(*[[]] * 20, **topic(1_000_000))))

    assert (
        str(refusal.value)
        == "steps[13]: 7 assignors would answer about 105,000,840 partitions in all steps up to"
        " this one, expected at most 100,000,000 ([limits.command_line] work)"
    )


def test_ten_million_partitions_are_the_most_that_any_budget_allows():
    edit = {"op": "add_topic", "name": "u", "partitions": 9_999_998}

    with pytest.raises(SnapshotError) as refusal:
        result_of(decode_any_scenario(scenario([edit])))

    assert (
        str(refusal.value)
        == "steps[0].edits[0].partitions: the group would have 10,000,001 partitions and 1 member,"
        " expected at most 10,000,000 partitions"
    )


@given(strategies.randoms(use_true_random=False))
def test_the_size_told_of_an_edit_is_that_of_the_group_after_it(random):
    document = group_document(random)
    group, edit = (
        observed_from_document(decode(json.dumps(document))),
        msgspec.convert(random_edit(random, document), AnyEdit),
    )
    told = SizeOfGroup.of_observed(group)

    edit.resize(told)

    after = edit.apply(group, EditPlace(0, 0))
    rests = edit.apply_later(after, EditPlace(0, 0), group) or after
    found = SizeOfGroup.of_observed(rests).footprint
    assert (told.footprint.partition_count, told.footprint.member_count) == (
        found.partition_count,
        found.member_count,
    )
    assert told.footprint.subscription_count >= found.subscription_count


def test_the_size_told_of_edits_of_an_application_is_that_of_the_application_after_them():
    other = "00000000-0000-0000-0000-000000000002"
    processes = [
        {"process_id": PROCESS, "consumers": [{"member_id": "c"}, {"member_id": "d"}]},
        {"process_id": other, "consumers": [{"member_id": "e"}]},
    ]
    edits = [
        {"op": "add_processes", "like": PROCESS, "count": 3},
        {"op": "remove_processes", "process_ids": [PROCESS, other]},
        {"op": "return_processes", "process_ids": [other]},
    ]
    asked = decode_any_scenario(scenario(edits, group=APPLICATION | {"processes": processes}))
    told, state = SizeOfApplication(asked.group), ApplicationState(asked.group)

    for place, edit in asked.steps[0].edits_on:
        edit.resize(told)
        state = edit.apply(state, EditPlace(0, place))

    # Three with two consumers each, and the one that came back.
    assert (
        told.footprint
        == SizeOfApplication(state.document).footprint
        == Footprint(member_count=7, task_count=1_000, process_count=4)
    )
