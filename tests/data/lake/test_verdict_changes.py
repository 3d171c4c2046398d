"""Changes of verdicts in a lake: each is stored once, whoever is killed, whoever else writes, and
whatever becomes of its files.
"""

import threading
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest

from evenkeel.data.errors import DamageError
from evenkeel.data.group.tables.history_schemas import GROUP_VERDICT
from evenkeel.data.lake.history import change_store, verdict_ages
from evenkeel.data.lake.history.change_store import TABLES, Link, append, chain, tidy_changes
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import last_of
from evenkeel.data.lake.history.verdict_ages import follow_verdicts, older_since, with_older_since
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.lake.slots.retention import Retention
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, Plan
from tests.generated.stored import changes, recent_verdicts

PLAN = Plan(
    groups=3,
    partitions=4,
    members=2,
    days=0.1,
    stalled={0: (1, 60, 119), 1: (0, 200, 287)},
    rebalances={2: (70, 90, 110)},
)
COLUMNS = ["taken_at", "group_id", "lasting_verdict", "verdict_before"]


@pytest.fixture
def lake(tmp_path) -> Place:
    place = place_of(tmp_path / "lake")
    write_lake(place, PLAN)
    return place


def told(lake: Place, name: str = "GROUP_VERDICT") -> list[dict]:
    columns = [*COLUMNS, "member_id"] if name == "MEMBER_VERDICT" else COLUMNS
    return sorted(changes(lake, name, CLUSTER).select(columns).to_pylist(), key=str)


@pytest.fixture(scope="module")
def at_once(tmp_path_factory) -> list[list[dict]]:
    """What one look at all snapshots tells."""
    place = place_of(tmp_path_factory.mktemp("whole") / "lake")
    write_lake(place, PLAN)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(verdict_ages, "SLOTS", PLAN.slot_count - verdict_ages.AFTER)
        follow_verdicts(place, CLUSTER)
    return [told(place, name) for name in TABLES]


def test_every_change_of_a_verdict_is_told_with_its_slot_and_what_was_before(lake):
    follow_verdicts(lake, CLUSTER)
    rows = [row for row in told(lake) if row["verdict_before"]]

    assert [(row["group_id"], row["verdict_before"], row["lasting_verdict"]) for row in rows] == [
        ("group-0000", "OK", "STALL"),
        ("group-0000", "STALL", "OK"),
        ("group-0001", "OK", "STALL"),
    ]
    assert PLAN.time(60) < rows[0]["taken_at"] < PLAN.time(72)
    assert PLAN.time(119) < rows[1]["taken_at"] < PLAN.time(132)
    assert [row["member_id"] for row in told(lake, "MEMBER_VERDICT") if row["verdict_before"]] == [
        "member-1-4b1e",
        "member-1-4b1e",
        "member-0-4b1e",
    ]


def test_snapshots_looked_at_in_turns_tell_what_all_at_once_do(lake, at_once):
    follow_verdicts(lake, CLUSTER)

    assert len(chain(lake, "GROUP_VERDICT", CLUSTER)) == 13
    assert [told(lake, name) for name in TABLES] == at_once


@pytest.mark.parametrize("kill_at", [1, 2, 3, 8])
def test_who_is_killed_between_two_files_leaves_nothing_out_and_nothing_twice(
    lake, at_once, monkeypatch, kill_at
):
    written = 0

    def killed(*arguments) -> bool:
        nonlocal written
        written += 1
        if written == kill_at:
            raise KeyboardInterrupt
        return append(*arguments)

    monkeypatch.setattr(verdict_ages, "append", killed)
    with pytest.raises(KeyboardInterrupt):
        follow_verdicts(lake, CLUSTER)
    monkeypatch.setattr(verdict_ages, "append", append)
    follow_verdicts(lake, CLUSTER)

    assert [told(lake, name) for name in TABLES] == at_once


