"""Whose code assigned a classic group, by the bytes that clients send: those of real joins to Kafka
4.3.1.
"""

from types import SimpleNamespace

import pytest
from evenkeel_assignors.user_data import MemberReport, encode

from evenkeel.assignors import CLIENTS
from evenkeel.data.live.wire.leader import told_by

NULL, EMPTY, NONE = b"\xff\xff\xff\xff", b"\0\0\0\0", b"\0\0\0\0"
TOPICS = b"\0\0\0\1\0\6orders"
OWNED = TOPICS + b"\0\0\0\1\0\0\0\0"
GENERATION_5, NO_GENERATION = b"\0\0\0\5", b"\xff\xff\xff\xff"
NO_RACK, EMPTY_RACK = b"\xff\xff", b"\0\0"
UNSORTED = b"\0\0\0\2\0\6orders\0\0\0\1\0\0\0\0\0\1a\0\0\0\1\0\0\0\0"


def data(content: bytes) -> bytes:
    return len(content).to_bytes(4) + content


def sent(
    version: int, user_data: bytes, owned: bytes = b"", generation: bytes = b"", rack: bytes = b""
) -> bytes:
    return version.to_bytes(2) + TOPICS + user_data + owned + generation + rack


def member(
    metadata: bytes, version: int, user_data: bytes, given: bytes = OWNED, client_id: str = "app"
):
    assignment = version.to_bytes(2) + given + user_data
    return SimpleNamespace(
        client_id=client_id, member_metadata=metadata, member_assignment=assignment
    )


FIRST_3 = sent(3, NULL, NONE, NO_GENERATION, NO_RACK)
LATER_3 = sent(3, NULL, NONE, GENERATION_5, NO_RACK)
MEMORY = OWNED + GENERATION_5
OURS = encode(MemberReport({"orders": [0]}, 5, "earliest"))
JAVA = member(FIRST_3, 3, NULL)
LIBRDKAFKA = member(sent(3, EMPTY, NONE, NO_GENERATION, EMPTY_RACK), 0, EMPTY)
OLD_PYTHON = sent(0, EMPTY)
COOPERATIVE_1 = sent(1, EMPTY, NONE)
SARAMA_1 = sent(1, NULL, NONE)

TABLE = [
    ("java, first join", "range", JAVA, "java", True),
    ("java, later", "roundrobin", member(LATER_3, 3, NULL), "java", True),
    (
        "java sticky",
        "sticky",
        member(sent(3, data(MEMORY), NONE, GENERATION_5, NO_RACK), 3, NULL),
        "java",
        True,
    ),
    (
        "java cooperative",
        "cooperative-sticky",
        member(sent(3, data(NO_GENERATION), NONE, NO_GENERATION, NO_RACK), 3, NULL),
        "java",
        True,
    ),
    (
        "java cooperative, later",
        "cooperative-sticky",
        member(sent(3, data(GENERATION_5), OWNED, GENERATION_5, NO_RACK), 3, NULL),
        "java",
        True,
    ),
    ("franz-go range", "range", member(FIRST_3, 0, NULL), "franz-go", True),
    (
        "franz-go sticky, first",
        "sticky",
        member(sent(3, data(NONE), NONE, NO_GENERATION, NO_RACK), 0, NULL),
        "franz-go",
        True,
    ),
    (
        "franz-go sticky, later",
        "sticky",
        member(sent(3, data(NONE + GENERATION_5), NONE, GENERATION_5, NO_RACK), 0, NULL),
        "franz-go",
        True,
    ),
    (
        "franz-go cooperative",
        "cooperative-sticky",
        member(sent(3, data(NONE), NONE, NO_GENERATION, NO_RACK), 0, NULL),
        "franz-go",
        True,
    ),
    (
        "franz-go cooperative, later",
        "cooperative-sticky",
        member(sent(3, data(MEMORY), OWNED, GENERATION_5, NO_RACK), 0, NULL),
        "franz-go",
        True,
    ),
    ("sarama 1", "range", member(SARAMA_1, 0, NULL), "sarama", False),
    (
        "sarama 2",
        "range",
        member(sent(2, NULL, NONE, NO_GENERATION), 0, NULL, UNSORTED),
        "sarama",
        True,
    ),
    (
        "sarama sticky, later",
        "sticky",
        member(sent(1, data(MEMORY), NONE), 0, data(MEMORY)),
        "sarama",
        True,
    ),
    ("sarama or platformatic 2", "roundrobin", member(SARAMA_1, 0, NULL), "sarama", False),
    (
        "sarama, by what is not sorted",
        "roundrobin",
        member(SARAMA_1, 0, NULL, UNSORTED),
        "sarama",
        False,
    ),
    ("kafka-go", "range", member(sent(1, NULL), 1, NULL), "kafka-go", True),
    (
        "kafka-go roundrobin",
        "roundrobin",
        member(sent(1, NULL), 1, NULL, UNSORTED),
        "kafka-go",
        True,
    ),
    ("platformatic 1", "roundrobin", member(sent(1, NULL), 0, EMPTY), "platformatic", True),
    (
        "platformatic 2 cooperative",
        "cooperative-sticky",
        member(sent(3, NULL, OWNED, GENERATION_5, NO_RACK), 3, NULL),
        "platformatic",
        True,
    ),
    (
        "kafka-python, by its client id",
        "range",
        member(OLD_PYTHON, 0, EMPTY, client_id="kafka-python-3.0.12"),
        "kafka-python",
        False,
    ),
    (
        "aiokafka, by its client id",
        "roundrobin",
        member(OLD_PYTHON, 0, EMPTY, client_id="aiokafka-0.14.0"),
        "aiokafka",
        False,
    ),
    (
        "kafka-python sticky, later",
        "sticky",
        member(sent(0, data(b"\0\1" + MEMORY)), 0, EMPTY),
        "kafka-python",
        True,
    ),
    (
        "aiokafka sticky, later",
        "sticky",
        member(sent(0, data(OWNED + NO_GENERATION)), 0, EMPTY),
        "aiokafka",
        True,
    ),
    (
        "kafka-python cooperative",
        "cooperative-sticky",
        member(COOPERATIVE_1, 1, EMPTY),
        "kafka-python",
        True,
    ),
    ("kafkajs", "RoundRobinAssigner", member(OLD_PYTHON, 0, EMPTY), "kafkajs", True),
    (
        "kafka-go's own protocol",
        "rack-affinity",
        member(sent(1, data(b"a")), 1, NULL),
        "kafka-go",
        True,
    ),
    ("librdkafka", "range", LIBRDKAFKA, "librdkafka", True),
    (
        "librdkafka cooperative, later",
        "cooperative-sticky",
        member(sent(3, data(MEMORY), OWNED, GENERATION_5, EMPTY_RACK), 0, data(MEMORY)),
        "librdkafka",
        True,
    ),
    (
        "lag by Evenkeel's package",
        "lag",
        member(sent(0, data(OURS)), 0, EMPTY),
        "kafka-python",
        False,
    ),
    (
        "lag by it in aiokafka, by its client id",
        "lag",
        member(sent(0, data(OURS)), 0, EMPTY, client_id="aiokafka-0.14.0"),
        "aiokafka",
        False,
    ),
    (
        "cooperative-lag by it",
        "cooperative-lag",
        member(sent(2, data(OURS), OWNED, GENERATION_5), 2, EMPTY),
        "kafka-python",
        True,
    ),
    ("librdkafka 2.1", "cooperative-sticky", member(COOPERATIVE_1, 0, EMPTY), "librdkafka", True),
]


