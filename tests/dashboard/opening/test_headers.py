"""What the box makes of headers that it knows, half knows or does not know."""

import hashlib
from contextlib import nullcontext

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.lake import store
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline import uploads
from tests.dashboard.pasted import HEADER, PAYMENTS


def test_a_header_of_other_tools_is_known_by_its_synonyms(page):
    page.paste("Kafka Topic,Part.,Lag,Owner\norders,0,5,a\norders,1,9,b\n")

    page.open("compare")
    assert page.kpis["Lag"] == "14"


def test_kafkas_own_header_between_commas_is_read_as_a_table(page):
    page.paste(HEADER.replace(" ", ",") + PAYMENTS.replace(" ", ","))

    page.open("compare")
    assert page.kpis["Lag"] == "130"


def test_a_header_that_is_not_fully_known_asks_which_column_is_what(page):
    page.paste("stream,shard,holder,backlog\norders,0,a,5\norders,1,b,9\n")

    page.app.selectbox(key="map-topic").set_value("stream")
    page.app.selectbox(key="map-partition").set_value("shard")
    page.app.selectbox(key="map-member_id").set_value("holder")
    page.app.selectbox(key="map-listed_lag").set_value("backlog")
    next(
        button for button in page.app.button if button.label == "Read with these columns"
    ).click().run()

    page.open("compare")
    assert page.kpis["Lag"] == "14"
    assert page.kpis["Members"] == "2"


ODD = (
    "Consumer Grp;Kafka Topic;Part.;Where we"
    " are;Head;Behind;Who\npayments;orders;0;10;110;100;pay-a\npayments;orders;1;10;40;30;pay-b\n"
)


def test_columns_that_stay_open_are_not_used_and_are_named_by_the_files_own_header(page):
    page.paste(ODD)
    assert page.app.dataframe[0].value.columns.tolist() == [
        "Consumer Grp",
        "Kafka Topic",
        "Part.",
        "Where we are",
        "Head",
        "Behind",
        "Who",
    ]
    assert [
        page.app.selectbox(key=f"map-{column}").value
        for column in ("group_id", "committed_offset", "end_offset", "listed_lag")
    ] == [
        "Consumer Grp",
        "Where we are",
        "Head",
        "Behind",
    ]
    for column in ("group_id", "committed_offset", "end_offset"):
        page.app.selectbox(key=f"map-{column}").set_value("–")

    next(
        button for button in page.app.button if button.label == "Read with these columns"
    ).click().run()

    assert [toast.value.replace("\\", "") for toast in page.app.toast] == [
        "pasted text: not used: Consumer Grp, Where we are, Head"
    ]
    assert page.open("compare").kpis["Lag"] == "130"


def test_a_file_has_one_sha256_whether_its_columns_are_named_on_the_page_or_by_the_command(
    page, lake, tmp_path, monkeypatch
):
    monkeypatch.setattr(
        "evenkeel.data.pipeline.session.session", lambda *_: uploads._SPARK.session()
    )
    monkeypatch.setattr("evenkeel.data.pipeline.session.stopped_after", nullcontext)
    page.paste(ODD)
    page.app.selectbox(key="map-listed_lag").set_value("Behind")
    page.app.selectbox(key="map-member_id").set_value("Who")
    next(
        button for button in page.app.button if button.label == "Read with these columns"
    ).click().run()
    (tmp_path / "odd.csv").write_text(ODD)

    code = main(
        [
            "ingest",
            str(tmp_path / "odd.csv"),
            "--out",
            str(lake),
            "--columns",
            "lag=Behind,member_id=Who",
        ]
    )

    on_page, by_command = (
        store.batch(place_of(lake), page.address["opened"]),
        store.batches(place_of(lake))[0],
    )
    assert code == 0
    assert [source.sha256 for batch in (on_page, by_command) for source in batch.sources] == [
        hashlib.sha256(ODD.encode()).hexdigest()
    ] * 2
    assert (
        store.table(place_of(lake), on_page.batch, "LAG")["lag"].to_pylist()
        == store.table(place_of(lake), by_command.batch, "LAG")["lag"].to_pylist()
        == [100, 30]
    )


def test_guesses_are_named_for_a_person_and_read_once_they_are_confirmed(page):
    page.paste(ODD)
    guesses = (
        "Consumer Grp is group, Where we are is committed offset, Head is end offset, Behind is lag"
        " and Who is member id"
    )
    assert f"Guessed, please check: {guesses}." in page.app.caption[-1].value
    assert "Lag" not in page.kpis

    next(
        button for button in page.app.button if button.label == "Read with these columns"
    ).click().run()

    page.open("compare")
    assert (page.kpis["Lag"], page.kpis["Members"]) == ("130", "2")


