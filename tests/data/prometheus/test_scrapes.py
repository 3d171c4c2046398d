"""What `evenkeel history` makes of scrapes: their pace, offsets that begin anew, series that end,
and answers of stores that say more than Prometheus does.
"""

import json
from datetime import timedelta

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import group_verdicts
from evenkeel.data.lake.place import place_of
from evenkeel.data.timeline.answer import group_rows
from evenkeel.data.timeline.command import figures_of
from evenkeel.data.timeline.lines import verdict_lines
from tests.generated.written_slots import DAY, kept_up, write_slot
from tests.services.stores import answers_of, series_row, serving

LAGS = (3, 5)
"""A lag that rises and falls: a partition that keeps up."""

END = DAY + timedelta(hours=6)
COMMIT, ENDS = "kafka_consumergroup_current_offset", "kafka_topic_partition_current_offset"


def rows(every: int, committed, ends):
    """Return the series of one partition: a scrape every so many seconds, the last one at `END`."""
    count = len(ends)
    times = [END.timestamp() - every * (count - 1 - place) for place in range(count)]
    labels = {"topic": "orders", "partition": 0, "job": "kafka"}
    return [
        series_row(
            COMMIT,
            [(at, value) for at, value in zip(times, committed, strict=True) if value is not None],
            consumergroup="pay",
            **labels,
        ),
        series_row(ENDS, list(zip(times, ends, strict=True)), **labels),
    ]


@pytest.fixture
def history(tmp_path, monkeypatch, capsys):
    """Return what the command says of a store that answers so."""

    def read(answer, *more) -> dict:
        with serving(answer) as served:
            (tmp_path / "evenkeel.toml").write_text(
                '[clusters.c]\n"bootstrap.servers" = "b:9092"\n'
                f'[clusters.c.history]\nprometheus = "{served.url}"\n'
            )
            monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
            named = ["--lake", str(tmp_path / "lake"), "--cluster", "c", "--group", "pay"]
            assert main(["history", *named, "--to", END.isoformat(), "--json", *more]) == 0
        return json.loads(capsys.readouterr().out)

    return read


@pytest.mark.parametrize(
    ("every", "standing", "verdict"),
    [
        # A window is ten scrapes and five minutes at least: 60 scrapes of 5 s, ten of 5 minutes. A
        # partition is stuck if it stands still for more than half of it.
        (5, 29, "OK"),
        (5, 30, "STUCK"),
        (300, 4, "OK"),
        (300, 5, "STUCK"),
    ],
)
def test_a_partition_is_stuck_if_it_stands_still_for_half_of_five_minutes_and_of_ten_scrapes(
    history, every, standing, verdict
):
    moving = 100
    ends = [1000 + 50 * place for place in range(moving + standing)]
    committed = [min(end, ends[moving - 1]) - LAGS[place % 2] for place, end in enumerate(ends)]
    committed[moving:] = [ends[moving - 1] - 5] * standing

    shown = history(answers_of(rows(every, committed, ends)))

    assert shown["interval_seconds"] == every
    (partition,) = shown["partitions"]
    assert partition["verdict"] == verdict
    assert partition["lag"] == 50 * standing + 5
    assert [event["kind"] for event in shown["events"] if event["kind"] == "gap"] == []


def test_scrapes_farther_apart_than_five_minutes_have_no_verdict(history):
    ends = [1000 + 50 * place for place in range(60)]

    shown = history(answers_of(rows(301, [995] * 60, ends)))

    (partition,) = shown["partitions"]
    assert [shown["verdict"], shown["lasting_verdict"], partition["verdict"]] == [None, None, None]
    assert shown["diagnosis"]["code"] != "stuck"
    assert partition["lag"] == 50 * 59 + 5
    assert round(partition["in_rate"], 3) == 0.166


