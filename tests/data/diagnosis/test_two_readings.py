"""What a second reading tells: who stands still, who is slow, which partition is hot, what went
back.
"""

from datetime import UTC, datetime

import pytest

from evenkeel.data.diagnosis.answer import Context, diagnosed
from evenkeel.data.diagnosis.reading import Readings, between
from evenkeel.data.episodes.past import GroupPast, Outlook
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import FORMAT, Document, Member, Partition, Topic
from tests.data.diagnosis.listed import answer, codes, subject

HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
AT = ("2026-11-27T09:00:00Z", "2026-11-27T09:02:00Z")
AT_SECONDS = datetime.fromisoformat(AT[1]).timestamp()


def read(*readings, times=AT):
    """Return the diagnosis of readings: rows of (partition, committed, end, member) and a topic
    that is not `orders`, each reading with its time.
    """
    lines = []
    for at, rows in zip(times, readings, strict=True):
        lines += [at, "", HEAD]
        for partition, committed, end, member, *topic in rows:
            owner = f"{member}-1 /10.0.0.{ord(member)} {member}" if member else "- - -"
            name = topic[0] if topic else "orders"
            lines.append(f"g {name} {partition} {committed} {end} {end - committed} {owner}")
        lines.append("")
    return answer("\n".join(lines))


def test_a_member_that_reads_less_than_the_others_is_slow():
    one = read(
        [(0, 0, 10, "a"), (1, 0, 10, "b"), (2, 0, 40_000, "c")],
        [(0, 60_000, 60_005, "a"), (1, 60_000, 60_005, "b"), (2, 12_000, 100_000, "c")],
    )

    assert (codes(one), one.group_class.value) == (["slow_member"], "need")
    assert (
        one.sentence
        == "c (10.0.0.99) reads too slowly: 88.0 k on its partition, at most 5 on the 2 others."
    )


def test_a_partition_that_takes_in_far_more_than_the_others_while_its_owner_keeps_the_pace_is_hot():
    rows = [(number, 0, 10, "abcd"[number]) for number in range(4)]
    after = [(number, 60_000, 60_005, "abcd"[number]) for number in range(3)]
    rows[3] = (3, 0, 100_000, "d")
    one = read(rows, [*after, (3, 60_000, 360_000, "d")])

    assert codes(one)[0] == "hot_partition"
    assert (
        one.sentence
        == "orders-3 has nearly all 300 k records: 260 k came in 120 s, the median partition got"
        " 60.0 k."
    )


def test_a_commit_that_falls_while_the_end_does_not_is_a_rewind():
    one = read([(0, 5_000, 5_010, "a"), (1, 9, 9, "b")], [(0, 1_000, 5_400, "a"), (1, 19, 20, "b")])

    assert codes(one)[0] == "rewound"
    assert one.sentence == "orders-0 went back from 5,000 to 1,000: 4,000 records are read again."


def test_records_on_their_way_are_no_lag_whatever_their_number():
    one = read(
        [(0, 0, 40_000, "a"), (1, 0, 40_000, "b")],
        [(0, 40_000, 90_000, "a"), (1, 40_000, 95_000, "b")],
    )

    assert (codes(one), one.case.total) == (["fine"], 105_000)


def test_members_that_are_all_behind_in_two_readings_need_somebody():
    one = read(
        [(0, 0, 50_000, "a"), (1, 0, 50_000, "b")],
        [(0, 9_000, 90_000, "a"), (1, 9_100, 90_000, "b")],
    )

    assert (codes(one), one.group_class.value, one.headline.certainty.value) == (
        ["behind"],
        "need",
        "likely",
    )


def of_topics(arrives, reads, rounds):
    """Return two readings of three topics as `range` spreads them over two members: a has six
    partitions, b three. `arrives`: records of a partition between both; `reads`: of each member.
    """
    lines = []
    for at, past in zip(AT, (0, 1), strict=True):
        lines += [at, "", HEAD]
        for topic in ("x", "y", "z"):
            for number in range(3):
                member = "b" if number == 2 else "a"
                waits = rounds[member]
                committed = 1_000_000 + past * reads[member]
                end = 1_000_000 + waits + past * arrives
                owner = f"{member}-1 /10.0.0.{ord(member)} {member}"
                lines.append(f"g {topic} {number} {committed} {end} {end - committed} {owner}")
        lines.append("")
    return answer("\n".join(lines))


