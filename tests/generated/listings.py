"""Random listings for properties: printed rows, rows with a fault, noise, in any order."""

import uuid

from hypothesis import strategies as st

from tests.data.sources.console import printing
from tests.data.sources.console.printing import Line
from tests.data.sources.console.printing_members import Member, members_2_3

_VERSIONS = (
    "kafka_0_8_2",
    "kafka_0_9_0",
    "kafka_0_10_0",
    "kafka_0_10_2",
    "kafka_2_0",
    "kafka_2_3",
    "kafka_4_verbose",
)
DIALECTS = {name: getattr(printing, name) for name in _VERSIONS}

TAME = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,12}", fullmatch=True)
TOPICS = st.from_regex(r"[a-z][a-z0-9._-]{0,12}", fullmatch=True)
BLANK_NAMES = st.from_regex(
    r"[a-zé日][a-z(=\"'日🦊]{0,6}( {1,2}[a-z<)_-][a-z0-9.]{0,5}){0,3}", fullmatch=True
)
_WILD = st.text(st.sampled_from("ab1 -_/.,'\"|=<日🦊\t\r\u00a0"), min_size=1, max_size=12)
WILD_NAMES = _WILD.filter(lambda text: text.strip(" \r") == text and text not in "-,")

_offset = st.one_of(st.integers(0, 10**6), st.integers(0, 10**15 - 1))
_hosts = st.sampled_from(
    ["/10.4.1.17", "/192.168.100.200", "/0:0:0:0:0:0:0:1", "/fe80:0:0:0:1:2:3:4%eth0"]
)


@st.composite
def lines(draw, names=TAME, topics=TOPICS, idle=False):
    """Draw one row; `idle`: also members that own nothing."""
    group, client = draw(names), draw(names)
    owner = draw(
        st.sampled_from(
            [
                (None, None, None),
                (
                    f"{client}-{uuid.UUID(int=draw(st.integers(0, 2**128 - 1)))}",
                    draw(_hosts),
                    client,
                ),
            ]
        )
    )
    if idle and owner[0] and draw(st.integers(0, 4)) == 0:
        return Line(group, None, None, None, None, *owner)
    end = draw(st.none() | _offset)
    return Line(
        group,
        draw(topics),
        draw(st.integers(0, 1_000_000)),
        draw(st.none() | _offset),
        end,
        *owner,
        epoch=draw(st.none() | st.integers(0, 2**31 - 1)),
    )


@st.composite
def members(draw, names=TAME):
    """Draw one member."""
    owned = st.dictionaries(TAME, st.sets(st.integers(0, 12), min_size=1).map(sorted), max_size=3)
    client = draw(names)
    instance = draw(st.just("") | TAME)
    member_id = f"{instance or client}-{uuid.UUID(int=draw(st.integers(0, 2**128 - 1)))}"
    consumer = (
        {
            "epoch": draw(st.integers(0, 99)),
            "target": draw(owned),
            "target_epoch": draw(st.integers(0, 99)),
        }
        if draw(st.booleans())
        else {}
    )
    return Member(draw(names), member_id, draw(_hosts), client, draw(owned), instance, **consumer)


ODD_NUMBERS = [
    "-1",
    "-0",
    "+5",
    "0x1F",
    "1e3",
    "1_000",
    "-3",
    "−5",
    "–",
    "-",
    "unknown",
    "none",
    "٣",
    "007",
    "00000000000000000000000007",
    "-00000000000000000000000001",
    "1000000",
    "1000001",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
]
_NOISE = """
   \t
Consumer group 'x y' has no active members.
[2026-01-01 10:00:00,123] WARN no (org.apache.Kafka)
\tat org.x.Y.z(Y.java:1)
garbage
GROUP payments
Topic: orders\tPartitionCount: 3\tReplicationFactor: 1\tConfigs:
\tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1
Mon Nov 23 04:13:24 UTC 2026
=== 2026-11-23T04:15:24Z ===
1763870004
| a | b |
GROUP TOPIC PARTITION OFFSET-LAG
"""
_noise = st.sampled_from(_NOISE.split("\n"))


@st.composite
def texts(draw):
    """Draw a file: blocks of all dialects and members listings, with broken lines and noise
    between.
    """
    printed_rows = st.lists(lines(draw(st.sampled_from([TAME, BLANK_NAMES]))), max_size=6)
    blocks = st.sampled_from(list(DIALECTS.values())).flatmap(printed_rows.map)
    text = "".join(
        draw(
            st.lists(
                blocks | st.lists(members(), min_size=1, max_size=3).map(members_2_3), max_size=4
            )
        )
    )
    rows = text.split("\n")
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(rows) - 1))
        rows[at] = draw(st.sampled_from([_cut, _renumbered, _noised, _with_carriage_return]))(
            draw, rows[at]
        )
    data = "\n".join(rows).encode()
    return data if draw(st.booleans()) else draw(_broken_bytes(data))


def _cut(draw, row):
    return row[: draw(st.integers(0, len(row)))]


def _renumbered(draw, row):
    words = row.split(" ")
    words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(ODD_NUMBERS))
    return " ".join(words)


def _noised(draw, row):
    return draw(_noise) + "\n" + row


def _with_carriage_return(draw, row):
    return row + "\r"


@st.composite
def _broken_bytes(draw, data):
    at = draw(st.integers(0, len(data)))
    return data[:at] + draw(st.binary(max_size=3)) + data[at:]
