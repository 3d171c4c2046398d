"""What a tool printed is what the parser gives, for random groups, in every dialect."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.data.sources.console.listing import parse
from tests.data.sources.console.printing_members import members_2_0, members_2_3, members_4_verbose
from tests.generated.listings import BLANK_NAMES, DIALECTS, TAME, WILD_NAMES, lines, members

OWNER_DIALECTS = ("kafka_0_8_2", "kafka_0_9_0", "kafka_0_10_0")
WITHOUT_GROUP = ("kafka_0_10_2", "kafka_2_0")


def expected(dialect, line):
    owned_by = (
        f"{line.client}_{line.host}" if dialect in OWNER_DIALECTS and line.member else line.member
    )
    group = None if dialect in WITHOUT_GROUP else line.group
    epoch = line.epoch if dialect == "kafka_4_verbose" else None
    return (
        group,
        line.topic,
        line.partition,
        line.committed,
        line.end,
        line.lag,
        epoch,
        owned_by,
        line.client,
        line.host,
    )


def given_back(parsed):
    columns = (
        "group_id",
        "topic",
        "partition",
        "committed_offset",
        "end_offset",
        "listed_lag",
        "leader_epoch",
        "member_id",
        "client_id",
        "host",
    )
    return [tuple(row[column] for column in columns) for row in parsed.offsets.to_pylist()]


@settings(max_examples=25, deadline=None)
@pytest.mark.parametrize("dialect", DIALECTS)
@given(data=st.data())
def test_rows_come_back_as_printed_also_with_blanks_in_client_and_group_ids(dialect, data):
    printed = data.draw(
        st.lists(lines(data.draw(st.sampled_from([TAME, BLANK_NAMES]))), min_size=1, max_size=6)
    )

    parsed = parse(DIALECTS[dialect](printed).encode(), "f")

    assert sorted(given_back(parsed), key=str) == sorted(
        (expected(dialect, line) for line in printed), key=str
    )
    assert parsed.rejected.num_rows == 0


@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize("dialect", DIALECTS)
@given(data=st.data())
def test_a_row_with_any_name_comes_back_as_printed_or_is_rejected_but_never_as_another_row(
    dialect, data
):
    line = data.draw(lines(WILD_NAMES, topics=TAME))

    parsed = parse(DIALECTS[dialect]([line]).encode(), "f")

    assert given_back(parsed) in ([expected(dialect, line)], [])
    assert parsed.row_count + parsed.rejected.num_rows == 1


@settings(max_examples=25, deadline=None)
@pytest.mark.parametrize("dialect", ["kafka_0_10_2", "kafka_2_0", "kafka_2_3", "kafka_4_verbose"])
@given(data=st.data())
def test_members_that_own_nothing_come_back_as_members(dialect, data):
    printed = data.draw(st.lists(lines(BLANK_NAMES, idle=True), min_size=1, max_size=6))
    idle = [line for line in printed if line.topic is None]

    found = parse(DIALECTS[dialect](printed).encode(), "f").members.to_pylist()

    assert {(row["member_id"], row["client_id"], row["host"]) for row in found} == {
        (line.member, line.client, line.host) for line in idle
    }
    assert [row["owned"] for row in found] == [[] for _ in idle]


def owned(assignment):
    return {one["topic"]: one["partitions"] for one in assignment or []}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(members(BLANK_NAMES), min_size=1, max_size=5),
    st.sampled_from([members_2_0, members_2_3]),
)
def test_members_come_back_with_what_they_own(printed, tool):
    found = parse(tool(printed).encode(), "f").members.to_pylist()

    assert [(row["member_id"], row["host"], row["client_id"]) for row in found] == [
        (one.member, one.host, one.client) for one in printed
    ]
    assert [owned(row["owned"]) for row in found] == [one.owned for one in printed]
    if tool is members_2_3:
        assert [(row["group_id"], row["instance_id"] or "") for row in found] == [
            (one.group, one.instance) for one in printed
        ]


@settings(max_examples=60, deadline=None)
@given(st.lists(members(BLANK_NAMES), min_size=1, max_size=5), st.booleans())
def test_members_of_4_x_come_back_with_target_and_what_differs_from_it(printed, mixed):
    found = parse(
        members_4_verbose(printed, upgraded=["true"] * len(printed) if mixed else None).encode(),
        "f",
    ).members.to_pylist()

    for row, one in zip(found, printed, strict=True):
        assert owned(row["owned"]) == (one.owned if one.target is None else one.target)
        assert owned(row["current"]) == ({} if one.target in (None, one.owned) else one.owned)
        assert (row["epoch"], row["assignment_epoch"], row["partition_count"]) == (
            one.epoch,
            one.target_epoch,
            sum(map(len, one.owned.values())),
        )
