"""`--zone`: the zone of times that name none, in every table that is read."""

import json

import pytest

from evenkeel.data.commands.main import main

LINE = "g,t,0,5,9,2026-07-01 10:00:00\n"
INPUTS = {
    "csv": "group,topic,partition,current_offset,log_end_offset,timestamp\n" + LINE,
    "quoted csv": (
        "group,topic,partition,current_offset,log_end_offset,timestamp\n"
        + LINE.replace("2026", '"2026').replace(":00\n", ':00"\n')
    ),
    "listing": (
        "2026-07-01 10:00:00\n"
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        "g t 0 5 9 4 - - -\n"
    ),
    "json": (
        '{"group":"g","time":"2026-07-01 10:00:00","offsets":[{"topic":"t","partition":0,'
        '"current_offset":5,"log_end_offset":9}]}'
    ),
    "markdown": (
        "Wed Jul  1 10:00:00 2026\n\n| Group | Topic | Partition | Current offset | End offset |"
        "\n|---|---|---|---|---|\n| g | t | 0 | 5 | 9 |\n"
    ),
}


def snapshot(tmp_path, capsys, text, *options) -> dict:
    (tmp_path / "input").write_text(text)
    assert main(["snapshot", str(tmp_path / "input"), *options]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("text", INPUTS.values(), ids=INPUTS)
def test_a_time_without_a_zone_is_utc_and_assumed_unless_the_zone_is_named(text, tmp_path, capsys):
    assumed = snapshot(tmp_path, capsys, text)
    named = snapshot(tmp_path, capsys, text, "--zone", "Europe/Berlin")

    # Summer time in Berlin is two hours ahead of UTC.
    assert assumed["taken_at"] == "2026-07-01T10:00:00Z"
    assert "taken_at" in assumed["assumed"]
    assert named["taken_at"] == "2026-07-01T08:00:00Z"
    assert "taken_at" not in named["assumed"]


@pytest.mark.parametrize(
    ("written", "taken_at"),
    [("CEST ", "2026-07-01T08:00:00Z"), ("UTC ", "2026-07-01T10:00:00Z")]
    # EST is no name of Berlin's times.
    + [("EST ", "2026-07-01T10:00:00Z")],
)
def test_a_named_zone_reads_only_lines_with_no_other_zone(written, taken_at, tmp_path, capsys):
    text = INPUTS["markdown"].replace("10:00:00 ", f"10:00:00 {written}", 1)

    named = snapshot(tmp_path, capsys, text, "--zone", "Europe/Berlin")

    assert named["taken_at"] == taken_at


@pytest.mark.parametrize("command", ["snapshot", "compare", "diagnose"])
def test_an_unknown_zone_is_refused(command, tmp_path, capsys):
    (tmp_path / "input").write_text(INPUTS["csv"])

    assert main([command, str(tmp_path / "input"), "--zone", "Mars"]) == 2
    assert 'zone: found "Mars", expected a name such as Europe/Berlin' in capsys.readouterr().err
