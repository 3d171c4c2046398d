"""A broker's log: lines, layouts, zones, several files, and text that only looks like a message."""

import gzip
import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources import coordinator_log
from evenkeel.data.sources.coordinator_log import LogHistory
from evenkeel.data.sources.coordinator_messages import message_of

NOON = 1_795_435_200_000
"""2026-11-23 12:00:00 UTC in milliseconds."""

_LOGGER = " (org.apache.kafka.coordinator.group.GroupMetadataManager)"


def line(time, message, prefix="[GroupCoordinator id=1 topic=__consumer_offsets partition=2] "):
    return f"[2026-11-23 {time}] INFO {prefix}{message}{_LOGGER}\n"


def read(*texts, zone=None):
    history = LogHistory(
        [
            (f"log-{number}", text if isinstance(text, bytes) else text.encode())
            for number, text in enumerate(texts)
        ],
        zone,
    )
    return list(history), history.counts


def test_a_line_has_its_time_broker_group_number_and_place():
    (said,), counts = read(
        "\nforeign\n" + line("12:00:00,140", "Stabilized group pay generation 3 with 2 members.")
    )

    assert (said.at, said.broker, said.kind, said.group, said.number, said.count) == (
        NOON + 140,
        1,
        "joined",
        "pay",
        3,
        2,
    )
    assert said.place == "log-0:3"
    assert said.text == "Stabilized group pay generation 3 with 2 members."
    assert (counts.lines, counts.used, counts.undated, counts.cut) == (3, 1, 0, 0)


@pytest.mark.parametrize(
    "text",
    [
        (
            "kafka-1  | [2026-11-23 12:00:00,140] INFO [GroupCoordinator 1]: {}"
            " (kafka.coordinator.group.GroupCoordinator)"
        ),
        (
            "server.log.2026-11-23-12:[2026-11-23 12:00:00,140] INFO [GroupCoordinator 1]: {}"
            " (kafka.coordinator.group.GroupCoordinator)"
        ),
        (
            "2026-11-23T12:00:00,140 INFO org.apache.kafka.coordinator.group.GroupMetadataManager"
            " [GroupCoordinator id=1] {}"
        ),
        "2026-11-23T13:00:00.140999+01:00 stdout F INFO [GroupCoordinator 1]: {}",
        (
            '{{"@timestamp": "2026-11-23T12:00:00.140Z", "level": "INFO", "message":'
            ' "[GroupCoordinator 1]: {}"}}'
        ),
        '{{"timestamp": 1795435200140, "message": "[GroupCoordinator 1]: {}"}}',
        "[2026-11-23 12:00:00,140] INFO [GroupCoordinator 1]: {}\r",
    ],
)
def test_a_message_is_read_in_every_layout(text):
    (said,), counts = read(
        text.format("Stabilized group pay generation 3 (__consumer_offsets-11)") + "\n"
    )

    assert (said.at, said.broker, said.group, said.number) == (NOON + 140, 1, "pay", 3)
    assert (counts.lines, counts.used) == (1, 1)


def test_lines_without_a_time_and_lines_that_are_cut_off_are_counted_and_not_used():
    undated = "[GroupCoordinator 1]: Stabilized group pay generation 3 with 2 members\n"
    cut = (
        "[2026-11-23 12:00:00,140] INFO [GroupCoordinator 1]: Preparing to rebalance group pay"
        " in sta"
    )

    said, counts = read(undated + cut)

    assert said == []
    assert (counts.lines, counts.used, counts.undated, counts.cut) == (2, 0, 1, 1)


def test_json_that_nests_without_end_is_cut_off_and_a_time_that_no_calendar_has_is_none():
    nested = (
        '{"timestamp": 1795435200140, "message": "[GroupCoordinator 1]: Stabilized group pay'
        ' generation 3", "a": ' + "[" * 50_000
    )
    late = (
        "[9999-12-31 23:59:00,000-05:00] INFO [GroupCoordinator 1]: Stabilized group pay generation"
        " 3 with 2 members"
    )
    early = (
        "[0001-01-01 00:00:00,000+05:00] INFO [GroupCoordinator 1]: Stabilized group pay generation"
        " 3 with 2 members"
    )

    said, counts = read("\n".join((nested, late, early)))

    assert said == []
    assert (counts.lines, counts.undated, counts.cut) == (3, 2, 1)


def test_a_group_is_the_shortest_name_that_lets_the_whole_message_match():
    kind, parts = message_of(
        "Preparing to rebalance group stock in state Unknown in state PreparingRebalance with old"
        " generation 5 (reason: Adding new member a with group instance id null; client reason:"
        " with old generation 9 (reason: x))."
    )

    assert (kind, parts["group"], parts["number"]) == ("begins", "stock in state Unknown", "5")
    assert parts["reason"].endswith("client reason: with old generation 9 (reason: x)")


@given(
    st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=60),
    st.text(max_size=80),
)
def test_any_name_of_a_group_is_read_back_and_any_other_text_is_no_message(name, other):
    found = message_of(f"Stabilized group {name} generation 7 with 2 members.")

    assert found is not None
    assert found[1]["group"] == name or " generation " in name
    assert message_of(f"no {other}") is None


@given(st.binary(max_size=400))
def test_any_bytes_are_lines_that_are_counted(octets):
    text = (
        b"."
        + octets
        + b"\n[Group"
        + octets
        + b"\n"
        + line("12:00:00,140", "Stabilized group pay generation 3 with 2 members.").encode()
    )

    said, counts = read(text)

    assert ("joined", "pay", 3) in [(each.kind, each.group, each.number) for each in said]
    assert counts.lines == text.count(b"\n") + (not text.endswith(b"\n"))
    assert 1 <= counts.used + counts.undated + counts.cut <= counts.lines


