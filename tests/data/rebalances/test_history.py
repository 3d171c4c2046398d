"""Logs and records as one history; by cause; with other settings; as a table and in the lake."""

import gzip
import tempfile

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.place import place_of
from evenkeel.data.rebalances.by_cause import RESTARTED, by_cause, kinds, most_blamed
from evenkeel.data.rebalances.history import (
    HistoryRequest,
    complete_since,
    is_complete,
    most_in_an_hour,
    read_history,
)
from evenkeel.data.rebalances.replayed import replayed
from evenkeel.data.rebalances.store import (
    Recent,
    add_to_lake,
    of_lake,
    recent_of_lake,
    store_logs,
    stored_logs,
)
from evenkeel.data.rebalances.table import events_of, table_of, united
from tests.data.rebalances.records import classic, dump, member
from tests.data.rebalances.test_from_log import A, B, C, adds, begins, ends, log

_NOON = 1_795_435_200_000
LEFT = "Removing member {} on LeaveGroup; client reason: the consumer is being closed"
A2, B2 = A.replace("0000-", "1111-"), B.replace("0000-", "1111-")
RESTART = log(
    begins(0, 2, LEFT.format(A)),
    *ends(1, 3, 1),
    begins(4, 3, adds(A2)),
    *ends(5, 4),
    begins(8, 4, LEFT.format(B)),
    *ends(9, 5, 1),
    begins(12, 5, adds(B2)),
    *ends(13, 6),
)
"""A rolling restart of two members: each is away for four seconds."""


def read(*logs, records=None, **asked):
    dumps = [] if records is None else [("dump", dump(*records))]
    return read_history(
        HistoryRequest(**asked),
        [(f"log-{number}", text) for number, text in enumerate(logs)],
        dumps,
    )


def test_a_log_and_records_of_the_same_generations_are_one_rebalance_each():
    records = [
        classic(
            "pay", 2, member(A, "pay-a", [0]), member(B, "pay-b", [1]), at=_NOON - 60_000, leader=B
        ),
        classic("pay", 3, member(B, "pay-b", [0, 1]), at=_NOON + 1_000, leader=B),
    ]

    found = read(
        log(begins(0, 2, f"explicit `LeaveGroup` request for ({A}) members."), *ends(1, 3, 1, B)),
        records=records,
    )

    before, one = found.events
    assert (before.source, one.source) == ("offsets", "both")
    assert (one.start, one.moved, one.assignor) == (
        _NOON,
        [("orders-0", "pay-a", "pay-b")],
        "range",
    )
    # The log leaves two causes open, the records permit both.
    assert (one.cause, one.alternatives) == ("member_left", ("poll_timeout",))
    assert one.paused == pytest.approx(2 * 1.010)


def test_nothing_readable_names_the_logger_and_the_level():
    with pytest.raises(
        SnapshotError,
        match=(
            r"org\.apache\.kafka\.coordinator\.group \(kafka\.coordinator\.group up to 3\.x\) at"
            r" INFO"
        ),
    ):
        read(b"[2026-11-23 12:00:00,000] INFO something else\n")


def test_the_summary_counts_lines_and_says_since_when_nothing_is_missing():
    found = read(
        log(begins(0, 0, adds(A)), *ends(1, 1, 1))
        + b"foreign\n"
        + log(begins(60, 8, adds(B)), *ends(61, 9, 2))
    )

    one = found.summary()
    assert {
        name: one[name]
        for name in (
            "lines",
            "used",
            "undated",
            "cut",
            "zone",
            "zone_assumed",
            "brokers",
            "groups",
            "rebalances",
        )
    } == {
        "lines": 7,
        "used": 6,
        "undated": 0,
        "cut": 0,
        "zone": "UTC",
        "zone_assumed": True,
        "brokers": [1],
        "groups": 1,
        "rebalances": 2,
    }
    assert complete_since(found.events) == {"pay": _NOON + 60_000}
    assert not read(log(begins(0, 0, adds(A)), *ends(1, 1, 1)), zone="Europe/Berlin").zone_assumed


def test_a_rolling_restart_is_one_cause_that_static_members_would_have_avoided():
    found = read(RESTART)

    (row,) = by_cause(found.events)
    assert kinds(found.events) == [RESTARTED] * 4
    assert (row.kind, row.count, row.member_count, row.saves.name, sorted(row.saves.avoids)) == (
        RESTARTED,
        4,
        2,
        "group.instance.id",
        [0, 1, 2, 3],
    )
    assert [(one.name, one.rebalances) for one in replayed(found.events)] == [
        ("as it was", 4),
        ("static members", 0),
        ("consumer protocol", 4),
    ]