def test_members_that_are_all_busy_and_read_less_than_comes_in_need_others_and_no_switch():
    # 9 x 50 records/s come in; a reads 6 x 12.5, b 3 x 25: 75 each, so two partitions are too much
    # for a member, and each of the nine partitions needs one.
    one = of_topics(6_000, {"a": 1_500, "b": 3_000}, {"a": 60_000, "b": 30_000})

    by_action = {each.action.value: each for each in one.remedies}
    assert codes(one)[0] == "behind"
    assert one.advice.startswith("450 records/s come in, 150 are read: run at least 9 members")
    assert by_action["switch"].helps.value == "no"
    # `range` has no partition for a fourth member.
    assert (by_action["add_members"].helps.value, by_action["add_members"].count) == ("yes", 7)
    assert by_action["add_members"].assignor != "range"
    assert by_action["add_members"].drain_seconds is not None


def test_a_late_member_that_reads_as_much_as_others_gets_more_than_it_reads():
    # a gets 6 x 37.5 records/s and reads 6 x 25, b gets and reads 3 x 37.5.
    one = of_topics(4_500, {"a": 3_000, "b": 4_500}, {"a": 60_000, "b": 5})

    assert codes(one)[0] == "lagging"
    assert one.sentence.endswith("on 6 partitions: 225 records/s come in, 150 are read.")
    assert one.advice.startswith("It gets more than it reads")
    assert all(each.helps.value != "yes" for each in one.remedies)


def test_a_group_that_reads_more_than_comes_in_needs_nothing_but_time():
    # 2 x 100 records/s come in, 2 x 300 are read: 76,000 records are left for each 200/s.
    one = read(
        [(0, 0, 100_000, "a"), (1, 0, 100_000, "b")],
        [(0, 36_000, 112_000, "a"), (1, 36_000, 112_000, "b")],
    )

    (nothing,) = (each for each in one.remedies if each.action == "nothing")
    assert one.advice.startswith("It catches up by itself: 200 records/s come in, 600 are read")
    assert (nothing.helps.value, nothing.drain_seconds) == ("unknown", 380)


@pytest.mark.parametrize(
    ("outlook", "of_class"),
    [
        (Outlook(is_safe=True), "recover"),
        (Outlook(not_before=AT_SECONDS + 1_000), "recover"),
        (Outlook(not_before=AT_SECONDS + 700), "need"),
        (Outlook(is_safe=True, is_losing=True), "need"),
        (Outlook(), "need"),
    ],
)
def test_a_group_recovers_if_it_is_drained_long_before_a_record_is_deleted(outlook, of_class):
    rows = [
        [(0, 0, 100_000, "a"), (1, 0, 100_000, "b")],
        [(0, 36_000, 112_000, "a"), (1, 36_000, 112_000, "b")],
    ]

    one = diagnosed(read(*rows).readings, Context(past=GroupPast((), outlook)))

    assert one.group_class.value == of_class
    assert one.document()["done_by"] == ("2026-11-27T09:08:20Z" if of_class == "recover" else None)


def test_members_that_all_read_nothing_have_no_others_to_take_their_partitions():
    rows = [(0, 0, 50_000, "a"), (1, 0, 50_000, "b")]
    one = read(rows, rows, times=("2026-11-27T09:00:00Z", "2026-11-27T09:05:00Z"))

    assert "go to others" not in one.advice
    assert "what they share" in one.advice


def test_commits_that_stay_for_two_minutes_in_the_whole_group_may_be_rare():
    one = read(
        [(0, 0, 50_000, "a"), (1, 0, 50_000, "b")], [(0, 0, 50_000, "a"), (1, 0, 50_000, "b")]
    )

    assert (codes(one), one.group_class.value) == (["behind"], "later")


def test_commits_that_stay_for_five_minutes_in_the_whole_group_stand_still():
    rows = [(0, 0, 50_000, "a"), (1, 0, 50_000, "b")]
    one = read(rows, rows, times=("2026-11-27T09:00:00Z", "2026-11-27T09:05:00Z"))

    assert codes(one) == ["stalled"]
    assert (
        one.sentence
        == "a (10.0.0.97) and b (10.0.0.98) have read nothing in 300 s: 100 k records wait on 2"
        " partitions."
    )


