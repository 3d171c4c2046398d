"""Listings of real incidents, each with its cause, its subject and its sentence."""

import pytest

from evenkeel.data.diagnosis.answer import diagnosed
from evenkeel.data.diagnosis.reading import Readings
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import decode
from evenkeel.data.sources.examples.worked_examples import SAMPLES
from tests.data.diagnosis.listed import answer, answers, codes, later, listing, subject

ONE = [
    (
        "dead",
        "silent_member likely 453869 0",
        (
            "consumer-invoice-3 (10.20.7.109) is stopped or far slower: 89.0 k to 92.7 k on each of"
            " its 5 partitions, at most 12 on the 15 others."
        ),
    ),
    (
        "hot",
        "one_partition likely 484166 0",
        "orders.events.v3-13 has 482 k of 484 k records: stuck at offset 39,580,165 or hot.",
    ),
    (
        "unowned",
        "unread likely 55147 55123",
        ("pay.auth-5 has no owner: 55.1 k records wait there and nobody reads them."),
    ),
    (
        "neg",
        "past_end certain 9 0",
        "rec.t-1 is committed at 500,000, past its end at 658: the topic was recreated or cut.",
    ),
    (
        "unknown",
        "uncommitted certain 16969 0",
        (
            "ledger.postings-1, ledger.postings-2 and ledger.postings-7 were never committed:"
            " between 0 and 2.21 M records wait there, beside 17.0 k that are known."
        ),
    ),
    (
        "rebal",
        "rebalancing certain 83848 83848",
        "fraud-scorer is rebalancing: 83.8 k records wait on 12 partitions until it ends.",
    ),
    (
        "noactive",
        "down certain 105771 105771",
        "audit-sink has no member: 106 k records wait on its 8 partitions.",
    ),
    (
        "idle",
        "behind unsure 28615 0",
        (
            "All 4 members that read mail.outbox are behind alike, 3,442 to 8,575 each, or between"
            " two commits: 5 members for 4 partitions."
        ),
    ),
    (
        "twotopic",
        "behind likely 253514 0",
        "All 3 members that read big.topic are behind alike, 82.4 k to 86.7 k each, 252 k in all: "
        "4 members for 3 partitions.",
    ),
    (
        "fine",
        "fine likely 212 0",
        "ok is fine: 212 records on 12 partitions, at most 90 on one member.",
    ),
    (
        "even",
        "behind likely 11129728 0",
        (
            "All 6 members that read raw.clicks are behind alike, 1.82 M to 1.88 M each, 11.1 M in"
            " all: 6 members for 12 partitions."
        ),
    ),
    (
        "same",
        "silent_member likely 123619 0",
        (
            "consumer-checkout-1 (10.20.7.22) is stopped or far slower: 30.3 k to 31.6 k on each of"
            " its 4 partitions, at most 40 on the 16 others."
        ),
    ),
    (
        "case-28",
        "unread likely 90010 90000",
        ("topic-2-0 has no owner: 90.0 k records wait there and nobody reads them."),
    ),
    (
        "case-29",
        "rebalancing certain 35000 35000",
        "ORDERS_GD is rebalancing: 35.0 k records wait on 4 partitions until it ends.",
    ),
    (
        "case-30",
        "behind likely 48804 0",
        "Both members that read outcomes are behind alike, 24.2 k to 24.6 k each, 48.8 k in all: "
        "3 members for 2 partitions.",
    ),
    (
        "case-33",
        "behind likely 1900001 1",
        "Both members that read orders are behind alike, 900 k to 1.00 M each, 1.90 M in all: "
        "2 members for 2 partitions.",
    ),
]


@pytest.mark.parametrize(("name", "facts", "sentence"), ONE, ids=[row[0] for row in ONE])
def test_a_listing_has_this_cause_and_this_sentence(name, facts, sentence):
    one = answer(listing(name))

    told = (one.code.value, one.headline.certainty.value, one.case.total, one.case.unread_lag)
    assert (" ".join(map(str, told)), one.sentence) == (facts, sentence)


@pytest.mark.parametrize(
    ("name", "kind", "names"),
    [
        ("dead", "members", ["consumer-invoice-3-eeeacbe2-26e8-7555-5790-f82ec1d3fcff"]),
        ("dead", "partitions", [f"billing.invoices-{number}" for number in range(10, 15)]),
        ("hot", "partitions", ["orders.events.v3-13"]),
        ("neg", "partitions", ["rec.t-1"]),
        ("unknown", "partitions", ["ledger.postings-1", "ledger.postings-2", "ledger.postings-7"]),
        ("twotopic", "topics", ["big.topic"]),
        ("case-28", "partitions", ["topic-2-0"]),
    ],
)
def test_the_subject_is_who_and_what_the_sentence_is_about(name, kind, names):
    assert subject(answer(listing(name)))[kind] == names


