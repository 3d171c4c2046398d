import json

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.data.commands.main import main
from tests.generated.small_documents import document

BEHIND = (
    "Both members that read t0 are behind, 50.0 k to 160 k each, 210 k in all: 2 members for 3"
    " partitions."
)
HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"


@pytest.fixture
def lag_aware(tmp_path):
    """KAFKA-5337's example as range has assigned it."""
    written = document(
        {"t0": [{"lag": 100_000}, {"lag": 60_000}, {"lag": 50_000}]}, C0="t0", C1="t0"
    ) | {"group_id": "lag-aware"}
    written["members"][0]["owned"], written["members"][1]["owned"] = {"t0": [0, 1]}, {"t0": [2]}
    path = tmp_path / "group.json"
    path.write_text(json.dumps(written))
    return str(path)


@pytest.fixture
def two_groups(tmp_path):
    path = tmp_path / "listing.txt"
    path.write_text("\n".join([HEADER, "g t 0 5 9 4 m /h c", "other t 0 5 9 4 m /h c", ""]))
    return str(path)


def test_json_has_one_row_for_the_current_assignment_and_each_assignor(lag_aware, capsys):
    assert main(["compare", lag_aware, "--json", "--assignor", "range", "lag"]) == 0

    compared = json.loads(capsys.readouterr().out)
    diagnosis = compared.pop("diagnosis")
    assert (diagnosis["schema"], diagnosis["headline"]) == ("evenkeel.diagnosis/1", "behind")
    assert diagnosis["findings"][0]["text"] == BEHIND
    assert compared == {
        "group_id": "lag-aware",
        "advice": {
            "worth_it": False,
            "assignor": None,
            "reason": "behind",
            "gain": 0,
            "price": None,
            "text": BEHIND,
        },
        "notes": [],
        "growth": None,
        "rows": [
            row("current", 160_000, 0.5238095238095238, 1.5238095238095237, 0, 0)
            | {"rounds": None, "paused_partitions": None, "never_ends": None},
            row("range", 160_000, 0.5238095238095238, 1.5238095238095237, 0, 0),
            row("lag", 110_000, 0.047619047619047616, 1.0476190476190477, 1, 60_000)
            | {
                "remarks": [
                    "not in Kafka: a jar of your own for Java, the package evenkeel-assignors for"
                    " kafka-python and aiokafka (KAFKA-5337)"
                ]
            },
        ],
    }


def row(
    assignor: str,
    max_lag: int,
    lag_cv: float,
    max_lag_share: float,
    moved_partitions: int,
    moved_lag: int,
) -> dict:
    return {
        "assignor": assignor,
        "max_partitions": 2,
        "min_partitions": 1,
        "max_lag": max_lag,
        "mean_lag": 105_000.0,
        "total_lag": 210_000,
        "unread_lag": 0,
        "lag_cv": lag_cv,
        "max_lag_share": max_lag_share,
        "idle_members": 0,
        "moved_partitions": moved_partitions,
        "moved_lag": moved_lag,
        "unknown_lag_partitions": 0,
        "paused_partitions": 3,
        "rounds": 1,
        "never_ends": False,
        "in_use": None,
        "quirks": [],
        "remarks": [],
        "assumed": [],
        "error": None,
    }


def test_people_get_an_aligned_table_with_thousands(lag_aware, capsys):
    assert main(["compare", lag_aware, "--assignor", "lag"]) == 0

    assert (
        capsys.readouterr().out
        == f"{BEHIND}\nRead again in a minute. If it is still so, add members, up to 3, or make"
        " reading faster.\nlag-aware · members 2 ·"
        " topics 1 · partitions 3\n\nassignor  max partitions  min  max lag     mean    total  "
        "  CV  max ÷ mean  idle  moved  lag moved  paused  rounds\ncurrent                2   "
        " 1  160,000  105,000  210,000  0.52        1.52     0      0          0       –      "
        " –\nlag                    2    1  110,000  105,000  210,000  0.05        1.05     0  "
        "    1     60,000       3       1\n\nlag: not in Kafka: a jar of your own for Java, the"
        " package evenkeel-assignors for kafka-python and aiokafka (KAFKA-5337)\n"
    )


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--fail-if", "max_lag_share > 1.3"], 1),
        (["--fail-if", "max_lag_share>1.6"], 0),
        (["--assignor", "lag", "--fail-if", "max_lag_share > 1.3"], 0),
        (["--assignor", "lag", "range", "--fail-if", "max_lag_share > 1.3"], 1),
        (["--fail-if", "max_lag == 160000"], 1),
        (["--fail-if", "max_lag != 160000"], 0),
        (["--fail-if", "idle_members <= 0"], 1),
        (["--fail-if", "moved_lag < -1"], 0),
        (["--fail-if", "total_lag >= 2.1e5"], 1),
    ],
)
def test_a_condition_that_holds_for_the_named_assignors_or_else_for_current_fails(
    lag_aware, options, code
):
    assert main(["compare", lag_aware, *options]) == code