def test_topic_and_partition_alone_are_enough(page):
    page.paste(ODD)
    for column in ("group_id", "committed_offset", "end_offset", "listed_lag", "member_id"):
        page.app.selectbox(key=f"map-{column}").set_value("–")

    next(
        button for button in page.app.button if button.label == "Read with these columns"
    ).click().run()

    page.open("start")
    assert not page.errors
    assert page.kpis | {"Groups": "1"} == {
        "Lines": "3",
        "Rows": "2",
        "Notes": "1",
        "Rejected": "0",
        "Groups": "1",
    }
    next(control for control in page.app.segmented_control if control.label == "Lines").set_value(
        "Notes"
    ).run()
    assert page.app.dataframe[0].value["Reason"].tolist() == [
        "header; not used: 'Consumer Grp', 'Where we are', 'Head', 'Behind' and 'Who'"
    ]


def test_a_mapping_without_topic_and_partition_is_refused(page):
    page.paste("river,slice\norders,0\n")

    next(
        button for button in page.app.button if button.label == "Read with these columns"
    ).click().run()

    assert page.errors == ["pasted text: no column for topic and partition, expected one for each"]


def test_a_column_chosen_for_two_meanings_is_refused_and_names_both(page):
    page.paste("stream,shard,holder\norders,0,a\n")
    page.app.selectbox(key="map-topic").set_value("stream")
    page.app.selectbox(key="map-partition").set_value("shard")
    page.app.selectbox(key="map-member_id").set_value("holder")
    page.app.selectbox(key="map-client_id").set_value("holder")

    next(
        button for button in page.app.button if button.label == "Read with these columns"
    ).click().run()

    assert len(page.errors) == 1
    assert page.errors[0].startswith("pasted text: 'holder' is chosen for ")
    assert "member id" in page.errors[0]
    assert "client id" in page.errors[0]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("starting", "Spark is starting"),
        ("missing: a JDK 17", "This listing is too large to read without Spark. Missing: a JDK 17"),
        ("ready", "Recognised by content"),
    ],
)
def test_where_spark_reads_one_quiet_line_says_whether_a_listing_can_be_read(
    page, tmp_path, monkeypatch, state, words
):
    (tmp_path / "evenkeel.toml").write_text('[limits]\nwithout_spark = "0 MB"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    monkeypatch.setattr(uploads, "spark_state", lambda: state)

    page.open()

    assert words in page.html


def test_where_no_spark_is_needed_the_page_says_nothing_of_it_and_starts_none(page, monkeypatch):
    monkeypatch.setattr(uploads, "start_spark", lambda: pytest.fail("Spark was started"))

    page.paste(
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\ng t 0"
        " 1 4 3 a /10.0.0.1 c\n"
    )

    page.open("compare")
    assert page.kpis["Lag"] == "3"
    assert "Spark" not in page.html


def test_numbers_that_can_be_read_in_several_ways_are_asked_for(page):
    page.paste("topic;partition;lag;member\norders;0;1.000;a\norders;1;2.000;b\n")
    assert "How are numbers written?" in page.html

    page.app.selectbox(key="number-style").set_value("1.234,00")
    next(
        button for button in page.app.button if button.label == "Read with these numbers"
    ).click().run()

    page.open("compare")
    assert page.kpis["Lag"] == "3,000"


def test_numbers_of_a_spreadsheet_with_one_meaning_are_read_unasked(page):
    page.paste('topic,partition,lag,member\norders,0,"31,939",a\norders,1,"2,000",b\n')

    page.open("compare")
    assert page.kpis["Lag"] == "33.9\u202fk"


def test_a_number_that_is_none_is_said_to_be_the_reason(page):
    page.paste("topic;partition;lag;member\norders;0;12a;a\n")

    assert [info.value.replace("\\", "").split(" from")[0] for info in page.app.info] == [
        "Number not understood, line 2: lag is '12a', expected a whole number"
    ]


def _press(page, label):
    next(button for button in page.app.button if button.label == label).click().run()


@pytest.mark.parametrize(
    "text",
    [
        "| Partition | LogSize | Consumer Offset | Lag |\n|---|---|---|---|\n"
        "| 0 | 110 | 10 | 100 |\n| 1 | 40 | 10 | 30 |\n",
        "Partition\tLogSize\tConsumer Offset\tLag\tConsumer Instance Owner\n"
        "0\t110\t10\t100\ta\n1\t40\t10\t30\tNone\n",
        "partition,offset,log end,lag,shelf\n0,10,110,100,a\n1,10,40,30,b\n",
    ],
    ids=["Markdown", "a page of CMAK", "CSV with another unknown column"],
)
def test_a_table_that_names_no_topic_asks_for_it(page, text):
    page.paste(text)
    assert "Lag" not in page.kpis
    _press(page, "Read with this topic")
    assert any("the topic is missing, expected its name" in error.value for error in page.app.error)

    page.app.text_input(key="topic-name").set_value("orders")
    _press(page, "Read with this topic")

    page.open("compare")
    assert page.kpis["Lag"] == "130"


def test_the_topic_of_one_paste_is_not_that_of_the_next(page):
    text = "partition,offset,log end,lag\n0,10,110,100\n"
    page.paste(text)
    page.app.text_input(key="topic-name").set_value("orders")
    _press(page, "Read with this topic")

    page.paste(text)

    assert page.app.text_input(key="topic-name").value == ""
