import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources import documents
from evenkeel.data.sources.console import listing
from evenkeel.data.sources.detection import as_utf8, is_utf8, source_for
from evenkeel.data.sources.separated import text_table

LISTING = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\ng t 0 1 5 4 m /h c\n"


@pytest.mark.parametrize(
    "text, source",
    [
        (LISTING, listing),
        ("\n\n" + LISTING, listing),
        ("Topic: orders\tPartitionCount: 12\tReplicationFactor: 1\tConfigs: \n", listing),
        ("GROUP, TOPIC, PARTITION, CURRENT OFFSET, LOG END OFFSET, LAG, OWNER\n", listing),
        ('{"format": "evenkeel.group/1"}', documents),
        ('\n  {\n"format": "evenkeel.group/1"}', documents),
        ('[{"format": "evenkeel.group/1"}]', documents),
        ("{broken\n" + LISTING, listing),
        ("{broken\nlines\n", documents),
        ("GROUP,TOPIC,PARTITION,CURRENT-OFFSET,LOG-END-OFFSET,LAG,CONSUMER-ID,HOST,CLIENT-ID\ng,t,0,1,5,4,m,/h,c\n", text_table),
        ("GROUP,TOPIC,PARTITION,CURRENT OFFSET,LOG END OFFSET,LAG,OWNER\r\ng,t,0,1,5,4,m\r\n", text_table),
        ("topic,partition,lag\nt,0,5\n", text_table),
        ("Topic;Partition;Consumer lag\r\nt;0;5\r\n", text_table),
        ("topic\tpartition\tlag\nt\t0\t5\n", text_table),
        ("sep=;\ntopic;partition\n", text_table),
        ("name,number\nt,0\n", text_table),
        ("[2026-11-20 08:00:00,123] WARN something\nnothing\n", listing),
        ("random words\n", listing),
    ],
)
def test_a_file_is_known_by_its_content(text, source):
    assert source_for("file.txt", text.encode()) is source


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_says_how_to_read(encoding):
    data = LISTING.encode(encoding)

    assert source_for("x.txt", data) is listing
    assert as_utf8("x.txt", data) == LISTING.encode()
    assert not is_utf8(data)


def test_big_endian_utf_16_is_read():
    assert as_utf8("x.txt", b"\xfe\xff" + LISTING.encode("utf-16-be")) == LISTING.encode()


def test_a_head_that_ends_in_the_middle_of_a_character_is_still_known():
    assert source_for("x.txt", LISTING.encode("utf-16")[:301]) is listing


REFUSED = {
    "an empty file": (b"", "orders.txt: empty file, expected a listing"),
    "PNG": (b"\x89PNG\r\n\x1a\n", "orders.txt: a PNG picture, expected a listing"),
    "PDF": (b"%PDF-1.7", "orders.txt: a PDF document"),
    "zip": (b"PK\x03\x04abc", "orders.txt: a zip archive or an Office document, .* unpack it first"),
    "gzip": (b"\x1f\x8b\x08", "orders.txt: gzip data, .* unpack it first"),
    "Parquet": (b"PAR1abc", "orders.txt: a Parquet file, .* write it as CSV"),
    "UTF-16 that does not say so": (
        LISTING.encode("utf-16-le"),
        "orders.txt: looks like UTF-16 without a byte order mark, .* save it as UTF-8",
    ),
    "UTF-16 that is cut": (LISTING.encode("utf-16")[:-1], "orders.txt: UTF-16 text that ends or breaks at byte"),
}


@pytest.mark.parametrize("data, message", REFUSED.values(), ids=REFUSED)
def test_what_is_no_text_is_refused_with_what_to_do(data, message):
    with pytest.raises(SnapshotError, match=message) as error:
        as_utf8("orders.txt", data)

    assert "\n" not in str(error.value)