def test_the_condition_is_repeated_as_it_was_written_with_the_figure(lag_aware, capsys):
    assert (
        main(["compare", lag_aware, "--assignor", "lag", "--fail-if", "max_lag > 109999.9999"]) == 1
    )

    assert (
        capsys.readouterr().err
        == "evenkeel compare: max_lag > 109999.9999 holds for lag: max_lag is 110,000\n"
    )
    assert (
        main(["compare", lag_aware, "--assignor", "lag", "range", "--fail-if", "max_lag_share > 1"])
        == 1
    )
    assert capsys.readouterr().err == (
        "evenkeel compare: max_lag_share > 1 holds for lag: max_lag_share is 1.05\n"
        "evenkeel compare: max_lag_share > 1 holds for range: max_lag_share is 1.52\n"
    )


def test_a_condition_on_a_figure_that_is_not_known_ends_with_2_and_says_so(tmp_path, capsys):
    path = tmp_path / "group.json"
    path.write_text(json.dumps(document({"t": 2})))

    assert (
        main(
            ["compare", str(path), "--assignor", "roundrobin", "range", "--fail-if", "max_lag >= 0"]
        )
        == 2
    )
    assert (
        capsys.readouterr().err
        == "evenkeel compare: max_lag of roundrobin, range is unknown: max_lag >= 0 cannot be"
        " judged\n"
    )


