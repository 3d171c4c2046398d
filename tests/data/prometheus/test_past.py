"""The past of a group below a lake: evenkeel history over a store, alone and beside slots."""

import json
from datetime import timedelta

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.lake.place import place_of
from tests.generated.scraped import GROUP, scraped
from tests.generated.written_slots import DAY, kept_up, write_slot
from tests.services.stores import answers_of, series_row, serving

END = DAY + timedelta(hours=6)
STEP = 120
"""Slots of 30 s in an hour."""


def configure(folder, monkeypatch, url: str) -> None:
    (folder / "evenkeel.toml").write_text(
        '[clusters.c]\n"bootstrap.servers" = "b:9092"\n'
        f'[clusters.c.history]\nprometheus = "{url}"\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(folder / "evenkeel.toml"))


@pytest.fixture
def store(tmp_path, monkeypatch):
    with serving(answers_of(scraped(END))) as served:
        configure(tmp_path, monkeypatch, served.url)
        yield served


def history(lake, capsys, *more) -> dict:
    named = ["history", "--lake", str(lake), "--cluster", "c", "--group", GROUP]
    until = ["--to", END.isoformat(), "--json", *more]
    assert main([*named, *until]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_lake_without_a_slot_shows_the_past_that_a_store_has(store, tmp_path, capsys):
    found = history(tmp_path / "lake", capsys)

    assert found["at"] == "2026-11-10T05:59:00.250Z"
    assert found["verdict"] == "STUCK"
    assert found["members"] == []
    assert found["drains"] == []
    source = {key: found[key] for key in ("source", "exporter", "interval_seconds", "owners")}
    assert source == {
        "source": "prometheus",
        "exporter": "kafka_exporter",
        "interval_seconds": 60.0,
        "owners": "unknown",
    }
    assert found["derived"] == []


def test_the_lag_is_end_minus_commit_of_one_scrape_and_not_that_of_the_exporter(
    store, tmp_path, capsys
):
    found = history(tmp_path / "lake", capsys)

    assert [row["lag"] for row in found["partitions"]][0] == 5
    assert {row["owner"] for row in found["partitions"]} == {None}


def test_a_gap_stays_a_gap(store, tmp_path, capsys):
    events = history(tmp_path / "lake", capsys)["events"]

    assert [one["what"] for one in events if one["kind"] == "gap"] == [
        "No snapshots until 2026-11-10T04:36:00.250Z: the store has no samples (Prometheus,"
        " kafka_exporter)."
    ]


def test_no_sentence_speaks_of_members(store, tmp_path, capsys):
    named = ["history", "--lake", str(tmp_path / "lake"), "--cluster", "c", "--group", GROUP]
    assert main([*named, "--to", END.isoformat()]) == 0

    text = capsys.readouterr().out
    assert "from Prometheus (kafka_exporter), scraped every 60 s; owners not recorded\n" in text
    assert "orders-1 did not move in 300 s: 34.8 k records wait" in text
    assert not any(word in text for word in ("members", "consumer", "joined", "left", "no owner"))


def test_the_number_of_members_cannot_be_judged(store, tmp_path, capsys):
    named = ["history", "--lake", str(tmp_path / "lake"), "--cluster", "c", "--group", GROUP]
    until = ["--to", END.isoformat(), "--quiet"]

    assert main([*named, *until, "--fail-if", "members == 0"]) == 2
    assert main([*named, *until, "--fail-if", "verdict >= STALL"]) == 1


def test_the_lake_wins_slot_by_slot(store, tmp_path, capsys):
    lake = place_of(tmp_path / "lake")
    for number in range(5 * STEP + 60, 6 * STEP + 1):
        offsets = [
            {
                "group_id": GROUP,
                "topic": "orders",
                "partition": partition,
                "begin_offset": 0,
                "committed_offset": 10**6 + number,
                "end_offset": 10**6 + number + 7,
                "member_id": "A",
            }
            for partition in range(2)
        ]
        write_slot(lake, number, offsets)

    found = history(tmp_path / "lake", capsys)

    assert found["source"] == "lake and prometheus"
    assert found["owners_since"] == "2026-11-10T05:30:00.000Z"
    assert [row["lag"] for row in found["partitions"]] == [7, 7]
    assert {row["owner"] for row in found["partitions"]} == {"A"}
    kinds = {one["kind"] for one in found["events"]}
    assert not kinds & {"rebalance", "joined", "left"}


def lines_of(capsys, *words) -> list[dict]:
    assert main([*words, "--cluster", "c", "--to", END.isoformat(), "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


PAST = "owners of slots from Prometheus (kafka_exporter), scraped every 60 s"


@pytest.mark.parametrize("group", [["--group", GROUP], []])
def test_findings_of_the_past_name_no_member_and_say_that_owners_are_assumed(
    store, tmp_path, capsys, group
):
    stuck, summary = lines_of(capsys, "findings", "--lake", str(tmp_path / "lake"), *group)

    # The last advance is at 05:01; the time without one is longer than that with one at 05:06.
    assert [stuck[key] for key in ("code", "severity", "since", "seen", "told", "until")] == [
        "stuck",
        "warning",
        "2026-11-10T05:01:00.250Z",
        "2026-11-10T05:06:00.250Z",
        "2026-11-10T05:08:00.250Z",
        None,
    ]
    assert stuck["subject"] == {"topics": ["orders"], "partitions": ["orders-1"], "members": []}
    assert stuck["assumed"] == ["whether a transaction is open", "owners"]
    assert stuck["text"] == (
        "orders-1 does not move, or a transaction is open; whether a member owns it was not "
        "recorded: 34.8 k records wait."
    )
    assert stuck["figures"]["owner_since"] is None
    assert summary["unknown"] == [PAST]


def test_a_back_test_reaches_into_the_past_of_a_store(store, tmp_path, capsys):
    episode, summary = lines_of(capsys, "alerts", "test", "--lake", str(tmp_path / "lake"))

    assert (episode["code"], episode["told"]) == ("stuck", "2026-11-10T05:08:00.250Z")
    assert (summary["episodes"], summary["unknown"]) == (1, [PAST])


def test_samples_ten_minutes_apart_give_no_finding(tmp_path, monkeypatch, capsys):
    times = [(END - timedelta(minutes=10 * row)).timestamp() for row in range(60, 0, -1)]
    place = {"topic": "orders", "partition": 0}
    rows = [
        series_row(
            "kafka_consumergroup_current_offset",
            [(at, 5) for at in times],
            consumergroup=GROUP,
            **place,
        ),
        series_row(
            "kafka_topic_partition_current_offset",
            [(at, 1000 + row) for row, at in enumerate(times)],
            **place,
        ),
    ]
    with serving(answers_of(rows)) as served:
        configure(tmp_path, monkeypatch, served.url)
        (summary,) = lines_of(capsys, "findings", "--lake", str(tmp_path / "lake"))

    assert summary["slots"] == 60


def test_readers_of_a_topic_are_those_of_the_last_scrape_and_their_members_unknown(
    store, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr("evenkeel.data.clock.now", lambda: END)
    named = ["groups", "--cluster", "c", "--out", str(tmp_path / "lake"), "--json"]

    assert main([*named, "--topic", "orders"]) == 0
    read = capsys.readouterr()
    assert main([*named, "--topic", "unread"]) == 0

    # 5 records of partition 0; partition 1 stands still since minute 60 of 0 to 118, 600 records a
    # minute.
    assert json.loads(read.out) == {
        "group_id": GROUP,
        "members": None,
        "partitions": 2,
        "lag": 5 + 5 + 600 * (118 - 60),
        "unknown_partitions": 0,
        # Whether partition 1 has an owner is unknown.
        "verdict": "STUCK",
    }
    assert read.err == (
        "evenkeel groups: from Prometheus (kafka_exporter), scraped every 60 s; "
        "members not recorded\n"
    )
    assert "nobody reads unread in the slot of 2026-11-10 05:59:00" in capsys.readouterr().err


def test_a_store_is_asked_only_for_what_the_lake_has_not(store, tmp_path, capsys):
    lake = place_of(tmp_path / "lake")
    # Of the hour before 06:00 the lake has all but 05:20 to 05:30.
    for number in (*range(5 * STEP, 5 * STEP + 41), *range(5 * STEP + 60, 6 * STEP + 1)):
        write_slot(lake, number, kept_up(GROUP, number))

    history(tmp_path / "lake", capsys, "--from", "2026-11-10T05:30:00Z")

    ranges = [
        (query["time"], query["query"].rpartition("[")[2])
        for path, query in store.asked
        if path.endswith("/query")
    ]
    # A range begins 30 minutes earlier, for its first verdict.
    assert set(ranges) == {("1794288600.000", "600001ms]")}


def test_a_store_that_refuses_ends_the_command_with_its_sentence(tmp_path, monkeypatch, capsys):
    with serving(lambda handler, path, query: handler.send(403, b"")) as served:
        configure(tmp_path, monkeypatch, served.url)

        assert main(["history", "--lake", str(tmp_path), "--cluster", "c", "--group", "g"]) == 2

    assert (
        capsys.readouterr().err
        == f"evenkeel history: {served.url}/api/v1/label/__name__/values: it answers 403: the"
        " headers of [clusters.c.history] have no right to query metrics\n"
    )


def test_a_group_that_the_store_has_not_is_one_that_the_lake_has_not(store, tmp_path, capsys):
    assert main(["history", "--lake", str(tmp_path), "--cluster", "c", "--group", "nobody"]) == 2

    assert "has no snapshot of it" in capsys.readouterr().err


def test_commits_that_are_made_of_end_and_lag_are_marked(tmp_path, monkeypatch, capsys):
    place = {"topic_name": "orders", "partition_id": 0}
    times = [(END - timedelta(minutes=minute)).timestamp() for minute in range(30, 0, -1)]
    ends = [(at, 1000 + 60 * row) for row, at in enumerate(times)]
    rows = [
        series_row("kminion_kafka_topic_partition_high_water_mark", ends, **place),
        series_row(
            "kminion_kafka_consumer_group_topic_partition_lag",
            [(at, 7) for at in times],
            group_id=GROUP,
            **place,
        ),
    ]
    with serving(answers_of(rows)) as served:
        configure(tmp_path, monkeypatch, served.url)
        found = history(tmp_path / "lake", capsys)
        named = ["history", "--lake", str(tmp_path), "--cluster", "c", "--group", GROUP]
        assert main([*named, "--to", END.isoformat()]) == 0

    assert (found["exporter"], found["derived"]) == ("kminion", ["commit"])
    assert [row["lag"] for row in found["partitions"]] == [7]
    text = capsys.readouterr().out
    assert "(lag ≈ 7, time lag ≈ 7 s (interpolated)" in text
    assert "≈ committed offsets are computed from end offset and lag." in text


def test_an_owner_that_an_exporter_names_is_shown_and_decides_nothing(
    tmp_path, monkeypatch, capsys
):
    times = [(END - timedelta(minutes=minute)).timestamp() for minute in range(30, 0, -1)]
    place = {"topic": "orders", "partition": 0}
    commits = [(at, 1000 + row) for row, at in enumerate(times)]
    rows = [
        # The consumer was restarted after twenty scrapes.
        series_row("kafka_consumergroup_group_offset", part, group=GROUP, client_id=client, **place)
        for client, part in (("pay-b", commits[20:]), ("pay-a", commits[:20]))
    ]
    ends = [(at, 2000) for at in times]
    rows.append(series_row("kafka_partition_latest_offset", ends, **place))
    with serving(answers_of(rows)) as served:
        configure(tmp_path, monkeypatch, served.url)
        shown = history(tmp_path / "lake", capsys)

    assert shown["owners_by_exporter"] == {"orders-0": "pay-b"}
    assert (shown["owners"], shown["members"]) == ("unknown", [])
    assert [row["owner"] for row in shown["partitions"]] == [None]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            'prometheus = "ftp://x"',
            "clusters.c.history.prometheus is a string, expected an address",
        ),
        ('prometheus = "http://u:p@x"', "expected an address without a login, such as"),
        ("", "no key clusters.c.history.prometheus"),
        ('prometheus = "http://x"\nheaders = {A = "canary"}', "expected a reference"),
        ('prometheus = "http://x"\nmatch = {"a-b" = "c"}', "has 'a-b', expected a name of a label"),
        (
            'prometheus = "http://x"\nexporter = "jmx"',
            "history.exporter is 'jmx', expected one of: auto, kafka_exporter",
        ),
        (
            'prometheus = "http://x"\nlabels = {group = "a-b"}',
            "history.labels.group is 'a-b', expected a name of a label",
        ),
        ('prometheus = "http://x"\nurl = "y"', "unknown key clusters.c.history.url"),
    ],
)
def test_a_wrong_table_is_named_by_its_key_and_never_by_its_value(
    line, words, tmp_path, monkeypatch, capsys
):
    (tmp_path / "evenkeel.toml").write_text(
        f'[clusters.c]\n"bootstrap.servers" = "b:9092"\n[clusters.c.history]\n{line}\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))

    assert main(["history", "--lake", str(tmp_path), "--cluster", "c", "--group", "g"]) == 2

    said = capsys.readouterr().err
    assert words in said
    assert "canary" not in said
