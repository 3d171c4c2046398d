import pytest

from tests.data.sources.corpus import corpus, rows_of

ROWS = [
    ("orders", 0, 120455, 121003, 548, "pay-a"),
    ("orders", 1, None, 88120, None, "pay-b"),
    ("refunds", 0, 771, 771, 0, None),
]


def rows(file):
    return rows_of(
        corpus(file).offsets,
        "topic",
        "partition",
        "committed_offset",
        "end_offset",
        "listed_lag",
        "client_id",
    )


@pytest.mark.parametrize(
    "file",
    [
        "windows-line-ends.txt",
        "utf16.txt",
        "log-noise.txt",
        "indented.txt",
        "smart-punctuation.txt",
    ],
)
def test_a_listing_reads_the_same_however_it_was_brought_here(file):
    assert rows(file)[:3] == ROWS


@pytest.mark.parametrize("file", ["markdown-table.txt", "jira-table.txt", "tab-separated.txt"])
def test_a_table_pasted_from_a_page_gives_the_same_rows(file):
    assert rows(file)[:3] == [ROWS[0], ("orders", 1, None, 88120, None, "pay b"), ROWS[2]]


def test_a_bar_in_a_cell_of_a_markdown_table_is_part_of_the_name_and_an_empty_cell_is_unknown():
    assert rows("markdown-table.txt")[3] == ("refunds", 1, None, 5, None, "a | b")


def test_dashes_and_quotes_of_a_word_processor_are_what_they_were():
    offsets = corpus("smart-punctuation.txt").offsets

    assert rows_of(
        offsets, "group_id", "topic", "partition", "committed_offset", "end_offset", "listed_lag"
    )[3] == (
        "payments",
        "orders",
        2,
        5,
        3,
        -2,
    )


def test_blanks_of_a_web_page_separate_like_blanks():
    assert rows_of(corpus("no-break-spaces.txt").offsets, "group_id", "topic", "client_id") == [
        ("payments", "orders", "pay-a"),
        ("payments", "refunds", None),
        ("night batch", "orders", "pay-b"),
    ]


def test_collapsed_blanks_still_tell_columns_apart():
    assert rows_of(corpus("collapsed-blanks.txt").offsets, "group_id", "topic", "client_id") == [
        ("payments", "orders", "pay-a"),
        ("payments", "orders", "pay b"),
        ("night batch", "refunds", None),
    ]
