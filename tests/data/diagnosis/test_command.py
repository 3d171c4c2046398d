import json
import subprocess
import sys

import pytest

from evenkeel.data.commands.main import main
from tests.data.diagnosis.listed import LISTINGS, listing

DEAD = str(LISTINGS / "dead.txt")


@pytest.fixture
def cluster(tmp_path):
    file = tmp_path / "cluster.txt"
    file.write_text(listing("cluster"))
    return str(file)


def test_one_group_begins_with_its_sentence_and_goes_on_with_advice_command_evidence_and_remedies(
    capsys,
):
    assert main(["diagnose", DEAD]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("consumer-invoice-3 (10.20.7.109) is stopped or far slower: ")
    assert lines[1] == "Look at 10.20.7.109: alive, in a long poll, or paused?"
    assert (
        lines[2]
        == "  kafka-consumer-groups.sh --bootstrap-server … --describe --group invoice-writer"
        " --members"
    )
    assert lines[3] == "Open. To settle it: a second reading, 60 s later. Lag 454 k."
    assert [line.split("  ")[0] for line in lines[5:]] == [
        "remedy",
        "do nothing",
        "read again",
        "restart",
        "add members",
        "switch roundrobin",
    ]


def test_several_groups_are_a_line_each_the_worst_first_and_healthy_ones_are_counted(
    cluster, capsys
):
    assert main(["diagnose", cluster]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[:-1]] == [
        ["need", "audit"],
        ["need", "crm-sync"],
        ["need", "kyc"],
        ["later", "risk"],
        ["later", "search-indexer"],
        ["later", "clickstream"],
    ]
    assert lines[-1] == "24 groups are fine."


def test_json_has_an_object_a_group_and_a_summary(cluster, capsys):
    assert main(["diagnose", cluster, "--json"]) == 0

    *groups, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert [group["schema"] for group in groups] == ["evenkeel.diagnosis/1"] * 30
    assert summary == {
        "schema": "evenkeel.diagnosis-summary/1",
        "groups": 30,
        "need": 3,
        "recover": 0,
        "later": 3,
        "fine": 24,
        "unknown": 0,
        "ignored": 0,
    }


def test_ignored_findings_are_counted_and_meet_no_condition(cluster, tmp_path, monkeypatch, capsys):
    (tmp_path / "evenkeel.toml").write_text(
        "[findings]\nignore = [\n"
        '  {group = "crm-*", code = "down", until = "2999-01-31"},\n'
        '  {group = "audit", code = "down", until = 2000-01-31},\n'
        '  {group = "kyc", code = "unread"},\n'
        "]\n"
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))

    assert main(["diagnose", cluster, "--fail-if", "down > 1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines[:2]] == ["audit", "kyc"]
    assert lines[-2:] == ["24 groups are fine.", "1 group is ignored."]
    assert main(["diagnose", cluster, "--fail-if", "down == 1"]) == 1


def test_a_setting_with_an_unknown_code_names_the_codes(tmp_path, monkeypatch, capsys):
    (tmp_path / "evenkeel.toml").write_text('[findings]\nignore = [{group = "a", code = "dwon"}]\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))

    assert main(["diagnose", DEAD]) == 2
    assert "findings.ignore" in capsys.readouterr().err


def test_json_of_one_group_has_the_keys_of_the_schema(capsys):
    assert main(["diagnose", DEAD, "--json"]) == 0

    found = json.loads(capsys.readouterr().out)
    (finding,) = found.pop("findings")
    remedies = found.pop("remedies")
    assert found == {
        "schema": "evenkeel.diagnosis/1",
        "cluster": None,
        "group": "invoice-writer",
        "at": None,
        "headline": "silent_member",
        "class": "later",
        "done_by": None,
        "total_lag": 453869,
        "unread_lag": 0,
        "left_lag": 0,
        "unknown_partitions": 0,
        "notes": [],
        "growth": None,
    }
    assert finding["figures"] == {
        "least": 88959,
        "most": 92734,
        "others_most": 12,
        "partitions": 5,
        "others": 15,
        "members": 1,
        "of": 4,
    }
    assert (finding["lag"], finding["short"], finding["settles"]) == (
        453777,
        "Stuck or slow?",
        "a second reading, 60 s later",
    )
    assert remedies[2] == {
        "action": "restart",
        "subject": ["consumer-invoice-3-eeeacbe2-26e8-7555-5790-f82ec1d3fcff"],
        "assignor": None,
        "count": None,
        "worst_lag": None,
        "drain_seconds": None,
        "moves": 5,
        "paused": None,
        "restarts": 1,
        "helps": "unknown",
        "why": "what it can read is unknown",
    }


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("severity >= warning", 1),
        ("critical > 0", 1),
        ("down > 1", 0),
        ("down == 1", 1),
        ("uneven > 0", 0),
        ("severity == ok", 1),
    ],
)
def test_a_condition_holds_if_it_holds_for_any_group(cluster, condition, code, capsys):
    assert main(["diagnose", cluster, "--fail-if", condition]) == code


def test_a_condition_that_unknown_lags_could_meet_ends_with_2(tmp_path, capsys):
    file = tmp_path / "offsets.csv"
    file.write_text("group,topic,partition,committed_offset,end_offset\ng,t,0,10,5010\n")

    assert main(["diagnose", str(file), "--fail-if", "down > 0"]) == 2
    assert "down > 0 cannot be judged: No owner of g is known" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("condition", "code"),
    [("severity >= warning", 2), ("fine > 0", 2), ("down == 0", 2), ("severity >= ok", 1)],
)
def test_a_condition_that_a_lost_row_could_meet_ends_with_2(tmp_path, capsys, condition, code):
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
    file = tmp_path / "a.txt"
    file.write_text(f"{head}\ng t 0 100 110 10 a-1 /h a\ng t 1 100\n")

    assert main(["diagnose", str(file), "--fail-if", condition]) == code


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("dwon > 0", " in place of dwon: did you mean down?"),
        (
            "severity >= wraning",
            'critical in place of "wraning": did you mean warning?',
        ),
        ("down > many", 'expected a number in place of "many"'),
        ("down", "expected FIGURE < <= > >= == != VALUE"),
    ],
)
def test_a_condition_with_a_typing_error_names_the_nearest_figure(condition, told, capsys):
    with pytest.raises(SystemExit) as end:
        main(["diagnose", DEAD, "--fail-if", condition])

    assert end.value.code == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["diagnose", "--json", "--fail-if", "down > 0"], ["compare", "--fail-if", "max_lag > 1"]],
)
def test_a_reader_that_goes_away_does_not_make_a_met_condition_0(arguments, cluster):
    command, *options = arguments
    paths = [cluster] if command == "diagnose" else [DEAD]
    running = subprocess.Popen(
        [sys.executable, "-m", "evenkeel", command, *paths, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    running.stdout.close()

    assert running.wait(60) == 1


def test_a_command_without_a_condition_still_ends_with_0_when_its_reader_goes_away(cluster):
    running = subprocess.Popen(
        [sys.executable, "-m", "evenkeel", "diagnose", cluster, "--json"], stdout=subprocess.PIPE
    )
    running.stdout.close()

    assert running.wait(60) == 0


def test_the_state_of_a_message_is_in_the_document(tmp_path, capsys):
    texts = {"noactive": ("Empty", False), "rebal": ("PreparingRebalance", True)}
    for name, (state, is_assumed) in texts.items():
        assert main(["snapshot", str(LISTINGS / f"{name}.txt")]) == 0
        document = json.loads(capsys.readouterr().out)
        assert (document["state"], "state" in document.get("assumed", [])) == (state, is_assumed)


def test_lines_of_an_earlier_reading_are_counted_as_notes(capsys):
    assert main(["snapshot", str(LISTINGS / "case-30.txt")]) == 0

    document = json.loads(capsys.readouterr().out)
    committed = [
        one["committed_offset"] for topic in document["topics"] for one in topic["partitions"]
    ]
    assert committed == [819704, 6215500, 54331]


def test_an_ignored_group_that_is_asked_for_alone_is_shown_and_meets_no_condition(
    tmp_path, monkeypatch, capsys
):
    (tmp_path / "evenkeel.toml").write_text(
        '[findings]\nignore = [{group = "pay[1]*", code = "down"}]\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
    codes = {}
    for group in ("pay[1]-eu", "pay1-eu"):
        (tmp_path / "a.txt").write_text(f"{head}\n{group} orders 0 10 90010 90000 - - -\n")
        codes[group] = main(["diagnose", str(tmp_path / "a.txt"), "--fail-if", "down > 0"])

    assert codes == {"pay[1]-eu": 0, "pay1-eu": 1}
    assert "pay[1]-eu" in capsys.readouterr().out