def test_a_hostile_message_of_4000_characters_costs_at_most_a_hundred_thousand_steps():
    """Texts of a client that repeat the words between the parts of a message: the search must not
    try every place for every part.
    """
    repeated = (
        "a, groupInstanceId=b, clientId=c, clientHost=/, sessionTimeoutMs=1, x) has left group "
    )

    assert message_of(("Member MemberMetadata(memberId=" + repeated * 60)[:4_000]) is None
    assert (
        message_of(
            (
                "[GroupId " + "] Static member x with instance id y has left group through explicit"
                " `LeaveGroup`" * 60
            )[:4_000]
        )
        is None
    )


def test_files_are_one_history_in_order_of_time_and_a_line_that_two_of_them_have_counts_once():
    first = line("12:00:00,000", "Stabilized group a generation 1 with 1 members.")
    both = line("12:00:01,000", "Stabilized group a generation 2 with 1 members.")
    last = line("12:00:02,000", "Stabilized group a generation 3 with 1 members.")

    said, counts = read(both + last, first + both)

    assert [(one.number, one.place) for one in said] == [
        (1, "log-1:1"),
        (2, "log-0:1"),
        (3, "log-0:2"),
    ]
    assert counts.lines == 4


def test_a_prefix_is_short_and_its_search_reads_a_long_line_once():
    long = line(
        "12:00:00,000",
        "Stabilized group a generation 1 with 1 members.",
        prefix=f"[GroupCoordinator id=1 {'x' * 300}] ",
    )

    assert read(long)[0] == []
    assert (
        read("[GroupCoordinator " + "1" * 200_000 + "\n" + "[GroupCoordinator 1" * 10_000)[0] == []
    )


def test_rotated_files_are_opened_one_after_the_other(tmp_path, monkeypatch):
    paths, opened, most = [], set(), []
    for number in range(20):
        paths.append(tmp_path / f"server.log.{number}")
        minute = [
            line(
                f"12:{number:02}:{second},000",
                f"Stabilized group a generation {number} with 1 members.",
            )
            for second in (10, 20)
        ]
        paths[-1].write_text("".join(minute))
    kept = coordinator_log._opened

    def open_one(one):
        file = kept(one)
        opened.add(file)
        most.append(sum(not each.closed for each in opened))
        return file

    monkeypatch.setattr(coordinator_log, "_opened", open_one)
    history = LogHistory(paths)

    assert [one.number for one in history] == sorted([*range(20)] * 2)
    assert (max(most) <= 2, history.counts.lines, history.counts.used) == (True, 40, 40)


def test_a_line_that_one_file_has_twice_is_said_twice():
    twice = line("12:00:01,000", "Member a in group b has failed, removing it from the group.") * 2

    assert len(read(twice)[0]) == 2


def test_the_hour_that_comes_twice_is_the_second_one_once_the_clock_has_gone_back():
    text = "".join(
        f"[2020-10-25 {time}] INFO [GroupCoordinator 5]: Stabilized group a generation {number}"
        " (__consumer_offsets-1)\n"
        for number, time in enumerate(
            ["01:30:00,000", "02:30:00,000", "02:10:00,000", "02:50:00,000", "03:00:00,000"]
        )
    )

    said, counts = read(text, zone="Europe/Berlin")

    # 2020-10-25: 01:30 and the first 02:30 are CEST (UTC+2), 02:10 and 02:50 after them CET
    # (UTC+1).
    midnight = 1_603_584_000_000
    assert [(one.at - midnight) // 60_000 for one in said] == [-30, 30, 70, 110, 120]
    assert counts.is_naive


def test_times_that_go_back_by_seconds_leave_the_order_of_their_file():
    text = line("12:00:05,000", "Stabilized group a generation 1 with 1 members.") + line(
        "12:00:03,000", "Stabilized group a generation 2 with 1 members."
    )

    assert [one.number for one in read(text)[0]] == [1, 2]


def test_a_packed_file_is_unpacked_and_a_log_is_told_from_a_listing():
    text = line("12:00:00,000", "Stabilized group a generation 1 with 1 members.").encode()

    assert len(read(gzip.compress(text))[0]) == 1
    assert coordinator_log.recognises(text)
    assert coordinator_log.recognises(gzip.compress(text))
    # Its first message stands 2 MB below its begin, in the second member of a file that is cut.
    far = gzip.compress(b"foreign\n" * (2 << 17)) + gzip.compress(text * 20)
    assert coordinator_log.recognises(far[:-4])
    assert not coordinator_log.recognises(b"GROUP  TOPIC  PARTITION\n[Group] x 0\n")


def test_a_zone_that_is_none_is_refused_by_name():
    with pytest.raises(
        SnapshotError, match='zone: found "Mars/Base", expected a name such as Europe/Berlin'
    ):
        read("", zone="Mars/Base")


def test_a_line_without_an_end_is_read_in_bounded_pieces():
    file = BytesIO(
        b"[Group"
        + b"x" * (5 << 20)
        + b"\n"
        + line("12:00:00,000", "Stabilized group a generation 1 with 1 members.").encode()
    )
    history = LogHistory([("long", file)])

    assert [one.number for one in history] == [1]
    assert history.counts.lines == 2
    assert json.dumps(history.counts.used) == "1"
