"""Every rule over time, on recordings whose truth is written first."""

import pytest

from evenkeel.data.configuration.conversion import Duration
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes.answer import GroupFindings, findings_of
from tests.generated.incidents import KEEPS, T0, Incident, Partition

HALF_A_MINUTE = 30


def arriving(time: float) -> float:
    """Ten records a second, 100 of them before the first slot."""
    return 100 + 10 * time


def kept_up(time: float) -> float:
    """Always 16 records on their way."""
    return arriving(time) - 16


def until(moment: float, commit=kept_up):
    """A commit that stands still from a moment on."""
    return lambda time: commit(min(time, moment))


def owned(time: float) -> str:
    return "m"


def one(time: float) -> list[str]:
    return ["m"]


def gone_after_100(time: float) -> list[str]:
    return ["m"] if time <= 100 else []


def nobody(time: float) -> list[str]:
    return []


@pytest.fixture
def findings(tmp_path):
    """Return the findings of an incident by code, in seconds since the first slot."""

    def found(incident: Incident, count: int = 90, missing=(), **settings) -> dict:
        evidence = incident.recorded(tmp_path, count, missing).evidence("g")
        rows = findings_of(evidence, "g", FindingSettings(**settings))
        return {
            row.code.value: {
                "since": row.episode.since - T0,
                "least": row.episode.is_least,
                "seen": row.episode.seen - T0,
                "until": None if row.episode.until is None else row.episode.until - T0,
                "told": None if row.episode.reported is None else row.episode.reported - T0,
                "partitions": list(row.subject.partitions),
                "members": list(row.subject.members),
                "figures": dict(row.episode.figures),
                "folded": row.episode.folded_into,
                "text": row.text,
                "advice": row.document()["advice"],
            }
            for row in rows
        }

    return found


def group(partition: Partition, members=one, **others) -> Incident:
    return Incident({"a-0": partition}, members, **others)


def test_a_constant_lag_on_its_way_is_healthy(findings):
    assert findings(group(Partition(arriving, kept_up, owned))) == {}