def test_a_group_without_members_whose_commits_move_is_not_down():
    one = read([(0, 0, 50, "")], [(0, 40, 90, "")])

    assert codes(one) == ["fine"]
    assert one.headline.assumed == ("commits move without members",)


def test_the_same_partition_under_another_owner_does_not_wait():
    one = read([(0, 0, 50_000, "a"), (1, 5, 9, "b")], [(0, 0, 50_000, "b"), (1, 5_000, 5_009, "a")])

    assert "stalled" not in codes(one)
    assert "stuck" not in codes(one)


@pytest.mark.parametrize(
    "line",
    ["Warning: Consumer group 'g' is rebalancing.", "Consumer group 'g' has no active members."],
)
def test_a_message_above_the_earlier_reading_says_nothing_of_now(line):
    rows = "g orders 0 1 {end} {lag} {owner}"
    text = [AT[0], line, HEAD, rows.format(end=5, lag=4, owner="- - -"), ""]
    text += [
        AT[1],
        "",
        HEAD,
        rows.format(end=1_000_001, lag=1_000_000, owner="a-1 /10.0.0.1 a"),
        "",
    ]
    one = answer("\n".join(text))

    assert one.case.now.state is None
    assert subject(one)["partitions"] == ["orders-0"]


def _live(committed, second):
    members = [Member(name, ["t"], owned={"t": [number]}) for number, name in enumerate(committed)]
    topic = Topic(
        "t",
        [Partition(end_offset=9_000, committed_offset=offset) for offset in committed.values()],
    )
    return observed_from_document(
        Document(
            format=FORMAT,
            group_id="g",
            state="Stable",
            taken_at=datetime(2026, 11, 27, 9, 0, second, tzinfo=UTC),
            topics=[topic],
            members=members,
        )
    )


def test_a_live_group_that_is_read_again_has_both_readings():
    earlier, later = _live({"a": 100, "b": 8_000}, 0), _live({"a": 100, "b": 9_000}, 50)

    one = diagnosed(between(earlier, Readings(later)))
    again = diagnosed(between(later, Readings(later)))

    assert (one.code.value, one.headline.certainty.value) == ("stalled", "certain")
    assert one.sentence == (
        "a has read nothing in 50 s: 8,900 records wait on 1 partition while others move on."
    )
    assert again.case.is_one_reading


def remedy(one, action):
    return next(each for each in one.document()["remedies"] if each["action"] == action)


def test_two_readings_tell_how_long_a_backlog_takes_and_one_reading_does_not():
    # Each member reads 100 records a second, 50 come in: the 54,000 that are left take 1,080 s.
    first = [(0, 0, 60_000, "a"), (1, 0, 60_000, "b")]
    later = [(0, 12_000, 66_000, "a"), (1, 12_000, 66_000, "b")]

    one = read(first, later)

    assert one.code == "behind"
    assert remedy(one, "nothing")["drain_seconds"] == 1080
    assert remedy(read(first, times=AT[:1]), "nothing")["drain_seconds"] is None


def test_what_a_member_that_reads_nothing_could_read_is_unknown():
    one = read(
        [(0, 0, 60_000, "a"), (1, 0, 60_000, "b")], [(0, 0, 66_000, "a"), (1, 65_990, 66_000, "b")]
    )

    assert one.code == "stalled"
    assert {each["drain_seconds"] for each in one.document()["remedies"]} == {None}


WITHOUT_OWNERS = """\
2026-11-27T10:00:00Z
GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG
pay orders 0 100 50100 50000
pay orders 1 90 100 10
"""


def test_a_partition_that_waits_is_stuck_though_the_listing_names_no_owners():
    later = """\
2026-11-27T10:10:00Z
GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG
pay orders 0 100 51100 51000
pay orders 1 1090 1100 10
"""

    one = answer(WITHOUT_OWNERS + later, "listing.txt")

    assert one.sentence == "orders-0 did not move in 600 s: 51.0 k records wait from offset 100."
    document = one.document()["findings"][0]
    assert (document["code"], document["certainty"], document["assumed"]) == (
        "stuck",
        "likely",
        ["owners"],
    )
    assert document["subject"]["members"] == []


