"""The library says what the command line says: the same numbers, words and refusals."""

import inspect
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import evenkeel
from evenkeel.data.commands.main import main
from evenkeel.data.scenarios.application_edits import APPLICATION_EDITS
from evenkeel.data.scenarios.edits import EDITS

SAMPLES = sorted(Path("data/sources/examples/samples").glob("*.*"))
OF_APPLICATIONS = [path for path in SAMPLES if path.stem in ("kip-441", "orders-enrich")]
OF_GROUPS = [
    path
    for path in SAMPLES
    if path.stem not in ("README", "payments-coordinator") and path not in OF_APPLICATIONS
]

LISTING = """\
GROUP     TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG     CONSUMER-ID     HOST         CLIENT-ID
payments  orders  0          1000            101000          100000  pay-a-0f3c1e52  /10.4.1.17   pay-a
payments  orders  1          1000            61000           60000   pay-a-0f3c1e52  /10.4.1.17   pay-a
payments  orders  2          1000            51000           50000   pay-b-7ac2d9b1  /10.4.1.18   pay-b
"""  # noqa: E501
BEHIND = (
    "Both members that read orders are behind, 50.0 k to 160 k each, 210 k in all: 2 members for 3"
    " partitions."
)


@pytest.fixture(scope="module")
def payments():
    return evenkeel.read(LISTING).group("payments")


def printed(capsys, *arguments):
    assert main(list(map(str, arguments))) == 0
    return capsys.readouterr().out


def test_the_diagnosis_of_the_listing_of_the_readme_is_also_its_advice(payments):
    table = payments.compare()

    assert table.diagnosis.sentence == str(table.advice) == BEHIND
    assert table.diagnosis.headline == table.advice.reason == "behind"
    assert (table.advice.worth_it, table.advice.assignor, table.advice.gain) == (False, None, 0)


def test_a_later_step_has_no_diagnosis(payments):
    table = payments.remove_members("pay-b-7ac2d9b1").compare("range")

    assert table.diagnosis is None
    assert table.to_dict()["diagnosis"] is None


def test_what_lag_moves_of_the_listing_of_the_readme(payments):
    answer = payments.compare()["lag"]

    assert answer.moves().to_dicts() == [
        {
            "topic": "orders",
            "partition": 1,
            "from_member": "pay-a-0f3c1e52",
            "to_member": "pay-b-7ac2d9b1",
            "lag": 60_000,
        }
    ]
    assert answer.assignment() == {
        "pay-a-0f3c1e52": {"orders": [0]},
        "pay-b-7ac2d9b1": {"orders": [1, 2]},
    }
    assert [(row["partition"], row["member_id"], row["lag"]) for row in answer.owners()] == [
        (0, "pay-a-0f3c1e52", 100_000),
        (1, "pay-b-7ac2d9b1", 60_000),
        (2, "pay-b-7ac2d9b1", 50_000),
    ]
    assert answer["max_lag"] == 110_000


@pytest.mark.parametrize("path", OF_GROUPS, ids=lambda path: path.stem)
def test_a_comparison_is_that_of_the_command_line(path, capsys):
    table = evenkeel.read(path).group().compare()

    assert json.loads(table.to_json()) == json.loads(printed(capsys, "compare", path, "--json"))
    assert f"{table}\n" == printed(capsys, "compare", path)


@pytest.mark.parametrize("path", OF_APPLICATIONS, ids=lambda path: path.stem)
def test_a_comparison_of_an_application_is_that_of_the_command_line(path, capsys):
    table = evenkeel.application(path).compare()

    assert json.loads(table.to_json()) == json.loads(printed(capsys, "compare", path, "--json"))
    assert f"{table}\n" == printed(capsys, "compare", path)
    assert table.advice is None


def test_a_scenario_is_answered_as_by_the_command_line(payments, tmp_path, capsys):
    asked = (
        payments.remove_members("pay-b")
        .add_members(2)
        .then("later")
        .set_partition_count("orders", 6)
    )
    (tmp_path / "scenario.json").write_text(asked.scenario("what if").to_json())

    table = asked.compare()

    assert json.loads(table.to_json()) == json.loads(
        printed(capsys, "compare", tmp_path / "scenario.json", "--json")
    )
    lines = printed(capsys, "replay", tmp_path / "scenario.json").splitlines()
    assert json.loads(json.dumps(asked.scenario().replay())) == [json.loads(line) for line in lines]
    again = evenkeel.read(tmp_path / "scenario.json").group()
    assert again.compare().to_dict() == table.to_dict()
    assert again.scenario().content_hash == asked.scenario().content_hash


def test_a_scenario_without_steps_is_answered_with_its_settings_as_by_the_command_line(
    payments, tmp_path, capsys
):
    document = payments.scenario().to_dict() | {
        "settings": {"assignors": ["lag", "range"], "kafka_version": "3.9.0"}
    }
    (tmp_path / "scenario.json").write_text(json.dumps(document))

    table = evenkeel.read(tmp_path).group("payments").compare()

    assert table.assignors == ("current", "lag", "range")
    assert json.loads(table.to_json()) == json.loads(
        printed(capsys, "compare", tmp_path / "scenario.json", "--json")
    )