def test_silences_say_which_session_timeout_would_have_avoided_them():
    text = log(
        begins(0, 2, f"removing member {B} on heartbeat expiration."),
        *ends(1, 3, 1),
        begins(7, 3, adds(B2)),
        *ends(8, 4),
    )

    rows = {row.kind: row for row in by_cause(read(text).events)}

    # Silent for the 45 s of the session, which no record says, and 7 s more.
    saved = rows["session_timeout"].saves
    assert (saved.name, saved.value, saved.silences, saved.late) == (
        "session.timeout.ms",
        60_000,
        None,
        (7_000, 7_000),
    )
    assert sorted(saved.avoids) == [0, 1]
    assert rows["member_joined"].is_counted_above
    assert [
        one.rebalances for one in replayed(read(text).events) if one.name == "session timeout 60 s"
    ] == [0]


def test_restarts_that_cannot_be_replayed_say_nothing_of_static_members(monkeypatch):
    monkeypatch.setattr("evenkeel.data.rebalances.replayed._MOST_MEMBERS", 0)

    assert [one.name for one in replayed(read(RESTART).events)] == [
        "as it was",
        "consumer protocol",
    ]


def test_sums_with_unknown_lengths_are_of_the_known_alone_and_say_how_many_are_not():
    (alone,) = by_cause(read(records=[classic("pay", 1, member(A, "pay-a", [0]))]).events)
    (mixed,) = by_cause(
        read(log(begins(0, 2, adds(B)), *ends(1, 3), begins(90, 3, adds(A)))).events
    )

    assert (alone.seconds, alone.longest_ms, alone.paused, alone.untimed, alone.unpaused) == (
        None,
        None,
        None,
        1,
        1,
    )
    assert (mixed.count, mixed.seconds, mixed.longest_ms, mixed.untimed) == (2, 1.01, 1010, 1)


def test_the_member_that_most_came_from_is_named_with_how_often_it_went_and_came():
    lines = []
    for number in range(3):
        at, generation = 100 * number, 10 + 2 * number
        lines += [
            begins(at, generation, f"removing member {B} on heartbeat expiration."),
            *ends(at + 1, generation + 1, 1),
        ]
        lines += [begins(at + 50, generation + 1, adds(B)), *ends(at + 51, generation + 2)]

    blamed = most_blamed(read(log(*lines)).events)

    assert (blamed.name, blamed.count, blamed.went, blamed.came, blamed.cause) == (
        "pay-b",
        6,
        3,
        3,
        "session_timeout",
    )


def test_the_busiest_hour_is_counted_wherever_it_begins():
    lines = [
        line
        for number, at in enumerate((0, 3_000, 3_500, 6_500, 6_700))
        for line in (begins(at % 3_600, number, adds(A)),)
    ]
    found = read(log(*lines[:3])).events

    assert most_in_an_hour(found) == 3


def test_rows_give_back_the_same_rebalances_and_one_more_reading_adds_nothing():
    events = read(
        RESTART, records=[classic("pay", 2, member(A, "pay-a", [0]), at=_NOON - 5_000)]
    ).events

    again = events_of(table_of(events, "production"))

    assert [one.document() for one in again] == [one.document() for one in events]
    assert len(united(events, again)) == len(events)


def test_overlapping_files_that_are_stored_one_after_the_other_are_the_history_of_both(tmp_path):
    lake = place_of(tmp_path)
    lines = RESTART.splitlines(keepends=True)
    first, second = b"".join(lines[:8]), b"".join(lines[4:])

    counts = [
        add_to_lake(lake, read(text).events, "production") for text in (first, second, second)
    ]

    assert counts[2] == 0
    assert [one.generation for one in of_lake(lake, "production", "pay")] == [3, 4, 5, 6]
    # The second file begins inside generation 4: what the first one tells of it stays.
    assert [one.cause for one in of_lake(lake, "production", "pay")] == [
        one.cause for one in read(RESTART).events
    ]


def test_a_pasted_log_is_kept_under_a_random_id(tmp_path):
    lake = place_of(tmp_path)

    found = stored_logs(lake, store_logs(lake, [("server.log.gz", gzip.compress(RESTART))]))

    assert (len(found.events), found.about.files, found.about.lines, found.about.zone_assumed) == (
        4,
        ("server.log.gz",),
        12,
        True,
    )
    assert found.events[0].evidence[0].text.startswith("Preparing to rebalance group pay")
    with pytest.raises(SnapshotError, match="This log is deleted"):
        stored_logs(lake, "A" * 22)
    with pytest.raises(SnapshotError, match="no log has the id"):
        stored_logs(lake, "../../etc")