def test_two_that_follow_at_once_store_each_change_once(lake, at_once):
    threads = [threading.Thread(target=follow_verdicts, args=(lake, CLUSTER)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [told(lake, name) for name in TABLES] == at_once


def days(place: Place, count: int, links_a_day: int) -> datetime:
    """Write a chain with one change a file; return when the first began."""
    begin, after = datetime(2026, 8, 1, tzinfo=UTC), None
    for number in range(count * links_a_day):
        since = begin + timedelta(days=1) / links_a_day * number
        rows = [{"taken_at": since, "group_id": f"g{number % 3}", "lasting_verdict": "OK"}]
        until = since + timedelta(minutes=1)
        append(
            place,
            "GROUP_VERDICT",
            "c",
            after,
            Link(since, until, pa.Table.from_pylist(rows, schema=GROUP_VERDICT)),
        )
        after = until
    return begin


def test_a_day_that_is_over_is_one_file_and_readers_see_every_change_at_every_moment(
    place, monkeypatch
):
    begin = days(place, 3, 4)
    whole = told_times(place)
    seen = []
    delete = Place.delete

    def watched(self, keys):
        seen.append(told_times(place))
        delete(self, keys)
        seen.append(told_times(place))

    monkeypatch.setattr(Place, "delete", watched)
    tidy_changes(place, begin + timedelta(days=4), timedelta(days=90))

    assert seen == [whole] * 4
    assert len(chain(place, "GROUP_VERDICT", "c")) == 2 + 4


def told_times(place: Place) -> list[datetime]:
    return changes(place, "GROUP_VERDICT", "c")["taken_at"].to_pylist()


def test_a_day_whose_files_were_joined_and_not_deleted_yet_is_told_once(place, monkeypatch):
    begin = days(place, 2, 4)
    whole = told_times(place)
    with monkeypatch.context() as killed:
        killed.setattr(Place, "delete", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            tidy_changes(place, begin, timedelta(days=90))

    assert told_times(place) == whole


def august(day: int, hour: int) -> datetime:
    return datetime(2026, 8, day, hour, tzinfo=UTC)


def test_changes_live_for_ninety_days_and_then_go_by_the_day(place):
    days(place, 3, 2)

    tidy_changes(place, datetime(2026, 10, 31, tzinfo=UTC), Retention().keep_changes)
    assert told_times(place) == [
        august(1, 0),
        august(1, 12),
        august(2, 0),
        august(2, 12),
        august(3, 0),
        august(3, 12),
    ]
    tidy_changes(place, datetime(2026, 11, 1, tzinfo=UTC), Retention().keep_changes)
    assert told_times(place) == [august(2, 0), august(2, 12), august(3, 0), august(3, 12)]


def test_changes_live_as_long_as_thinned_slots_where_that_is_longer():
    assert [
        Retention(keep_thinned=timedelta(days=count)).keep_changes.days for count in (7, 90, 120)
    ] == [90, 90, 120]


def test_a_verdict_older_than_the_last_snapshots_has_its_time_from_the_stored_changes(lake):
    groups = recent_verdicts(lake, CLUSTER, 40).groups
    slots = last_of(instants(lake, CLUSTER), 40)
    assert with_older_since(lake, CLUSTER, groups, slots).equals(groups)
    follow_verdicts(lake, CLUSTER)

    found = with_older_since(lake, CLUSTER, groups, slots).to_pylist()

    assert [(row["lasting_verdict"], row["verdict_is_older"]) for row in found] == [
        ("OK", False),
        ("STALL", False),
        ("OK", True),
    ]
    assert PLAN.time(119) < found[0]["verdict_since"] < PLAN.time(132)
    assert PLAN.time(200) < found[1]["verdict_since"] < PLAN.time(212)
    assert older_since(lake, CLUSTER, "group-0001", "STALL", slots).at == found[1]["verdict_since"]
    assert older_since(lake, CLUSTER, "group-0001", "OK", slots) is None


def test_a_change_after_the_snapshots_says_nothing_of_them(lake):
    follow_verdicts(lake, CLUSTER)

    assert (
        older_since(
            lake, CLUSTER, "group-0000", "OK", instants(lake, CLUSTER, PLAN.time(10), PLAN.time(40))
        )
        is None
    )


def test_changes_that_end_before_the_last_snapshots_say_nothing_of_them(lake, monkeypatch):
    append(
        lake,
        "GROUP_VERDICT",
        CLUSTER,
        None,
        Link(PLAN.time(0), PLAN.time(10), GROUP_VERDICT.empty_table()),
    )

    assert (
        older_since(lake, CLUSTER, "group-0000", "OK", last_of(instants(lake, CLUSTER), 40)) is None
    )
    assert changes(lake, "GROUP_VERDICT", CLUSTER).num_rows == 0


def test_a_file_of_an_older_version_has_null_where_it_has_no_column(lake, monkeypatch):
    older = pa.schema([field for field in GROUP_VERDICT if field.name != "drain_assumed_count"])
    monkeypatch.setitem(change_store.HISTORY, "GROUP_VERDICT", older)
    moment = PLAN.time(60)
    append(lake, "GROUP_VERDICT", CLUSTER, None, Link(moment, moment, older.empty_table()))
    monkeypatch.setitem(change_store.HISTORY, "GROUP_VERDICT", GROUP_VERDICT)

    assert changes(lake, "GROUP_VERDICT", CLUSTER).schema.names == GROUP_VERDICT.names


def test_a_file_of_changes_that_is_cut_is_named_and_is_made_again_once_it_is_deleted(lake):
    follow_verdicts(lake, CLUSTER)
    before, link = told(lake), chain(lake, "GROUP_VERDICT", CLUSTER)[1]
    file = lake.folder / link.file.key
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])

    with pytest.raises(
        DamageError, match=f"^{file}: the file is cut off or damaged, expected a Parquet file$"
    ):
        follow_verdicts(lake, CLUSTER)
    file.unlink()
    follow_verdicts(lake, CLUSTER)

    assert told(lake) == before