def test_a_listing_without_a_column_of_owners_tells_nothing_of_members():
    one = answer(WITHOUT_OWNERS, "listing.txt")

    assert one.sentence == "No owner of pay is known: 50.0 k records wait on 2 partitions."


def without_owners(*readings):
    """Return the diagnosis of two readings of a tool that names no owners: (committed, end) of each
    partition.
    """
    lines = []
    for at, rows in zip(AT, readings, strict=True):
        lines += [at, "", "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG"]
        lines += [f"g orders {row} {c} {end} {end - c}" for row, (c, end) in enumerate(rows)]
        lines.append("")
    return answer("\n".join(lines))


def test_a_group_without_known_owners_keeps_up_if_every_commit_reached_the_earlier_end():
    one = without_owners([(0, 400), (90, 90)], [(400, 900), (90, 90)])

    assert (codes(one), one.group_class.value) == (["fine"], "fine")
    assert one.sentence == "g keeps up: 500 records on 2 partitions, and owners are not recorded."
    assert one.diagnosis.headline.assumed == ("owners",)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ((0, 400), (50, 900)),  # The earlier end is not reached.
        ((910, 910), (910, 1_000_910)),  # Stopped: nothing waited before.
        ((910, 910), (970, 6_910)),  # One record is read of a hundred that arrive.
    ],
)
def test_a_group_without_known_owners_with_a_late_partition_is_unknown(before, now):
    one = without_owners([before, (90, 90)], [now, (90, 90)])

    assert (codes(one), one.group_class.value) == (["unknown"], "unknown")


def test_a_partition_that_moved_is_not_said_to_be_stuck():
    # 120,000 records came in 120 s and 60,000 were read; of the other partitions 60,000 each.
    rows = [[(n, 60_000 * k, 5 + 60_000 * k, "abc"[n]) for n in range(3)] for k in (0, 1)]
    slow = [(3, 0, 100_000, "d"), (3, 60_000, 220_000, "d")]

    one = read([*rows[0], slow[0]], [*rows[1], slow[1]])

    assert codes(one)[0] == "one_partition"
    assert one.sentence == (
        "orders-3 has nearly all 160 k records: 1,000 records/s come in, 500 are read."
    )
    assert all(each.action not in ("read_again", "skip") for each in one.remedies)


def test_a_drain_of_weeks_is_not_left_to_itself():
    # 2 x 100 records/s come in, 2 x 101 are read: a million records for each 1/s last 11.6 days.
    one = read(
        [(n, 0, 1_000_000, "ab"[n % 2]) for n in range(2)] + [(2, 9, 9, "a")],
        [(n, 12_120, 1_012_000, "ab"[n % 2]) for n in range(2)] + [(2, 9, 9, "a")],
    )

    assert "by itself" not in one.advice
    assert "drained in about 11 d" in one.advice


def behind(arrives, reads, owners, waits=100_000):
    """Return two readings of a topic: records/s into each partition and from it, and its owner."""
    rows = zip(arrives, reads, owners, strict=True)
    return read(
        [(number, 0, waits, owner) for number, owner in enumerate(owners)],
        [(n, out * 120, waits + into * 120, owner) for n, (into, out, owner) in enumerate(rows)],
    )


def test_without_ends_no_rate_is_known():
    lines = ["group,topic,partition,committed_offset,lag,member_id,taken_at"]
    for at, rest in zip(AT, ("1000,50000", "9000,90000"), strict=True):
        lines += [f"g,o,{number},{rest},{member},{at}" for number, member in enumerate("ab")]

    one = answer("\n".join(lines), "a.csv")

    assert (codes(one)[0], "in_rate" in one.headline.figures) == ("behind", False)


FINE = [[(n, 10 * k, 10 * k, "abcdefgh"[n]) for n in range(2, 8)] for k in (1, 2)]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        # One of both moves by 20 records, and gets 6,000.
        (
            [(0, 0, 1_000_000, "a"), (1, 0, 900_000, "b")],
            [(0, 100_000, 1_000_020, "a"), (1, 20, 906_000, "b")],
        ),
        # 0.1 records/s: 115 days.
        ([(0, 0, 1_000_000, "a")], [(0, 12, 1_000_000, "a")]),
        # The end fell: the topic was made again, and nothing is known of what came in.
        ([(0, 100_000, 5_000_000, "a")], [(0, 100_100, 3_000_000, "a")]),
    ],
)
def test_partitions_that_do_not_all_drain_soon_are_not_left_to_themselves(before, now):
    one = read(before + FINE[0], now + FINE[1])

    assert (codes(one)[0], one.short) == ("one_partition", "Behind")
    assert ": -" not in one.sentence
    assert "by itself" not in one.advice
    assert not one.catches_up
    assert all(each.action != "read_again" for each in one.remedies)