def test_a_log_and_records_that_are_added_later_are_one_history(tmp_path):
    lake, lines = place_of(tmp_path), RESTART.splitlines(keepends=True)
    records = dump(classic("pay", 3, member(B, "pay-b", [0]), at=_NOON + 1_000, leader=B))

    log_id = store_logs(lake, [("first.log", b"".join(lines[:6]))])
    log_id = store_logs(lake, [("second.log", b"".join(lines[6:]))], beside=log_id)
    log_id = store_logs(lake, [], [("dump.jsonl", records)], beside=log_id)

    found = stored_logs(lake, log_id)
    assert [(one.generation, one.source) for one in found.events] == [
        (3, "both"),
        (4, "log"),
        (5, "log"),
        (6, "log"),
    ]
    assert {one.chain for one in found.events} == {"pay@3"}
    assert (found.about.files, found.about.lines, found.about.has_records) == (
        ("first.log", "second.log", "dump.jsonl"),
        13,
        True,
    )


def test_the_last_hour_of_the_lake_reads_a_file_again_only_where_it_has_changed(
    tmp_path, monkeypatch
):
    lake, hour, read_before = place_of(tmp_path), 3_600_000, []
    add_to_lake(lake, read(RESTART).events, "production")
    monkeypatch.setattr(
        type(lake),
        "read",
        lambda self, key, _read=type(lake).read: (read_before.append(key), _read(self, key))[1],
    )

    first, again = recent_of_lake(lake, _NOON - hour), recent_of_lake(lake, _NOON + 5_000)
    keys = len(read_before)
    nothing = recent_of_lake(lake, _NOON + hour)

    # Two of the four begin after five seconds. A group stays in the list when nothing of it is
    # recent.
    assert first == [Recent("production", "pay", 4, RESTARTED)]
    assert [(one.group, one.count) for one in (*again, *nothing)] == [("pay", 2), ("pay", 0)]
    assert keys == len(read_before) == 1
    add_to_lake(lake, read(log(begins(60, 6, adds(B)), *ends(61, 7))).events, "production")
    assert recent_of_lake(lake, _NOON - hour)[0].count == 5


def test_two_lives_of_a_group_have_chains_of_their_own():
    told = read(
        log(begins(0, 0, adds(A)), *ends(1, 1, 1), begins(600, 0, adds(B)), *ends(601, 1, 1))
    ).events

    assert [one.chain for one in told] == ["pay@1", "pay@1#2"]


SLOW = log(
    begins(0, 2, adds(C)),
    (
        6,
        (
            f"[Group pay] Member {B} has left group through explicit `LeaveGroup` request; client"
            " reason: consumer poll timeout has expired."
        ),
    ),
    *ends(6.01, 3),
    begins(8, 3, adds(B2)),
    *ends(8.5, 4, 3),
)
"""A member joins, and another one is waited for until its poll interval ends; it is back two
seconds later.
"""


def test_a_cause_that_came_while_members_were_waited_for_has_its_row_and_its_setting():
    rows = {row.kind: row for row in by_cause(read(SLOW).events)}

    late = rows["poll_timeout"]
    assert (late.count, late.within, late.worst) == (0, [0], ("pay-b", 1))
    # No record says the poll interval: only how long after its end the member was back.
    assert (late.saves.late, late.saves.silences, late.saves.is_assumed) == (
        (2_000, 2_000),
        None,
        True,
    )
    assert [one.note for one in replayed(read(SLOW).events) if "poll" in one.name] == [
        "back 2 s after its timeout"
    ]


def test_a_rebalance_in_which_two_members_time_out_counts_once():
    gone = (
        "[Group pay] Member {} has left group through explicit `LeaveGroup` request; client"
        f" reason: {POLLED}."
    )
    lines = log(
        begins(0, 2, adds(C)),
        (6, gone.format(A)),
        (6, gone.format(B)),
        *ends(6.01, 3),
        begins(8, 3, adds(B2)),
        *ends(8.5, 4, 3),
    )

    rows = {row.kind: row for row in by_cause(read(lines).events)}

    assert (rows["poll_timeout"].within, rows["poll_timeout"].member_count) == ([0], 2)


def test_a_rebalance_that_another_coordinator_begins_again_is_the_same_life_of_its_group():
    first, again = (
        log(begins(0, 4, adds(A))),
        log(
            begins(600, 4, adds(A)),
            *ends(601, 5, 1),
            begins(900, 5, adds(B)),
            *ends(901, 6),
            broker=2,
        ),
    )

    kept, packed = (
        read_history(
            HistoryRequest(), [("one", first), ("two", again)], keeps_texts=False, packs=packs
        ).events
        for packs in (False, True)
    )

    assert [one.completed for one in kept] == [False, True, True]
    assert (
        [one.chain for one in kept] == [one.chain for one in packed] == ["pay@5", "pay@5", "pay@6"]
    )