CLUSTER = {
    "search-indexer": (
        "search-indexer.events-17 has nearly all 1.24 M records: stuck at offset 65,245,153 or hot."
    ),
    "audit": "audit has no member: 17.2 k records wait on its 8 partitions.",
    "clickstream": (
        "All 6 members that read clickstream.events are behind alike, 278 k to 341 k each, 1.86 M"
        " in all: 6 members for 48 partitions."
    ),
    "risk": "risk is rebalancing: 24.1 k records wait on 12 partitions until it ends.",
    "kyc": (
        "kyc.events-2 was never committed: between 0 and 5.56 M records wait there, beside 50 that"
        " are known."
    ),
    "crm-sync": "crm-sync has no member: 10.2 k records wait on its 4 partitions.",
}


def test_of_thirty_groups_six_are_told_and_the_others_are_fine():
    found = answers(listing("cluster"))

    assert len(found) == 30
    assert {one.names.group_id: one.sentence for one in found if one.code != "fine"} == CLUSTER


def test_a_member_that_commits_nothing_for_ten_minutes_reads_nothing():
    one = later(listing("dead"), listing("dead2"), 600)

    assert (codes(one), one.group_class.value, one.headline.certainty.value) == (
        ["stalled"],
        "need",
        "certain",
    )
    assert (
        one.sentence
        == "consumer-invoice-3 (10.20.7.109) has read nothing in 600 s: 469 k records wait on 5"
        " partitions while others move on."
    )


def test_a_partition_that_does_not_move_though_its_owner_reads_others_is_stuck():
    one = later(listing("hot"), listing("hot2"), 600)

    assert one.case.total == 490166
    assert one.sentence == (
        "orders.events.v3-13 did not move in 600 s: 488 k records wait from offset 39,580,165, "
        "though consumer-checkout-4 (10.20.8.110) moves other partitions on."
    )


def test_readings_that_are_a_moment_apart_count_as_one():
    assert later(listing("dead"), listing("dead2"), 19).code == "silent_member"