def test_members_that_read_enough_together_need_other_partitions_not_more_members():
    # a gets 700/s and reads 600, b gets 300: one partition of each kind is 500/s for both.
    one = behind([350, 150, 350, 150], [300] * 4, "abab")

    switch = remedy(one, "switch")
    assert codes(one)[0] == "behind"
    assert one.advice.endswith("switch the assignor, so that no member gets more than it reads.")
    assert "add_members" not in [each.action for each in one.remedies]
    assert (switch["helps"], one.no_switch) == ("unknown", "")
    # 188,000 records at most wait on a member, which fall by 100/s.
    assert (switch["assignor"], switch["drain_seconds"]) == ("range", 1_880)


def test_a_quiet_member_does_not_hide_that_the_others_drain():
    one = read(
        [(0, 0, 100_000, "a"), (1, 0, 100_000, "b"), (0, 1_000, 1_000, "c", "quiet")],
        [(0, 36_000, 112_000, "a"), (1, 36_000, 112_000, "b"), (0, 2_000, 2_010, "c", "quiet")],
    )

    # 76,000 records fall by 200/s.
    assert one.headline.figures["drain_seconds"] == 380
    assert one.advice.startswith("It catches up by itself: 200 records/s come in, 600 are read")
    assert (one.group_class.value, one.catches_up) == ("need", True)


def test_as_few_members_are_added_as_drain_the_group():
    # A member reads 100/s, so two partitions of 40/s: 20 members for 40 partitions.
    one = behind([40] * 40, [5] * 40, "ab" * 20)

    added = remedy(one, "add_members")
    assert (added["helps"], added["count"]) == ("yes", 18)


def test_new_members_make_no_listed_member_faster():
    # b reads 100/s, and each partition gets 150.
    one = behind([150] * 6, [333, 33] * 3, "ab" * 3)

    assert (codes(one)[0], remedy(one, "add_members")["helps"]) == ("behind", "no")
    assert one.advice.endswith("make reading faster: more members alone would not drain it.")


def test_a_topic_gets_no_more_readers_than_partitions():
    # A member reads 50/s, as much as a partition gets.
    one = behind([50] * 4, [25] * 4, "abab")

    assert one.advice == (
        "200 records/s come in, 100 are read: make reading faster, or add partitions, which moves"
        " keys."
    )
    assert remedy(one, "more_partitions")["helps"] == "unknown"


def test_after_two_readings_another_one_settles_and_is_no_remedy():
    one = read(
        [(0, 0, 60_000, "a"), (1, 0, 10, "b"), (2, 0, 5, "c"), (0, 0, 60_000, "a", "p")],
        [(0, 3_000, 64_500, "a"), (1, 4_500, 4_510, "b"), (2, 4_500, 4_505, "c")]
        + [(0, 3_000, 64_500, "a", "p")],
    )

    assert codes(one)[0] == "lagging"
    assert one.settles == "another reading, 60 s later"
    assert [each.action.value for each in one.remedies] == ["nothing", "look"]


def test_all_members_that_stopped_are_looked_at():
    rows = [(n, 0, 50_000, "abc"[n]) for n in range(3)]
    one = read([*rows, (3, 0, 10, "d")], [*rows, (3, 9_000, 9_010, "d")])

    assert one.advice.startswith("Look at 10.0.0.97, 10.0.0.98 and 10.0.0.99: alive")


def test_a_partition_that_waits_never_drains():
    # a reads 300/s of the first and nothing of the second.
    one = read(
        [(0, 0, 100_000, "a"), (1, 0, 50_000, "a")],
        [(0, 36_000, 112_000, "a"), (1, 0, 50_000, "a")],
    )

    assert (codes(one)[0], one.catches_up) == ("stuck", False)