POLLED = "consumer poll timeout has expired"
MEMBERS = st.sampled_from("abc")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["joins", "leaves", "moves", "bump", "fenced", "again"]),
        MEMBERS,
        st.integers(0, 90),
    ),
    max_size=60,
)


@given(STEPS)
def test_a_file_keeps_the_same_rebalances_as_memory_whatever_the_log_tells(steps):
    lines, at, number = [], 0.0, dict.fromkeys(("pay", "new"), 2)
    for kind, who, pause in steps:
        at += pause
        group = "pay" if kind in ("joins", "leaves", "moves") else "new"
        if kind == "again":
            lines.append(
                (at, "[GroupId new] Converted the empty consumer group to a classic group.")
            )
            number["new"] = 1
        elif group == "new":
            what = (
                "joins the consumer group using the consumer protocol" if kind == "bump" else FENCED
            )
            lines += [
                (at, f"[GroupId new] Member {who} {what}."),
                (at, f"[GroupId new] Bumped group epoch to {number[group]}."),
            ]
        elif kind != "moves":
            why = adds(f"{who}-1") if kind == "joins" else LEFT.format(f"{who}-1")
            lines += [begins(at, number["pay"], why), *ends(at + 0.5, number["pay"] + 1)]
        else:
            lines.append((at, "Loaded classic group pay with 2 members."))
        number[group] += 1
    text = log((0, "Stabilized group pay generation 1 with 1 members."), *lines)

    kept, packed = (
        read_history(HistoryRequest(), [("server.log", text)], keeps_texts=False, packs=packs)
        for packs in (False, True)
    )

    assert list(packed.events) == kept.events
    assert packed.summary() == kept.summary()
    assert dict(packed.groups()) == dict(kept.groups())
    packed.leave_out_before(_NOON + 60_000)
    kept.leave_out_before(_NOON + 60_000)
    assert (list(packed.events), len(packed.events)) == (kept.events, len(kept.events))


def test_a_folder_for_temporary_files_that_is_full_is_named(monkeypatch):
    full = open("/dev/full", "wb", buffering=0)  # noqa: SIM115, the tested code closes it
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda: full)

    with pytest.raises(
        SnapshotError,
        match="No space left on device, expected free space for the rebalances of the log; TMPDIR",
    ):
        list(read_history(HistoryRequest(), [("server.log", RESTART)], packs=True).events)


def test_a_folder_for_temporary_files_that_is_not_writable_is_named(monkeypatch):
    def refused():
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refused)

    with pytest.raises(
        SnapshotError,
        match="Permission denied, expected free space for the rebalances of the log; TMPDIR",
    ):
        read_history(HistoryRequest(), [("server.log", RESTART)], packs=True)


FENCED = "fenced from the group because the member session expired"


def rounds(*minutes):
    line = (
        '{"level":"INFO","timestamp":"2026-11-20T10:%02d:00.000Z","logger":"kafkajs","message":'
        '"[ConsumerGroup] Consumer has joined the group","groupId":"pay","memberId":"m-1"}\n'
    )
    return read("".join(line % minute for minute in minutes).encode()).rebalances


def test_rebalances_without_a_generation_have_none_in_a_table_and_are_the_same_after_it():
    events = rounds(0, 5, 10)

    table = table_of(events, "production")

    assert table["generation"].to_pylist() == [None, None, None]
    assert events_of(table) == events


def test_a_stored_number_below_zero_is_read_as_none():
    table = table_of(rounds(0, 5))
    place = table.schema.get_field_index("generation")
    stored = table.set_column(place, "generation", pa.array([-(1 << 31), 1 - (1 << 31)]))

    assert [event.number for event in events_of(stored)] == [None, None]
    assert table_of(events_of(stored))["generation"].to_pylist() == [None, None]


def test_rebalances_without_a_generation_are_the_same_at_the_same_time(tmp_path):
    lake = place_of(tmp_path)
    first, second = rounds(0, 5, 10), rounds(5, 10, 15)

    assert [event.time // 60_000 % 60 for event in united(first, second)] == [0, 5, 10, 15]
    assert [add_to_lake(lake, events, "production") for events in (first, second)] == [3, 1]
    stored = of_lake(lake, "production", "pay")
    assert [event.chain for event in stored] == ["pay@?0", "pay@?1", "pay@?2", "pay@?3"]


def test_whether_rebalances_without_a_generation_are_complete_is_unknown():
    assert not is_complete(rounds(0))
