import pytest

from evenkeel.data.sources.separated.header import guessed_places, header_in

KAFKA_UI = "Topic,Partition,Consumer ID,Host,Consumer lag,Current offset,End offset"


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        (
            KAFKA_UI,
            [
                "topic",
                "partition",
                "member_id",
                "host",
                "listed_lag",
                "committed_offset",
                "end_offset",
            ],
        ),
        (
            "GROUP_ID;topic-name;Partition Id;OFFSET;logSize",
            ["group_id", "topic", "partition", "committed_offset", "end_offset"],
        ),
        (
            "consumergroup\ttopic\t#\tconsumer_offset\thighwatermark\tmessages_behind",
            ["group_id", "topic", "partition", "committed_offset", "end_offset", "listed_lag"],
        ),
        (
            "snapshot_ts,consumer_group_id,topic,pid,low_watermark,hwm,client,member_host",
            [
                "taken_at",
                "group_id",
                "topic",
                "partition",
                "begin_offset",
                "end_offset",
                "client_id",
                "host",
            ],
        ),
        (
            (
                "Consumer Group,Lag,Log End Offset,Current"
                " Offset,Consumer,Instance,Client,Topic,Partition"
            ),
            [
                "group_id",
                "listed_lag",
                "end_offset",
                "committed_offset",
                "member_id",
                "instance_id",
                "client_id",
                "topic",
                "partition",
            ],
        ),
    ],
)
def test_columns_are_known_by_their_synonyms(header, columns):
    layout = header_in([header.encode()])

    assert [name for name, _ in sorted(layout.mapping.items(), key=lambda item: item[1])] == columns


@pytest.mark.parametrize(
    ("header", "guesses"),
    [
        (
            "Part #;Topic;Consumer Grp;Committed Pos;Behind;Who",
            {"partition": 0, "group_id": 2, "committed_offset": 3, "listed_lag": 4, "member_id": 5},
        ),
        (
            "Thema;Partitionsnummer;Versatz;Rückstand",
            {"topic": 0, "partition": 1, "committed_offset": 2, "listed_lag": 3},
        ),
        (
            "Konsumentengruppe;Thema;Partition;Verzögerung",
            {"group_id": 0, "topic": 1, "listed_lag": 3},
        ),
        (
            "Sujet,Partition,Décalage,Fin du log,Retard",
            {"topic": 0, "committed_offset": 2, "end_offset": 3, "listed_lag": 4},
        ),
        (
            "TopicName\tPartNo\tCommittedPos\tLatestPos",
            {"partition": 1, "committed_offset": 2, "end_offset": 3},
        ),
        # Between partition and lag, Kafka prints the committed offset and the end offset.
        ("topic,partition,x,y,lag", {"committed_offset": 2, "end_offset": 3}),
        ("topic,partition,x,y,z,lag", {}),
        ("topic,partition,colour", {}),
        ("topic,partition,lag,leader broker,status,backend", {}),
    ],
)
def test_other_columns_are_guessed_by_parts_of_words_and_by_their_order_and_not_taken(
    header, guesses
):
    layout = header_in([header.encode()])

    assert layout.likely == guesses
    assert not guesses.keys() & layout.mapping.keys()


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Behind", "lag=Behind"),
        ("Lag in msgs", 'lag="Lag in msgs"'),
        ("Lag $", "lag='Lag $'"),
        ("colour", ""),
    ],
)
def test_a_guess_is_written_as_a_shell_reads_it(name, written):
    assert header_in([f"topic,partition,{name}".encode()]).option_for() == (
        f"--columns {written}" if written else ""
    )


def test_of_two_columns_of_one_meaning_the_clearer_name_counts():
    assert guessed_places(
        ["offset", "committed", "consumer", "consumer_id", "topic", "partition"]
    ) == {
        "committed_offset": 1,
        "member_id": 3,
        "topic": 4,
        "partition": 5,
    }


def test_a_line_with_a_cell_too_long_for_a_table_is_no_header():
    assert header_in([b"topic," + b"x" * 140_000]) is None


def test_a_header_longer_than_a_cell_may_be_is_cut_at_its_separator():
    cells = ["topic", "partition", *(f"c{number}" for number in range(30_000))]

    assert header_in([";".join(cells).encode()]).separator == ";"