EXAMPLES = {
    "one-hot-partition": (
        "rebalancing",
        "payments is rebalancing: 416 k records wait on 100 partitions until it ends.",
    ),
    "idle-under-range": (
        "uneven",
        (
            "web-06 (10.4.2.16) has 5,304 records, 1.9 times the mean of 2,863:"
            " roundrobin would leave the worst member 3,434."
        ),
    ),
    "third-consumer-joins": (
        "rebalancing",
        "third-consumer-joins is rebalancing, and no known record waits.",
    ),
    "two-consumers": ("unknown", "No lag of two-consumers is known: the reading has no offsets."),
    "differing-subscriptions": (
        "uneven",
        (
            "audit-1 (10.4.3.12) has 6,853 records, 1.9 times the mean of 3,698:"
            " range would leave the worst member 4,619."
        ),
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_worked_example_has_this_cause(name):
    document = decode((SAMPLES / f"{name}.json").read_bytes())
    one = diagnosed(Readings(observed_from_document(document)))

    assert (one.code.value, one.sentence) == EXAMPLES[name]


def test_ten_members_of_an_old_release_are_behind_alike():
    text = (SAMPLES / "ten-consumers-kafka-0.10.txt").read_text()

    assert answer(text).sentence == (
        "All 10 members that read topic01 are behind alike, 638 k to 720 k each, 6.80 M in all: "
        "10 members for 10 partitions."
    )


HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


def test_a_stopped_group_without_a_state_line_is_likely_down_and_unlisted_partitions_do_not_count():
    one = answer(HEAD + "gone orders 9 0 765 765 - - -\n")

    assert (one.case.total, one.case.unknown_count, one.headline.certainty.value) == (
        765,
        0,
        "likely",
    )
    assert (
        one.sentence == "gone has no member in this reading: 765 records wait on its 1 partition."
    )


def test_a_stopped_group_with_a_state_line_is_certainly_down():
    one = answer(
        "Consumer group 'g' has no active members.\n\n" + HEAD + "g orders 0 0 35000 35000 - - -\n"
    )

    assert (one.headline.certainty.value, one.sentence) == (
        "certain",
        "g has no member: 35.0 k records wait on its 1 partition.",
    )


def test_an_empty_partition_that_was_never_committed_lags_by_nothing():
    one = answer(HEAD + "g orders 0 5 5 0 a-1 /10.0.0.1 a\ng orders 1 - 0 - a-1 /10.0.0.1 a\n")

    assert (one.case.total, one.case.unknown_count, one.code.value) == (0, 0, "fine")


def test_the_listing_of_the_readme_is_behind():
    text = (
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        "payments orders 0 1000 101000 100000 pay-a-0f3c1e52 /10.4.1.17 pay-a\n"
        "payments orders 1 1000 61000 60000 pay-a-0f3c1e52 /10.4.1.17 pay-a\n"
        "payments orders 2 1000 51000 50000 pay-b-7ac2d9b1 /10.4.1.18 pay-b\n"
    )

    assert (
        answer(text).sentence
        == "Both members that read orders are behind, 50.0 k to 160 k each, 210 k in all: 2 members"
        " for 3 partitions."
    )


def partitions(group, topic, numbers, owners) -> str:
    """Return the lines of a topic: (committed, end, lag) of each partition, and its owner."""
    return "".join(
        f"{group} {topic} {number} {' '.join(map(str, row))} "
        + ("- - -\n" if owner is None else f"{owner}-3d21a3b0 /10.0.0.1 {owner}\n")
        for number, (row, owner) in enumerate(zip(numbers, owners, strict=True))
    )


AT_REST = {
    "a member without partitions has a line without topic": (
        partitions(
            "mailer", "mail.outbox", [(0, lag, lag) for lag in (4703, 8197, 6000, 5927)], "abcd"
        )
        + "mailer - - - - - e-3d21a3b0 /10.0.0.1 e\n",
        ["behind", "idle"],
        "24827 0",
        (
            "All 4 members that read mail.outbox are behind, 4,703 to 8,197 each, or between two"
            " commits: 5 members for 4 partitions."
        ),
    ),
    "nobody has one of two topics": (
        partitions("g", "topic-a", [(100, 110, 10), (100, 120, 20)], "aa")
        + partitions("g", "topic-b", [(0, 44_980, 44_980), (0, 45_000, 45_000)], [None, None]),
        ["unread"],
        "90010 89980",
        ("topic-b-0 and topic-b-1 have no owner: 90.0 k records wait there and nobody reads them."),
    ),
    "three partitions were never committed": (
        partitions(
            "payments",
            "orders",
            [
                ("-", 1389, "-"),
                ("-", 1389, "-"),
                (100, 1000, 900),
                (100, 1445, 1345),
                ("-", 1389, "-"),
                ("-", 0, "-"),
            ],
            "ababab",
        ),
        ["uncommitted"],
        "2245 0",
        (
            "orders-0, orders-1 and orders-4 were never committed: between 0 and 4,167 records wait"
            " there, beside 2,245 that are known."
        ),
    ),
    "members without topic and no owner at all": (
        partitions("g", "orders", [(0, 1000, 1000), (0, 1000, 1000)], [None, None])
        + "g - - - - - a-3d21a3b0 /10.0.0.1 a\n",
        ["rebalancing"],
        "2000 2000",
        "g is rebalancing: 2,000 records wait on 2 partitions until it ends.",
    ),
}


@pytest.mark.parametrize("name", AT_REST)
def test_a_listing_as_tools_print_it_has_this_cause(name):
    lines, expected, totals, sentence = AT_REST[name]

    one = answer(HEAD + lines)

    assert codes(one) == expected
    assert (f"{one.case.total} {one.case.unread_lag}", one.sentence) == (totals, sentence)


def test_a_group_with_spaces_in_its_name_and_a_listing_of_members_alone_have_their_cause():
    spaced = (
        "GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG            "
        " CONSUMER-ID HOST            CLIENT-ID\n"
    )
    one = answer(
        f"{spaced}my odd group    refunds         0          -               834             -     "
        "          c1-3d21a3b0 /127.0.0.1      c1\nmy odd group    orders          0          86  "
        "            834             748             c1-3d21a3b0 /127.0.0.1      c1\n"
    )
    members = answer(
        "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT\n"
        "mailer m1-3d21a3b0 /10.0.0.1 m1 1 mail.outbox(0)\nmailer m2-3d21a3b0 /10.0.0.2 m2 0 -\n"
    )

    assert (
        one.sentence
        == "refunds-0 was never committed: between 0 and 834 records wait there, beside 748 that"
        " are known."
    )
    assert members.sentence == "No lag of mailer is known: the reading has no offsets."
    assert (members.case.total, members.case.unread_lag) == (None, None)
