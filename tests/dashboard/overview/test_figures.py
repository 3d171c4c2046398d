"""Members, the same under another assignor, and hours of lag, as the component gets them."""

from datetime import UTC, datetime

import numpy as np
import pytest

from evenkeel.dashboard.overview.figures import switched, who
from evenkeel.dashboard.overview.loading import Hours, Overview
from evenkeel.dashboard.overview.tables import page_of
from evenkeel.data.lake.place import place_of
from evenkeel.data.marks.answer import add, new_mark
from tests.dashboard.pasted import HEADER
from tests.data.diagnosis.listed import answer, listing
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, Plan


def seen(text: str, hours: Hours | None = None) -> Overview:
    return Overview(answer(text), 1, False, hours)


def line(topic: str, partition: int, lag: int, member: str) -> str:
    host = f"/10.0.0.{member.rpartition('-')[2]}"
    return f"g {topic} {partition} 1000 {1000 + lag} {lag} {member}-id {host} {member}\n"


def members(count: int) -> str:
    """Return a listing of members with a partition each: 20,100 records, 20,200 and so on."""
    rows = [
        line("t", place, 20_000 + 100 * (place + 1), f"m-{place + 1}") for place in range(count)
    ]
    return HEADER + "".join(rows)


# Five topics of two partitions: range gives the third member nothing; 10 partitions of 20,000 for
# three members are 4, 3 and 3.
UNEVEN = (
    HEADER
    + "".join(line(topic, place, 20_000, f"c-{place + 1}") for topic in "abcde" for place in (0, 1))
    + "g - - - - - c-3-id /10.0.0.3 c-3\n"
)


def test_an_uneven_group_shows_each_member_now_and_after_the_switch():
    page = page_of(seen(UNEVEN))

    rows = page["switched"]["rows"]
    assert [(row["name"], row["host"], row["lags"][0]) for row in rows] == [
        ("c-1", "10.0.0.1", "100 k"),
        ("c-2", "10.0.0.2", "100 k"),
        ("c-3", "10.0.0.3", "idle"),
    ]
    assert sorted(row["lags"][1] for row in rows) == ["60.0 k", "60.0 k", "80.0 k"]
    assert [row["sizes"][0] for row in rows] == ["5", "5", "0"]
    assert sorted(row["sizes"][1] for row in rows) == ["3", "3", "4"]
    assert rows[0]["shares"][0] == 1.0
    assert rows[2]["shares"][0] is None
    assert page["switched"]["text"] == "share 66.7 k"
    assert page["what"]["mark"] == "diamond"
    advised = next(row for row in page["helps"]["rows"] if row["isAdvised"])
    assert advised["name"] == "A later reading"
    after = page["switched"]["after"]
    (switch,) = (row for row in page["helps"]["rows"] if row["name"] == after)
    assert (switch["worst"], switch["change"]) == ("80.0 k", "−20 %")


def test_a_listing_of_members_alone_shows_no_number_of_partitions_and_no_lag():
    found = who(
        seen(
            "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS\n"
            "g a-id /10.0.0.1 a 4\n"
            "g b-id /10.0.0.2 b 4\n"
        )
    )

    assert [(row["note"], row["lag"]) for row in found["rows"]] == [("", "–"), ("", "–")]


def test_rates_of_a_topic_whose_ends_are_unknown_are_no_zeros():
    read = [
        f"2026-11-27T09:0{minute}:00Z\n\n{HEADER}"
        f"g known 0 100 {400 + 60 * minute} {300 + 60 * minute} m-id /10.0.0.1 m\n"
        f"g unknown 0 {1500 * minute} - - m-id /10.0.0.1 m\n"
        for minute in (0, 1)
    ]

    topics = page_of(seen("\n".join(read)))["why"]["topics"]

    assert [[each[name] for name in ("name", "arrived", "read", "growth")] for each in topics] == [
        ["known", "1", "0", "+1"],
        ["unknown", "–", "25", "–"],
    ]


def test_no_other_cause_shows_an_assignor():
    assert switched(seen(listing("dead"))) is None


def test_twelve_members_have_a_row_each_and_thirteen_a_bar():
    twelve, thirteen = who(seen(members(12))), who(seen(members(13)))

    assert (len(twelve["rows"]), twelve["bars"]) == (12, None)
    assert [row["name"] for row in thirteen["rows"]] == ["m-13", "m-12", "m-11", "m-10", "9 others"]
    # 20,100 to 20,900: 20,500 on the average.
    assert (thirteen["rows"][4]["host"], thirteen["rows"][4]["lag"]) == ("mean", "20.5 k")
    assert len(thirteen["bars"]["shares"]) == 13
    assert thirteen["bars"]["shares"][0] == 1.0
    assert thirteen["bars"]["label"] == "Lag of 13 members, most first: 21.3 k to 20.1 k"
    assert thirteen["bars"]["isCurve"] is False