def test_an_edit_leaves_the_group_as_it_was(payments):
    fewer = payments.remove_members("pay-b")

    assert payments.member_ids == ("pay-a-0f3c1e52", "pay-b-7ac2d9b1")
    assert fewer.member_ids == ("pay-a-0f3c1e52",)
    assert (payments.what, fewer.what) == ([], ["pay-b stops"])
    assert fewer.compare("range")["range"]["moved_partitions"] == 1


def test_members_go_by_id_by_client_id_and_by_several(payments):
    by_id = payments.restart_members("pay-a-0f3c1e52", "pay-b-7ac2d9b1")

    assert (
        by_id.scenario().to_dict()
        == payments.restart_members(["pay-a", "pay-b"]).scenario().to_dict()
    )
    alike = evenkeel.read(LISTING.replace("pay-b\n", "pay-a\n")).group()
    with pytest.raises(
        evenkeel.Error,
        match=(
            '"pay-a" is the name of 2 members, expected one id of pay-a-0f3c1e52 and pay-b-7ac2d9b1'
        ),
    ):
        alike.remove_members("pay-a")


def test_new_members_are_like_the_first_where_all_subscribe_alike():
    alike = evenkeel.group({"t": 2, "u": 2}, {"a": ["t"], "b": ["t"]})
    other = evenkeel.group({"t": 2, "u": 2}, {"a": ["t"], "b": ["u"]})

    assert len(alike.add_members(1).member_ids) == 3
    with pytest.raises(evenkeel.Error, match="like: missing, expected a member to be like"):
        other.add_members(1)
    assert len(other.add_members(np.int64(2), like="b").member_ids) == 4


@pytest.mark.parametrize(
    ("made", "edits"), [(evenkeel.Group, EDITS), (evenkeel.Application, APPLICATION_EDITS)]
)
def test_every_edit_of_what_if_is_a_method_with_its_arguments_and_its_words(made, edits):
    for op, edit in edits.items():
        taken = set(inspect.signature(getattr(made, op)).parameters) - {"self"}
        assert taken == set(edit.__struct_fields__) - {"off"}
        assert inspect.getdoc(edit) in getattr(made, op).__doc__


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (
            lambda group: group.add_members(1, subscribed=["u"], client_id="new", rack="r"),
            "1 member joins, on u, in rack r",
        ),
        (lambda group: group.remove_members("a"), "a stops"),
        (
            lambda group: group.restart_members("a", "b", together=True),
            "a and b restart, in one rebalance",
        ),
        (lambda group: group.set_subscription("b", topics=["t"]), "b subscribes to t"),
        (lambda group: group.set_rack("a", "b", rack="r"), "a and b in rack r"),
        (lambda group: group.set_instance_id("a", "one"), "a becomes static, one"),
        (lambda group: group.set_partition_count("t", 5), "t grows to 5 partitions"),
        (lambda group: group.add_topic("v", 2), "v appears with 2 partitions"),
        (lambda group: group.remove_topic("u"), "u is deleted"),
        (lambda group: group.set_lag("t", 0, 9), "t-0 lags 9 records"),
        (lambda group: group.scale_lag("t", 2), "lag of t × 2"),
        (lambda group: group.advance(60, in_rate={"*": 1}, capacity={"*": 2}), "1 minute passes"),
    ],
)
def test_every_edit_is_said_in_words_and_answered(edit, said):
    group = evenkeel.group(
        {"t": 3, "u": 1},
        {"a": ["t"], "b": ["t", "u"]},
        {"a": {"t": [0, 1]}, "b": {"t": [2], "u": [0]}},
        {("t", 0): 5},
    )

    edited = edit(group)

    assert edited.what == [said]
    assert edited.compare("sticky")["sticky"].error is None


def test_a_partition_of_a_share_group_has_a_row_for_each_member_that_reads_it():
    group = evenkeel.group({"t": 2}, ["a", "b", "c", "d"], type="share", lag={"t": [3, None]})

    rows = group.compare("simple")["simple"].owners().to_dicts()

    assert [(row["partition"], row["lag"]) for row in rows] == [
        (0, 3),
        (0, 3),
        (1, None),
        (1, None),
    ]
    assert sorted(row["member_id"] for row in rows) == ["a", "b", "c", "d"]


def test_an_edited_application_is_answered_as_its_scenario_by_the_command_line(tmp_path, capsys):
    application = evenkeel.application(OF_APPLICATIONS[0])
    edited = (
        application.add_processes(application.process_ids[0], count=2)
        .then()
        .set_settings({"max.warmup.replicas": 4})
        .advance(60)
    )
    (tmp_path / "scenario.json").write_text(edited.scenario().to_json())

    assert json.loads(edited.compare().to_json()) == json.loads(
        printed(capsys, "compare", tmp_path / "scenario.json", "--json")
    )
    assert application.what == []
    assert edited.what[1] == "max.warmup.replicas = 4, 1 minute passes"