def test_of_scrapes_farther_apart_than_five_minutes_no_group_of_a_cluster_has_a_verdict(tmp_path):
    place = place_of(tmp_path / "lake")
    for number in range(20):
        rows = [
            row | {"source_format": "prometheus with kafka_exporter"} for row in kept_up("pay", 9)
        ]
        write_slot(place, 11 * number, rows)

    groups = group_verdicts(place, instants(place, "c"), "c", ()).groups
    (row,) = group_rows(groups, END.timestamp())

    assert [row["verdict"], row["lasting_verdict"], row["verdict_since"]] == [None, None, None]
    assert verdict_lines([row])[1].split()[:4] == ["pay", "–", "–", "12"]
    assert figures_of(row).verdict is None


def test_offsets_of_a_topic_that_was_made_anew_give_no_negative_rate_and_no_lag_of_the_old_one(
    history,
):
    # 600 records a minute; the new topic begins after an hour, and its first commit is five later.
    old, new = range(60), range(60)
    ends = [1000 + 600 * minute for minute in old] + [600 * minute for minute in new]
    commits = [1000 + 600 * minute - LAGS[minute % 2] for minute in old]
    commits += [commits[-1]] * 5 + [600 * minute - LAGS[minute % 2] for minute in new][5:]

    shown = history(answers_of(rows(60, commits, ends)))

    (partition,) = shown["partitions"]
    assert partition["lag"] == 5
    assert partition["verdict"] == "OK"
    assert [round(partition[rate]) for rate in ("in_rate", "out_rate")] == [10, 10]


def test_right_after_a_topic_was_made_anew_the_old_commit_is_no_negative_lag(history):
    ends = [1000 + 600 * minute for minute in range(60)] + [0, 600, 1200]
    commits = [1000 + 600 * minute - 5 for minute in range(60)] + [36_395] * 3

    (partition,) = history(answers_of(rows(60, commits, ends)))["partitions"]

    assert partition["lag"] == 0
    assert partition["in_rate"] is None or partition["in_rate"] >= 0


def answering(rows, more):
    """Return what answers from series, with more fields next to `data`."""

    def answer(handler, path, query):
        send = handler.send_data

        def send_data(data):
            body = json.dumps({"status": "success", "data": data} | more).encode()
            handler.send(200, body)

        handler.send_data = send_data
        answers_of(rows)(handler, path, query)
        handler.send_data = send

    return answer


KEEPS_UP = (
    [1000 + 600 * minute - LAGS[minute % 2] for minute in range(60)],
    [1000 + 600 * minute for minute in range(60)],
)


@pytest.mark.parametrize(
    ("more", "warnings"),
    [
        # Thanos, Mimir and Prometheus with statistics, VictoriaMetrics.
        ({"warnings": ["No StoreAPIs matched"], "infos": ["x"]}, ["No StoreAPIs matched"]),
        ({"warnings": None, "stats": {"timings": {"evalTotalTime": 0.1}}}, []),
        ({"isPartial": False, "stats": {"seriesFetched": "2", "executionTimeMsec": 1}}, []),
    ],
)
def test_more_fields_of_an_answer_change_nothing_and_a_warning_is_shown(history, more, warnings):
    shown = history(answering(rows(60, *KEEPS_UP), more))

    assert shown["warnings"] == warnings
    assert [partition["lag"] for partition in shown["partitions"]] == [5]
    assert shown["verdict"] == "OK"


def test_an_answer_in_part_is_refused(tmp_path, monkeypatch, capsys):
    with serving(answering(rows(60, *KEEPS_UP), {"isPartial": True})) as served:
        (tmp_path / "evenkeel.toml").write_text(
            '[clusters.c]\n"bootstrap.servers" = "b:9092"\n'
            f'[clusters.c.history]\nprometheus = "{served.url}"\n'
        )
        monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
        named = ["--lake", str(tmp_path / "lake"), "--cluster", "c", "--group", "pay"]
        assert main(["history", *named, "--to", END.isoformat()]) == 2

    assert "its answer is partial: some of its servers are missing" in capsys.readouterr().err
    asked = [query for _, query in served.asked]
    assert {query["partial_response"] for query in asked} == {"false"}
    assert {query["deny_partial_response"] for query in asked} == {"1"}