@pytest.mark.parametrize(
    ("protocol", "one", "client", "certain"), [pytest.param(*row, id=name) for name, *row in TABLE]
)
def test_the_leader_is_not_told_by_the_bytes_of_its_members(protocol, one, client, certain):
    found = told_by([one, one], protocol).leader

    assert (found.client, found.certain) == (client, certain)


def written_by(leader, *members):
    """Give every member the leader's handwriting."""
    return [
        SimpleNamespace(**{**vars(one), "member_assignment": leader.member_assignment})
        for one in members
    ]


PYTHON, FRANZ_GO, SARAMA = (
    member(OLD_PYTHON, 0, EMPTY),
    member(FIRST_3, 0, NULL),
    member(SARAMA_1, 0, NULL, UNSORTED),
)


@pytest.mark.parametrize(
    ("members", "client", "certain"),
    [
        (written_by(JAVA, JAVA, LIBRDKAFKA), "java", True),
        (written_by(FRANZ_GO, FRANZ_GO, SARAMA), "franz-go", True),
        (written_by(SARAMA, FRANZ_GO, SARAMA), "sarama", False),
        ([LIBRDKAFKA, member(FIRST_3, 0, NULL)], "librdkafka", True),
        (written_by(PYTHON, PYTHON, JAVA), "kafka-python", False),
        (written_by(PYTHON, PYTHON, LIBRDKAFKA), "librdkafka", False),
    ],
)
def test_in_a_mixed_group_the_leader_is_not_told_by_its_handwriting(members, client, certain):
    found = told_by(members, "range").leader

    assert (found.client, found.certain) == (client, certain)


@pytest.mark.parametrize(
    "members",
    [
        [JAVA, LIBRDKAFKA],
        [SimpleNamespace(client_id="a", member_assignment=b"\0", member_metadata=FIRST_3)],
        [SimpleNamespace(client_id="a", member_assignment=b"", member_metadata=b"")],
        [member(FIRST_3, 2, NULL)],
        [],
    ],
)
def test_bytes_that_fit_no_client_have_no_leader(members):
    assert told_by(members, "range").leader is None


@pytest.mark.parametrize(
    "one", [JAVA, member(LATER_3, 0, NULL), PYTHON, member(sent(0, data(MEMORY)), 0, EMPTY)]
)
def test_lag_with_the_bytes_of_another_assignor_is_not_evenkeel_s(one):
    found = told_by([one, one], "lag").leader

    assert found is None or CLIENTS[found.client].package_of("lag") is None


def test_a_newcomer_that_could_be_of_another_client_makes_a_leader_likely_only():
    newcomer, veteran = (
        member(OLD_PYTHON, 0, EMPTY),
        member(sent(0, data(OWNED + NO_GENERATION)), 0, EMPTY),
    )

    found = told_by([newcomer, veteran], "sticky").leader

    assert (found.client, found.certain) == ("aiokafka", False)


def test_each_member_says_which_clients_it_can_be():
    unreadable = SimpleNamespace(client_id="a", member_metadata=b"\0", member_assignment=b"")

    assert told_by([JAVA, LIBRDKAFKA, unreadable], "range").possible == [
        {"java", "franz-go"},
        {"librdkafka"},
        frozenset(),
    ]
