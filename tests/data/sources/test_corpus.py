import pytest

from evenkeel.data.sources.console.listing import recognises
from tests.data.sources.corpus import CORPUS, corpus

COUNTS = """
all-groups-2.3.txt 14 4 10 0
bad-numbers.txt 13 4 1 8
blanks-0.10.0.txt 6 5 1 0
blanks-0.10.2.txt 8 6 2 0
blanks-0.8.2.txt 6 5 1 0
blanks-0.9.0.txt 6 5 1 0
blanks-2.0.txt 8 6 2 0
blanks-2.3.txt 8 6 2 0
blanks-4-verbose.txt 8 6 2 0
collapsed-blanks.txt 5 3 1 1
cut-line.txt 3 1 1 1
cut-start.txt 2 0 0 2
everything.txt 22 14 8 0
formula-and-html-names.txt 5 3 2 0
header-alone.txt 1 0 1 0
hosts-without-slash.txt 5 3 2 0
indented.txt 4 3 1 0
ipv6-hosts.txt 4 2 2 0
jira-table.txt 4 3 1 0
list-type-state.txt 3 2 1 0
log-noise.txt 17 3 14 0
long-ids-0.10.2.txt 5 3 2 0
long-topics-0.10.0.txt 4 3 1 0
markdown-table.txt 7 4 2 1
members-2.0-verbose.txt 5 3 2 0
members-2.0.txt 5 3 2 0
members-2.3-verbose.txt 5 3 2 0
members-2.3.txt 5 3 2 0
members-2.6-static-verbose.txt 5 3 2 0
members-3.8-verbose.txt 5 3 2 0
members-4-all-groups.txt 10 6 4 0
members-4-classic-verbose.txt 5 3 2 0
members-4-migrating-verbose.txt 5 3 2 0
members-4-verbose.txt 5 3 2 0
no-break-spaces.txt 7 3 4 0
not-consumer-groups.txt 11 3 6 2
offsets-0.10.0.txt 6 5 1 0
offsets-0.10.2-zookeeper.txt 9 5 4 0
offsets-0.10.2.txt 8 6 2 0
offsets-0.8.2.txt 6 5 1 0
offsets-0.9.0.txt 6 5 1 0
offsets-1.1.txt 8 6 2 0
offsets-2.0.txt 8 6 2 0
offsets-2.3.txt 8 6 2 0
offsets-4-verbose.txt 8 6 2 0
smart-punctuation.txt 6 4 2 0
state-2.0.txt 3 1 2 0
state-2.3.txt 8 2 6 0
state-4-verbose.txt 6 2 4 0
streams-members-first-verbose.txt 9 7 2 0
streams-members-first.txt 12 8 4 0
streams-members-verbose.txt 3 2 1 0
streams-members.txt 5 3 2 0
streams-offsets.txt 12 5 6 1
streams-state.txt 15 5 10 0
tab-separated.txt 4 3 1 0
topics-2.3.txt 3 3 0 0
topics-2.6.txt 3 3 0 0
topics-3.5.txt 3 3 0 0
topics-3.9.txt 3 3 0 0
utf16.txt 5 3 2 0
utf8-names.txt 4 2 2 0
windows-line-ends.txt 5 3 2 0
"""


@pytest.mark.parametrize("expected", COUNTS.split("\n")[1:-1])
def test_every_line_of_the_corpus_is_a_row_a_note_or_rejected(expected):
    file, *counts = expected.split()

    parsed = corpus(file)

    assert [
        parsed.line_count,
        parsed.row_count,
        parsed.note_count,
        parsed.rejected.num_rows,
    ] == list(map(int, counts))
    assert set(parsed.rejected["source_file"].to_pylist()) <= {file}


def test_every_file_of_the_corpus_has_its_counts_here():
    listed = [line.split()[0] for line in COUNTS.split("\n")[1:-1]]

    assert sorted(path.name for path in CORPUS.glob("*.txt")) == sorted(listed)


@pytest.mark.parametrize(
    "file",
    [
        path.name
        for path in sorted(CORPUS.glob("*.txt"))
        if path.name not in ("cut-start.txt", "utf16.txt")
    ],
)
def test_every_listing_of_the_corpus_is_recognised_by_its_head(file):
    assert recognises((CORPUS / file).read_bytes()[:65_536], file)


OTHERS = [
    b"",
    b"\x89PNG\r\n\x1a\n\0\0",
    b'{"format": "evenkeel.group/1"}',
    b"group,topic,partition\ng,t,0\n",
    b"GROUP payments\nSTATE Stable\n",
    b"Topic: lag\n",
]


@pytest.mark.parametrize("head", OTHERS)
def test_other_files_are_not_taken_for_listings(head):
    assert not recognises(head, "file")