def test_plain_values_make_a_group_whose_other_lags_are_unknown():
    members, owned = {"a": ["orders"], "b": ["orders"]}, {"a": {"orders": [0, 1]}}
    group = evenkeel.group({"orders": 3}, members, owned, {("orders", 0): 500})

    assert [(row["member_id"], row["lag"]) for row in group.partitions()] == [
        ("a", 500),
        ("a", None),
        (None, None),
    ]
    of_numpy = evenkeel.group(
        {"orders": np.int32(3)},
        members,
        owned,
        {("orders", np.int64(0)): np.int64(500), ("orders", 1): np.nan},
    )
    assert of_numpy.to_dict() == group.to_dict()
    frame = group.partitions().to_pandas()
    assert str(frame["lag"].dtype) == "Int64"
    assert frame["lag"].isna().tolist() == [False, True, True]
    assert group.compare("range").to_pandas()["max_lag"].tolist() == [500, 500]
    assert group.lag == 500


def test_what_is_unknown_is_missing_in_a_frame_and_never_0():
    frame = evenkeel.group({"orders": 2}, ["a"]).compare("range").to_pandas()

    assert frame["max_lag"].isna().all()
    assert frame["moved_partitions"].isna().all()
    assert {str(frame[name].dtype) for name in ("max_lag", "moved_partitions", "rounds")} == {
        "Int64"
    }


@pytest.mark.parametrize(
    "source",
    [
        lambda frame: frame,
        lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
        lambda frame: frame.set_index(["Consumer Group", "Topic"]),
        lambda frame: frame.astype({"Topic": "category"}),
        lambda frame: frame.to_csv(index=False),
        lambda frame: frame.to_csv(index=False).encode(),
        lambda frame: io.StringIO(frame.to_csv(index=False, sep=";")),
    ],
    ids=["pandas", "Arrow", "index", "category", "text", "bytes", "file"],
)
def test_a_frame_is_read_as_the_csv_of_the_same_rows(source):
    frame = pd.DataFrame(
        {
            "Consumer Group": ["g", "g"],
            "Topic": ["t", "t"],
            "Partition": [0, 1],
            "Lag": pd.array([2**53 + 1, None], dtype="Int64"),
            "Member": ["a", "b"],
        }
    )

    found = evenkeel.read(source(frame), columns={"member_id": "Member"}).group("g")

    assert [(row["partition"], row["lag"], row["member_id"]) for row in found.partitions()] == [
        (0, 2**53 + 1, "a"),
        (1, None, "b"),
    ]


def test_floats_of_pandas_are_whole_numbers_where_a_value_is_missing():
    frame = pd.DataFrame({"topic": ["t", "t"], "partition": [0, 1], "lag": [31939.0, float("nan")]})

    assert [row["lag"] for row in evenkeel.read(frame).group().partitions()] == [31_939, None]


def test_a_group_document_is_read_as_a_dictionary_and_written_again(payments):
    again = evenkeel.read(payments.to_dict()).group("payments")

    assert again.to_json() == payments.to_json()
    assert again.compare().to_dict() == payments.compare().to_dict()


def test_a_name_also_names_the_group_of_a_listing_that_names_none():
    text = (
        "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\norders 0 1 3"
        " 2 a /h a\n"
    )

    assert evenkeel.read(text).group("payments").name == "payments"
    assert evenkeel.read(text).groups == (None,)


def test_lines_that_are_not_read_are_a_warning_and_rows_of_rejected():
    with pytest.warns(UserWarning, match="1 of 3 lines rejected, the first: text line 3: "):
        found = evenkeel.read("topic,partition,lag\nt,0,7\nt,one,7\n")

    assert [(row["source_line"], row["text"]) for row in found.rejected] == [(3, "t,one,7")]


def test_a_notebook_shows_the_table_of_the_page_with_names_escaped(payments):
    html = payments.compare()._repr_html_()

    assert BEHIND in html
    assert html.count("<tr>") == 2 + len(payments.compare())
    assert "<script" not in evenkeel.group({"<script>": 1}, ["<script>"]).compare()._repr_html_()
    assert "<script" not in evenkeel.group({"<script>": 1}, ["<script>"])._repr_html_()
    assert "roundrobin" in payments.add_members(2).compare()._repr_html_()


def test_a_notebook_shows_an_application_and_a_group_without_members_too():
    assert "records to restore" in evenkeel.application(OF_APPLICATIONS[0]).compare()._repr_html_()
    assert "nothing to compare" in evenkeel.group({"t": 1}, []).compare()._repr_html_()


def test_the_rounds_of_an_application_end_balanced():
    rows = evenkeel.application(OF_APPLICATIONS[0]).rounds("high-availability").to_dicts()

    assert [row["round"] for row in rows] == list(range(1, len(rows) + 1))
    assert [row["is_balanced"] for row in rows] == [False] * (len(rows) - 1) + [True]


def test_settings_choose_whose_code_answers(payments):
    assert (
        payments.with_settings(client="kafkajs")
        .compare("sticky")["sticky"]
        .error.startswith("NotOffered: ")
    )
    with pytest.raises(
        evenkeel.Error,
        match='settings.client: found "kafkajs2", expected one of java, librdkafka, ',
    ):
        payments.with_settings(client="kafkajs2")