def test_more_than_200_members_are_a_curve_of_200_ranks():
    bars = who(seen(members(201)))["bars"]

    assert (bars["isCurve"], len(bars["shares"])) == (True, 200)
    assert bars["shares"][-1] == pytest.approx(20_100 / 40_100)


def test_a_member_shows_its_fifty_worst_partitions_and_counts_the_others():
    rows = [line("t", place, 20_000 + place, "m-1") for place in range(53)]
    first = who(seen(HEADER + "".join(rows) + line("u", 0, 1, "m-2")))["rows"][0]

    assert len(first["parts"]) == 50
    assert first["parts"][0]["name"] == "t-52"
    assert first["more"] == "3 more partitions with less lag"


def test_two_members_with_one_client_and_host_have_their_member_ids():
    rows = [f"g t {place} 0 30000 30000 id-{place} /10.0.0.1 app\n" for place in range(2)]
    found = who(seen(HEADER + "".join(rows)))["rows"]

    assert [(row["name"], row["host"]) for row in found] == [
        ("id-0", "10.0.0.1"),
        ("id-1", "10.0.0.1"),
    ]


def test_hours_of_lag_are_a_line_with_the_subject_below_it():
    time = np.array([0.0, 3600.0, 7200.0])
    hours = Hours(time, np.array([0.0, 50.0, 100.0]), np.array([0.0, 50.0, 80.0]))
    drawn = who(seen(listing("dead"), hours))["hours"]

    assert drawn["line"] == "M0.00 100.00 L50.00 50.00 L100.00 0.00"
    assert drawn["others"] == "M0.00 100 L0.00 100.00 L50.00 100.00 L100.00 80.00 L100.00 100 Z"
    assert drawn["label"] == "Lag from 00:00 to 02:00: 100 now, at most 100"


def test_a_collected_group_shows_its_last_six_hours(lake, page):
    write_lake(place_of(lake), Plan(groups=1, partitions=4, members=2, days=0.5, every=60))
    page.open("overview", opened=f"{CLUSTER}-20261102T115900Z", place="1")

    hours = page.component("what")["who"]["hours"]
    assert hours["label"].startswith("Lag from 05:59 to 11:59: ")
    assert [tick["text"] for tick in hours["xs"]] == [f"{hour:02}:00" for hour in range(6, 12)]


def test_the_earlier_reading_of_a_collected_group_is_the_slot_of_five_minutes_before(lake, page):
    write_lake(place_of(lake), Plan(groups=1, partitions=4, members=2, days=0.5, every=10))
    last, soon = (f"{CLUSTER}-20261102T{time}Z" for time in ("115950", "115940"))
    page.open("overview", opened=last, place="1")
    assert page.component("what")["what"]["evidence"].startswith("Two readings, 300 s apart.")

    page.app.session_state["watched"] = {last: soon}
    page.open()

    assert page.component("what")["what"]["evidence"].startswith("Two readings, 300 s apart.")


def test_a_mark_is_a_line_of_the_hours(lake, page):
    write_lake(place_of(lake), Plan(groups=1, partitions=4, members=2, days=0.5, every=60))
    at = datetime(2026, 11, 2, 8, 59, tzinfo=UTC)
    add(place_of(lake), new_mark(CLUSTER, "group-0000", at, "deploy 2.41.0"))
    add(place_of(lake), new_mark(CLUSTER, "another", at, "deploy 7"))

    page.open("overview", opened=f"{CLUSTER}-20261102T115900Z", place="1")

    assert page.component("what")["who"]["hours"]["marks"] == [
        {"at": pytest.approx(0.5, abs=1e-3), "text": "deploy 2.41.0"}
    ]


def test_a_group_that_catches_up_soon_is_advised_nothing():
    # Both members get 100 records/s and read 300.
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
    lines = []
    for minute, offsets in ((0, "0 100000 100000"), (2, "36000 112000 76000")):
        lines += [f"2026-11-27T10:0{minute}:00Z", "", head]
        lines += [f"g t {row} {offsets} {'abab'[row]}-1 /h {'abab'[row]}" for row in range(4)]

    rows = page_of(seen("\n".join(lines)))["helps"]["rows"]

    assert [row["name"] for row in rows if row["isAdvised"]] == ["Do nothing"]