def test_commits_every_twenty_seconds_are_healthy(findings):
    rare = Partition(arriving, lambda time: kept_up(time // 20 * 20), owned)

    assert findings(group(rare)) == {}


def test_a_group_without_members_is_down_since_its_last_commit(findings):
    stopped = Partition(arriving, until(100), lambda time: "m" if time <= 100 else None)

    down = findings(group(stopped, lambda time: ["m"] if time <= 100 else []))["down"]

    # Ten observations without an advance: those of 100 to 145, and half of them are enough.
    assert (down["since"], down["least"], down["until"]) == (100, False, None)
    assert 100 < down["seen"] <= 145
    assert down["told"] == down["seen"] + 120
    # 445 s: 100 + 4,450 records, of which 100 + 1,000 - 16 are read.
    assert down["figures"]["lag"] == 3466
    assert down["text"] == "g has no member: 3,466 records wait on 1 partition."


def test_a_trouble_older_than_the_first_slot_is_said_to_be(findings):
    down = findings(group(Partition(arriving, lambda time: 50), nobody))["down"]

    assert (down["since"], down["least"]) == (0, True)


def test_a_member_that_reads_nothing_is_named_and_its_end_is_the_first_slot_without_it(findings):
    """Silent from 100 to 300 s, then it reads all at once."""
    silent = Partition(
        arriving, lambda time: kept_up(100) if 100 < time <= 300 else kept_up(time), owned
    )

    stalled = findings(group(silent))["stalled"]

    assert stalled["members"] == ["m"]
    assert (stalled["since"], stalled["until"]) == (100, 305)


def caught_up_after_300(time: float) -> float:
    """Silent from 100 s on; from 300 s on it reads 40 records a second until it has caught up."""
    if time <= 300:
        return kept_up(min(time, 100))
    return min(kept_up(100) + 40 * (time - 300), kept_up(time))


def test_a_member_that_catches_up_after_a_stall_drains(findings):
    """3 records leave for each that arrives: nothing grows, though the window saw growth."""
    assert set(findings(group(Partition(arriving, caught_up_after_300, owned)))) == {"stalled"}


def test_a_member_that_is_back_has_half_a_window_for_its_first_commit(findings):
    """Away from 100 to 300 s; its first commit is 12 s after its return."""

    def owner(time: float) -> str | None:
        return None if 100 < time <= 300 else "m"

    late = Partition(arriving, lambda time: kept_up(min(time, 100) if time < 312 else time), owner)

    found = findings(group(late, lambda time: ["m"] if owner(time) else []))

    assert set(found) == {"down"}
    assert (found["down"]["since"], found["down"]["until"]) == (100, 305)


def test_a_member_that_takes_over_a_stalled_partition_has_no_part_in_it(findings):
    """From 300 s on n has the partition too; its first commit of it is 12 s later."""
    parts = {
        "a-0": Partition(
            arriving,
            lambda time: kept_up(min(time, 100) if time < 312 else time),
            lambda time: "m" if time < 300 else "n",
        ),
        "a-1": Partition(arriving, kept_up, lambda time: "n"),
    }

    found = findings(Incident(parts, lambda time: ["m", "n"] if time < 300 else ["n"]))

    assert set(found) == {"stalled"}
    assert found["stalled"]["members"] == ["m"]


def test_a_short_restart_of_all_members_is_no_finding(findings):
    """Away from 150 to 170 s; the first commit is 12 s after their return."""
    away = Partition(
        arriving,
        lambda time: kept_up(min(time, 150) if time < 182 else time),
        lambda time: None if 150 < time < 170 else "m",
    )

    assert findings(group(away, lambda time: [] if 150 < time < 170 else ["m"])) == {}


def test_a_stuck_partition_is_one_finding_through_a_rebalance(findings):
    """At 200 and 205 s nobody owns it."""
    parts = {
        "a-0": Partition(arriving, until(100), lambda time: None if 200 <= time < 210 else "m"),
        "a-1": Partition(arriving, kept_up, owned),
    }

    found = findings(Incident(parts, one))

    assert set(found) == {"stuck"}
    assert (found["stuck"]["since"], found["stuck"]["until"]) == (100, None)


def test_a_member_has_time_to_commit_after_a_transaction_has_ended(findings):
    """It ends at 300 s; the first commit is 12 s later."""
    late = Partition(
        arriving,
        lambda time: arriving(min(time, 100) if time < 312 else time),
        owned,
        stable=lambda time: arriving(min(time, 100) if time < 300 else time),
    )

    assert set(findings(group(late))) == {"blocked"}


def test_a_partition_whose_owner_reads_others_is_stuck(findings):
    parts = {
        "a-0": Partition(arriving, until(100), owned),
        "a-1": Partition(arriving, kept_up, owned),
    }

    found = findings(Incident(parts, one))

    assert set(found) == {"stuck"}
    assert found["stuck"]["partitions"] == ["a-0"]


def test_an_open_transaction_blocks_and_no_member_is_named(findings):
    """Open from 100 s on: nothing past the last stable offset is read."""
    visible = Partition(arriving, until(100, arriving), owned, stable=until(100, arriving))

    found = findings(group(visible))

    assert set(found) == {"blocked"}
    assert found["blocked"]["members"] == []
    assert found["blocked"]["figures"]["lso"] == 1100


def test_without_a_last_stable_offset_a_stall_says_that_a_transaction_may_be_open(findings):
    unasked = Partition(arriving, until(100), owned, stable=lambda time: None)

    assert "or a transaction is open" in findings(group(unasked))["stalled"]["text"]


def test_a_topic_that_all_members_have_dropped_is_left_and_not_down(findings):
    parts = {
        "a-0": Partition(arriving, kept_up, owned),
        "b-0": Partition(arriving, until(100), lambda time: "m" if time <= 100 else None),
    }
    dropped = Incident(
        parts, one, subscribed=lambda time, member: ["a", "b"] if time <= 100 else ["a"]
    )

    found = findings(dropped)

    assert set(found) == {"left"}
    # 105 s is the first slot without the topic; it is told at the third in a row.
    assert (found["left"]["since"], found["left"]["seen"]) == (105, 115)
    assert found["left"]["figures"]["left_lag"] == 3466


def dropped_at_100(again: float = 1000, last: float = 1000, **others) -> Incident:
    """A member drops b at 100 s, subscribes to it `again`, and is gone after the last second; its
    first commit of b is 12 s later.
    """

    def b(time: float) -> bool:
        return time <= 100 or time >= again

    late = until(100)
    parts = {
        "a-0": Partition(arriving, until(last), owned),
        "b-0": Partition(
            arriving,
            lambda time: kept_up(time) if time >= again + 12 else late(time),
            lambda time: "m" if b(time) else None,
        ),
    }
    others = {
        "subscribed": lambda time, member: ["a", "b"] if b(time) else ["a"],
        "members": lambda time: ["m"] if time <= last else [],
    } | others
    return Incident(parts, **others)


def test_a_left_topic_stays_left_while_a_member_joins_anew(findings):
    """From 200 to 225 s the group rebalances: the new member has no subscription yet."""

    def rebalances(time: float) -> bool:
        return 200 <= time < 225

    found = findings(
        dropped_at_100(
            subscribed=lambda time, member: (
                ["a", "b"] if time <= 100 else [] if rebalances(time) else ["a"]
            ),
            state=lambda time: "PreparingRebalance" if rebalances(time) else "Stable",
            identity=lambda time, member: f"{member}-{time >= 200}",
        )
    )

    assert set(found) == {"left"}
    assert (found["left"]["since"], found["left"]["until"]) == (105, None)


def test_a_group_that_stops_later_is_down_since_then_and_not_since_a_topic_was_left(findings):
    found = findings(dropped_at_100(last=300))

    assert (found["down"]["since"], found["down"]["partitions"]) == (300, ["a-0", "b-0"])


def test_a_member_that_reads_a_left_topic_again_has_time_for_its_first_commit(findings):
    found = findings(dropped_at_100(again=300))

    assert set(found) == {"left"}
    assert found["left"]["until"] == 300


def test_a_topic_that_one_of_two_members_has_dropped_is_not_left(findings):
    parts = {"b-0": Partition(arriving, until(100))}
    dropped = Incident(
        parts,
        lambda time: ["m", "n"],
        subscribed=lambda time, member: ["a"] if time > 100 and member == "m" else ["a", "b"],
    )

    assert set(findings(dropped)) == {"unread"}


def test_unknown_subscriptions_make_no_partition_left(findings):
    parts = {"b-0": Partition(arriving, until(100))}

    found = findings(Incident(parts, one, subscribed=lambda time, member: None))

    assert set(found) == {"unread"}
    assert "; whether a member still subscribes is not known." in found["unread"]["text"]


def test_partitions_that_a_topic_grew_by_have_no_reader_though_no_commit_names_them(findings):
    parts = {
        "a-0": Partition(arriving, kept_up, owned),
        "a-1": Partition(lambda time: max(0, 3 * (time - 100)), lambda time: None),
    }

    found = findings(Incident(parts, one))["unread"]

    assert (found["since"], found["partitions"]) == (105, ["a-1"])
    assert found["figures"]["lag_at_most"] == 3 * 345
    assert found["figures"]["lag"] is None


def test_a_member_that_reads_half_of_what_arrives_never_drains_since_it_slowed_down(findings):
    half = Partition(arriving, lambda time: kept_up(min(time, 100)) + 5 * max(0, time - 100), owned)

    found = findings(group(half))

    assert set(found) == {"never_drains"}
    assert abs(found["never_drains"]["since"] - 100) <= 5
    assert found["never_drains"]["figures"]["missing"] == pytest.approx(5, abs=0.1)
    assert found["never_drains"]["members"] == ["m"]
    assert not found["never_drains"]["least"]


def test_a_member_that_is_too_slow_at_the_first_slot_was_so_before(findings):
    found = findings(group(Partition(arriving, lambda time: 5 * time, owned)))

    assert (found["never_drains"]["since"], found["never_drains"]["least"]) == (0, True)


def test_a_group_whose_end_offsets_were_never_read_is_unknown(findings):
    """It has no observation at all, though a member has its partition."""
    assert set(findings(group(Partition(lambda time: None, kept_up, owned)))) == {"unknown"}


def test_growth_while_nobody_owns_a_partition_is_not_its_next_owners(findings):
    """A rebalance from 200 to 220 s; then four times as much is read as arrives."""
    back = Partition(
        arriving,
        lambda time: min(kept_up(min(time, 200)) + 40 * max(0, time - 220), kept_up(time)),
        lambda time: None if 200 < time < 220 else "m",
    )

    assert findings(group(back)) == {}


def test_a_reader_between_two_transactions_is_not_slow(findings):
    """Open from 200 to 255 s and from 256 to 311 s; three times as much is read as arrives."""

    def visible(time: float) -> float:
        begin = 200 if 200 < time < 255 else 256 if 256 < time < 311 else time
        return arriving(begin)

    commits = [kept_up(0)]
    for time in range(1, 500):
        commits.append(min(commits[-1] + 30, visible(time), kept_up(time)))
    read = Partition(arriving, lambda time: commits[int(time)], owned, stable=visible)

    assert set(findings(group(read))) == {"blocked"}


def test_a_member_that_takes_over_from_a_slow_one_is_not_named(findings):
    """From 300 s on the other member has the partition, and reads four times as much as arrives."""
    slow = Partition(
        arriving,
        lambda time: (
            kept_up(min(time, 100)) + 5 * (min(time, 300) - 100) + 40 * max(0, time - 312)
            if 100 < time < 340
            else kept_up(time)
        ),
        lambda time: "m" if time < 300 else "n",
    )

    found = findings(group(slow, lambda time: ["m", "n"]))

    assert found["never_drains"]["members"] == ["m"]


def test_what_is_missing_is_the_sum_of_partitions_each_at_its_last_reading(findings):
    """5 and 3 records a second less than arrive; the second has no owner at the last slot."""

    def reads(rate: float):
        return lambda time: kept_up(min(time, 100)) + rate * max(0, time - 100)

    parts = {
        "a-0": Partition(arriving, reads(5), owned),
        "a-1": Partition(arriving, reads(7), lambda time: "m" if time <= 440 else None),
    }

    slow = findings(Incident(parts, one))["never_drains"]

    assert slow["partitions"] == ["a-0", "a-1"]
    assert slow["figures"]["missing"] == pytest.approx(8, abs=0.1)


def test_a_burst_of_two_slots_that_is_drained_slowly_is_healthy(findings):
    """100 records too many at 200 s, 300 at 205 s; from then on 2 a second more than arrive are
    read. What is left was highest three slots before it looks like growth.
    """

    def left(time: float) -> float:
        if time < 200:
            return 16
        return 116 if time < 205 else max(316 - 2 * (time - 205), 16)

    burst = Partition(
        lambda time: arriving(time) + 100 * (time >= 200) + 200 * (time >= 205),
        lambda time: arriving(time) + 100 * (time >= 200) + 200 * (time >= 205) - left(time),
        owned,
    )

    assert findings(group(burst)) == {}


def test_a_burst_that_is_drained_is_healthy(findings):
    """300 records at once at 100 s, read at 15 a second."""

    def read(time: float) -> float:
        done = kept_up(time) if time < 100 else kept_up(100) + 15 * (time - 100)
        return min(done, kept_up(time) + (300 if time >= 100 else 0))

    burst = Partition(lambda time: arriving(time) + (300 if time >= 100 else 0), read, owned)

    assert findings(group(burst)) == {}


def test_a_lag_over_the_objective_is_folded_into_what_makes_it(findings):
    half = Partition(arriving, lambda time: kept_up(min(time, 100)) + 5 * max(0, time - 100), owned)

    found = findings(group(half), slo={"g*": Duration(seconds=60)})

    assert found["over_slo"]["folded"] == "never_drains"
    assert found["never_drains"]["folded"] is None


def test_a_rewind_is_told_at_its_slot_and_is_over_after_a_window(findings):
    back = Partition(
        arriving,
        lambda time: kept_up(time) - max(0, 300 - 10 * (time - 150)) * (time >= 150),
        owned,
    )

    found = findings(group(back))

    assert (found["rewound"]["since"], found["rewound"]["seen"]) == (150, 150)
    assert found["rewound"]["until"] == 200
    # Between 145 and 150 s it went from 1,534 to 1,284.
    assert found["rewound"]["figures"]["records"] == 250


STAIRS = {"a": KEEPS | {"retention.ms": "60000", "segment.ms": "10000"}}


def kept_for_a_minute(time: float) -> float:
    """Whole segments of 10 s, deleted when they are 60 s old."""
    return max(0, 100 + 10 * ((time - 60) // 10 * 10)) if time >= 60 else 0


def test_records_deleted_before_a_stopped_group_read_them_are_lost_and_were_foretold(findings):
    stopped = Partition(
        arriving,
        until(100),
        lambda time: "m" if time <= 100 else None,
        kept_for_a_minute,
    )

    # At 150 s the next unread record is that of 98 s: its segment goes at 160 s.
    early = findings(group(stopped, gone_after_100, topics=STAIRS), count=31)
    late = findings(group(stopped, gone_after_100, topics=STAIRS))

    assert set(early) == {"down", "loses"}
    assert early["loses"]["figures"]["expected"] - T0 == 160
    assert early["down"]["folded"] == "loses"
    assert late["lost"]["since"] == 160
    # At 445 s records up to 380 s are deleted: 3,900; 1,084 are committed.
    assert late["lost"]["figures"]["records"] == 3900 - 1084
    assert late["loses"]["folded"] == late["down"]["folded"] == "lost"


def test_a_reader_from_memory_has_lost_nothing_and_loses_by_a_restart(findings):
    """It reads half of what arrives, from what it fetched long before."""
    behind = Partition(
        arriving,
        lambda time: kept_up(min(time, 100)) + 5 * max(0, time - 100),
        owned,
        kept_for_a_minute,
    )

    found = findings(group(behind, topics=STAIRS))

    assert "lost" not in found
    assert found["loses"]["folded"] is None
    assert found["loses"]["figures"]["in_memory"] == 3900 - (kept_up(100) + 5 * 345)
    assert found["never_drains"]["folded"] == "loses"


def test_a_reader_that_jumps_over_deleted_records_loses_the_next_ones_too(findings):
    """From 100 s on it reads half of what arrives, and goes on at the first record that is there:
    its lag does not grow any more.
    """
    commits = [kept_up(0)]
    for time in range(1, 500):
        read = max(commits[-1], kept_for_a_minute(time)) + (5 if time > 100 else 10)
        commits.append(min(read, kept_up(time)))

    found = findings(
        group(
            Partition(arriving, lambda time: commits[int(time)], owned, kept_for_a_minute),
            topics=STAIRS,
        )
    )

    assert found["lost"]["until"] is found["loses"]["until"] is None
    assert found["loses"]["since"] == pytest.approx(100, abs=5)
    assert found["loses"]["figures"]["expected"] - T0 == 450
    assert found["loses"]["folded"] == "lost"
    assert "m reads it too slowly" in found["lost"]["text"]


def test_steps_that_follow_the_commits_foretell_nothing(findings):
    """An application deletes what it has read."""
    repartition = Partition(
        arriving,
        until(100),
        owned,
        lambda time: kept_up(min(time, 100)) // 100 * 100,
    )

    assert "loses" not in findings(group(repartition, topics={"a": None}))


def test_steps_that_land_on_an_older_commit_foretell_nothing(findings):
    """Every 10 s an application deletes what it has committed, and then commits."""

    def commit(time: float) -> float:
        return kept_up(min(time, 200)) // 100 * 100

    behind = Partition(arriving, commit, owned, lambda time: commit(max(time - 10, 0)))

    assert set(findings(group(behind, topics={"a": None}))) == {"stalled"}


def test_records_over_their_retention_that_nothing_deletes_are_not_foretold(findings):
    """Kafka's default segments end after a week: it is over retention from 160 s on."""
    stopped = Partition(arriving, until(100), lambda time: "m" if time <= 100 else None)
    topics = {"a": KEEPS | {"retention.ms": "60000"}}

    found = findings(group(stopped, gone_after_100, topics=topics))

    assert set(found) == {"down"}
    assert found["down"]["advice"].endswith("too few deletions were seen to say when.")
    assert "deletions" not in findings(group(stopped, gone_after_100))["down"]["advice"]


def test_without_the_settings_of_a_topic_its_steps_foretell_a_loss(findings):
    stopped = Partition(arriving, until(100), begin=kept_for_a_minute)

    loses = findings(group(stopped, nobody, topics={"a": None}), count=31)["loses"]

    assert loses["figures"]["expected"] - T0 == 160
    assert loses["figures"]["not_before"] is None


def test_a_topic_that_is_compacted_alone_loses_nothing(findings):
    compacted = {"a": STAIRS["a"] | {"cleanup.policy": "compact"}}
    stopped = Partition(arriving, until(100), begin=kept_for_a_minute)

    assert "loses" not in findings(group(stopped, nobody, topics=compacted), count=31)


def test_a_group_that_nobody_has_run_for_long_is_forgotten_and_no_longer_down(findings):
    stopped = Partition(arriving, until(100), lambda time: "m" if time <= 100 else None)

    found = findings(group(stopped, gone_after_100), forgotten=Duration(seconds=200))

    assert found["forgotten"]["since"] == 305
    assert found["down"]["until"] == 305


def test_a_partition_without_leader_is_unknown_and_not_stuck(findings):
    gone = Partition(
        lambda time: arriving(time) if time < 100 else None,
        kept_up,
        owned,
        leader=lambda time: 1 if time < 100 else -1,
    )

    found = findings(group(gone))

    assert set(found) == {"unknown"}
    assert (found["unknown"]["since"], found["unknown"]["seen"]) == (100, 110)
    assert found["unknown"]["figures"]["why"] == "no leader"


def test_one_of_five_partitions_with_nine_times_the_records_is_hot(findings):
    parts = {f"a-{n}": Partition(arriving, kept_up, owned) for n in range(4)}
    parts["a-4"] = Partition(
        lambda time: arriving(time) + 80 * max(0, time - 100),
        lambda time: kept_up(time) + 80 * max(0, time - 100),
        owned,
    )

    found = findings(Incident(parts, one))

    assert set(found) == {"hot_partition"}
    # From 105 s on a slot has 90 records/s where the others have 10; 100 s is the slot before.
    assert (found["hot_partition"]["since"], found["hot_partition"]["partitions"]) == (100, ["a-4"])


def test_a_third_member_for_two_partitions_is_idle(findings):
    parts = {f"a-{n}": Partition(arriving, kept_up, lambda time, n=n: "mn"[n]) for n in range(2)}

    found = findings(Incident(parts, lambda time: ["m", "n", "o"]))

    assert set(found) == {"idle"}
    assert found["idle"]["members"] == ["o"]
    assert found["idle"]["told"] is None


def test_a_member_that_comes_back_again_and_again_is_unstable_and_its_burst_is_folded(findings):
    """It is away for 15 s of each half minute from 100 s to 220 s."""

    def is_here(time: float) -> bool:
        return not (100 <= time < 220 and (time - 100) % HALF_A_MINUTE < 15)

    parts = {
        "a-0": Partition(arriving, kept_up, lambda time: "m" if is_here(time) else "n"),
        "a-1": Partition(arriving, kept_up, lambda time: "n"),
    }

    found = findings(Incident(parts, lambda time: ["m", "n"] if is_here(time) else ["n"]))

    assert set(found) == {"unstable", "bursts"}
    assert (found["unstable"]["since"], found["unstable"]["members"]) == (100, ["m"])
    assert found["bursts"]["folded"] == "unstable"
    # Back at 115, 145, 175 and 205: 3 times 30 s after the last.
    assert found["unstable"]["until"] == 295


def renamed_each_half_minute(time: float, member: str) -> str:
    return f"{member}-{time // HALF_A_MINUTE:.0f}"


def test_members_that_get_new_ids_by_rebalances_are_not_unstable_and_an_idle_one_is_idle(findings):
    parts = {f"a-{n}": Partition(arriving, kept_up, lambda time, n=n: "mn"[n]) for n in range(2)}
    renamed = Incident(parts, lambda time: ["m", "n", "o"], identity=renamed_each_half_minute)

    found = findings(renamed)

    # A new id is a new member for Kafka: each rebalance counts.
    assert set(found) == {"bursts", "idle"}
    assert (found["idle"]["since"], found["idle"]["least"]) == (0, True)
    assert found["idle"]["members"] == ["o"]


def test_two_members_that_get_new_ids_by_each_rebalance_are_not_unstable(findings):
    parts = {f"a-{n}": Partition(arriving, kept_up, lambda time, n=n: "mn"[n]) for n in range(2)}
    renamed = Incident(parts, lambda time: ["m", "n"], identity=renamed_each_half_minute)

    assert set(findings(renamed)) == {"bursts"}


def test_two_of_three_members_with_new_ids_were_started_again_and_are_unstable(findings):
    parts = {f"a-{n}": Partition(arriving, kept_up, lambda time, n=n: "mno"[n]) for n in range(3)}
    restarted = Incident(
        parts,
        lambda time: ["m", "n", "o"],
        identity=lambda time, member: (
            member if member == "o" else renamed_each_half_minute(time, member)
        ),
    )

    assert findings(restarted)["unstable"]["members"] == ["m", "n"]


def test_a_member_that_gets_a_new_id_as_another_one_comes_or_leaves_is_not_unstable(findings):
    """From 90 s on another member comes and leaves each half minute, twice."""
    parts = {"a-0": Partition(arriving, kept_up, owned)}
    renamed = Incident(
        parts,
        lambda time: ["m", "n"] if 90 <= time < 120 or 150 <= time < 180 else ["m"],
        identity=lambda time, member: renamed_each_half_minute(min(max(time, 60), 180), member),
    )

    assert "unstable" not in findings(renamed)


def test_a_single_member_that_gets_new_ids_was_started_again_and_is_unstable(findings):
    restarted = group(Partition(arriving, kept_up, owned), identity=renamed_each_half_minute)

    assert findings(restarted)["unstable"]["members"] == ["m"]


def test_a_bounce_within_three_slots_is_one_episode(findings):
    """Two slots have no end offset."""
    gone = Partition(
        lambda time: arriving(time) if time < 100 or not 200 <= time < 210 else None,
        until(100),
        owned,
    )

    found = findings(group(gone))

    assert found["stalled"]["since"] == 100
    assert found["stalled"]["until"] is None


def test_missing_slots_neither_open_nor_end_a_finding(findings):
    silent = Partition(arriving, until(100), owned)

    whole = findings(group(silent))["stalled"]
    gappy = findings(group(silent), missing=range(40, 60))["stalled"]

    assert (gappy["since"], gappy["until"]) == (whole["since"], None)


def test_nothing_later_than_a_slot_is_used(tmp_path):
    """Episodes that were seen up to a slot are the same without the slots after it."""
    parts = {
        "a-0": Partition(arriving, until(100), owned, kept_for_a_minute),
        "a-1": Partition(
            arriving,
            lambda time: kept_up(time) - max(0, 300 - 10 * (time - 250)) * (time >= 250),
            owned,
        ),
        "a-2": Partition(
            arriving,
            lambda time: kept_up(time) if time < 200 else kept_up(200) + 6 * (time - 200),
            owned,
        ),
    }
    evidence = Incident(parts, one, topics=STAIRS).recorded(tmp_path).evidence("g")

    def seen(row: int, limit: float) -> set:
        rows = findings_of(evidence.until(row), "g", FindingSettings())
        return {
            (each.id, each.episode.seen, each.episode.since)
            for each in rows
            if each.episode.seen <= limit
        }

    time = evidence.series.time
    last = len(time) - 1
    judged_once = GroupFindings(evidence, "g", FindingSettings())
    assert len(seen(last, time[last])) >= 5
    for row in range(0, last, 2):
        assert seen(row, time[row]) == seen(last, time[row])
        cut = findings_of(evidence.until(row), "g", FindingSettings())
        then = judged_once.until(FindingSettings(), row)
        assert [each.document() for each in then] == [each.document() for each in cut]


def test_a_reset_to_the_first_record_later_changes_no_forecast_before_it(tmp_path):
    """Its reader stops at 590 s; at 680 s it is reset to the first record."""

    def begin(time: float) -> int:
        return max(0, (100 + 10 * (time - 200)) // 1000 * 1000)

    def commit(time: float) -> int:
        if time < 590:
            return begin(time) + 500 if begin(time) else arriving(time) - 60
        return begin(590) + 1500 if time < 680 else begin(680)

    reset = Incident({"a-0": Partition(arriving, commit, owned, begin)}, one, topics={"a": None})
    evidence = reset.recorded(tmp_path, 160).evidence("g")
    judged_once = GroupFindings(evidence, "g", FindingSettings())

    for row in range(116, 142, 2):
        alone = findings_of(evidence.until(row), "g", FindingSettings())
        then = judged_once.until(FindingSettings(), row)
        assert [each.document() for each in then] == [each.document() for each in alone]
    assert "loses" in {each.code.value for each in judged_once.until(FindingSettings(), 130)}