@pytest.mark.parametrize("figure", ["max_lag_share", "lag_cv"])
def test_a_group_that_has_no_lag_passes_a_condition_on_the_ratio_of_lag(tmp_path, capsys, figure):
    path = tmp_path / "idle.txt"
    path.write_text(
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\ng t 0"
        " 5 5 0 a-1 /h a\n"
    )

    assert main(["compare", str(path), "--fail-if", f"{figure} > 1.3"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "expression",
    [
        "max_lag",
        "max_lag > ",
        "best > 1",
        "max_lag => 1",
        "max_lag > x",
        "max_lag > nan",
        "__import__('os') > 1",
        "max_lag > 1 or 1 > 0",
    ],
)
def test_what_is_no_condition_is_a_wrong_call(lag_aware, expression, capsys):
    with pytest.raises(SystemExit) as end:
        main(["compare", lag_aware, "--fail-if", expression])

    assert end.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_several_groups_and_no_choice_is_an_error_that_lists_them(two_groups, capsys):
    assert main(["compare", two_groups]) == 2

    assert (
        capsys.readouterr().err
        == "evenkeel compare: 2 groups, expected one; choose with --group: g, other\n"
    )


def test_a_group_is_chosen_by_name(two_groups, capsys):
    assert main(["compare", two_groups, "--group", "other", "--json"]) == 0

    assert json.loads(capsys.readouterr().out)["group_id"] == "other"


def test_a_group_that_is_not_there_is_an_error_that_names_those_that_are(two_groups, capsys):
    assert main(["compare", two_groups, "--group", "nope"]) == 2

    assert (
        capsys.readouterr().err
        == f'evenkeel compare: no group "nope" in {two_groups}, found g, other\n'
    )


def test_topics_alone_are_told_as_a_group_without_a_name(tmp_path, capsys):
    path = tmp_path / "topics.txt"
    path.write_text(
        "Topic: t\tTopicId: LkLS-N4OSSK11RYzgIc1Eg\tPartitionCount: 2\tReplicationFactor:"
        " 1\tConfigs: \n"
    )

    assert main(["compare", str(path), "--group", "b"]) == 2

    assert capsys.readouterr().err.endswith(f'no group "b" in {path}, found one without a name\n')


@pytest.mark.parametrize(
    "arguments",
    [
        ["--assignor", "range", "PATH"],
        ["--assignor", "range", "--assignor", "lag", "--", "PATH"],
        ["PATH", "--assignor", "range", "lag"],
    ],
)
def test_files_may_stand_behind_the_options(lag_aware, arguments):
    assert main(["compare", *(lag_aware if word == "PATH" else word for word in arguments)]) == 0


def test_an_unknown_assignor_is_named_with_those_that_are_known(lag_aware, capsys):
    assert main(["compare", lag_aware, "--assignor", "best"]) == 2

    assert capsys.readouterr().err.startswith(
        'evenkeel compare: --assignor: found "best", expected one of range, roundrobin, '
    )


def test_rejected_lines_are_told_and_the_rest_is_compared(tmp_path, capsys):
    path = tmp_path / "listing.txt"
    path.write_text("\n".join([HEADER, "g t 0 5 9 4 m /h c", "g t x 5 9 4 m /h c", ""]))

    assert main(["compare", str(path)]) == 0

    assert capsys.readouterr().err.startswith(
        f"evenkeel: 1 of 3 lines rejected, the first: {path} line 3: "
    )


def test_help_lists_the_exit_codes(capsys):
    with pytest.raises(SystemExit):
        main(["compare", "--help"])

    said = capsys.readouterr().out
    assert (
        "  0  done, even if lines are rejected\n  1  the condition of --fail-if holds\n  2  a wrong"
        " call, nothing readable, or a --fail-if whose result depends on unknown values\n" in said
    )


def test_help_names_the_columns_whose_figures_have_another_name_and_repeats_no_option(capsys):
    with pytest.raises(SystemExit):
        main(["compare", "--help"])

    said = capsys.readouterr().out
    assert 'max_lag_share is the worst member\'s lag ÷ the mean ("max ÷ mean" in the table)' in said
    assert "≥ 2,245" in said
    assert "≈ 1.43" in said
    assert "--assignor lag range" in said
    assert not any(line.count("--assignor") > 1 for line in said.splitlines())


def test_names_that_move_the_cursor_are_written_out(tmp_path, capsys):
    path = tmp_path / "group.json"
    path.write_text(json.dumps(document({"t": 1}, A="t") | {"group_id": "\x1b[2J\n=cmd()"}))

    main(["compare", str(path)])

    first, _, about, *_ = capsys.readouterr().out.splitlines()
    assert first == "No lag of \\x1b[2J\\n=cmd() is known: the reading has no offsets."
    assert about.startswith("\\x1b[2J\\n=cmd() · members 1")


@pytest.mark.parametrize(
    ("group_type", "served"),
    [("classic", ("classic", "consumer")), ("share", ("share",))],
)
def test_without_a_choice_the_assignors_that_can_serve_the_group_are_compared(
    tmp_path, group_type, served, capsys
):
    path = tmp_path / "group.json"
    path.write_text(json.dumps(document({"t": 2}, A="t") | {"type": group_type}))

    main(["compare", str(path), "--json"])

    expected = [
        name
        for name, assignor in ASSIGNORS.items()
        if assignor.group_type in served and not assignor.serves_own_type_only
    ]
    assert [row["assignor"] for row in json.loads(capsys.readouterr().out)["rows"]] == [
        "current",
        *expected,
    ]


def test_a_printed_lag_that_its_offsets_refute_is_a_note_and_the_offsets_count(tmp_path, capsys):
    # Partition 0: 100 - 90 = 10, printed 25; 1: as printed; 2: a lag of -1 is none.
    rows = ["group,topic,partition,current_offset,log_end_offset,lag"]
    rows += ["g,t,0,90,100,25", "g,t,1,5,9,4", "g,t,2,7,8,-1"]
    path = tmp_path / "listing.csv"
    path.write_text("\n".join([*rows, ""]))

    assert main(["compare", str(path), "--json"]) == 0

    compared = json.loads(capsys.readouterr().out)
    note = compared["notes"][0]
    assert (note["code"], note["count"], note["lines"]) == ("lag_differs", 1, [2])
    assert "15 records apart" in note["text"]
    assert compared["rows"][0]["total_lag"] == 15
