"""`kafka-consumer-groups --list` alone: names of groups and nothing else."""

import pytest

from evenkeel.data.sources.inputs import read
from tests.data.sources.corpus import rows_of


def test_names_alone_are_groups_of_which_nothing_else_is_known():
    parsed = read([("list.txt", b"payments\r\nconsole-consumer-17\n\nWarning: something\n")])

    assert rows_of(parsed.members, "group_id", "member_id", "group_state", "source_line") == [
        ("payments", None, None, 1),
        ("console-consumer-17", None, None, 2),
    ]
    assert (parsed.line_count, parsed.row_count, parsed.note_count) == (4, 2, 2)
    assert parsed.formats == ("names only, read as output of kafka-consumer-groups --list",)


def test_a_line_of_several_words_under_names_is_rejected():
    many = b"".join(b"group-%d\n" % number for number in range(10_000))

    parsed = read([("list.txt", many + b"two words\n")])

    assert parsed.rejected["reason"].to_pylist() == [
        "'two words', expected only a group id, as in the lines above"
    ]


@pytest.mark.parametrize(
    "text", [b"words\n", b"orders:0:121003\norders:1:5\n", b"12\n13\n", b"two words\nname\n"]
)
def test_one_word_numbers_and_offsets_are_no_names_of_groups(text):
    assert not read([("f", text)]).members.num_rows
