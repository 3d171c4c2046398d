"""Rules of single causes, on groups of plain values and documents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.data.diagnosis.answer import diagnosed
from evenkeel.data.diagnosis.reading import Readings
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import FORMAT, Document, Member, Partition, Topic
from evenkeel.data.text.formats import number
from evenkeel.data.text.names import cut
from tests.data.diagnosis.listed import answer, codes, readings, subject

HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


def document(topics, members, **facts):
    """Return the diagnosis of a document; topics: lags of partitions, members: subscriptions and
    owned partitions.
    """
    return diagnosed(
        Readings(
            observed_from_document(
                Document(
                    format=FORMAT,
                    group_id="g",
                    topics=[
                        Topic(name, [Partition(lag=lag) for lag in lags])
                        for name, lags in topics.items()
                    ],
                    members=[
                        Member(name, subscribed, owned=owned)
                        for name, (subscribed, owned) in members.items()
                    ],
                    **facts,
                )
            )
        )
    )


def test_a_topic_to_which_no_member_subscribes_is_left_and_counts_in_the_total_alone():
    one = document({"new": [5], "old": [70, 30]}, {"a": (["new"], {"new": [0]})})

    assert codes(one) == ["left"]
    assert (one.case.total, one.case.left_lag, one.case.unread_lag, one.group_class.value) == (
        105,
        100,
        0,
        "fine",
    )
    assert (
        one.sentence
        == "No member of g subscribes to old any more: 100 records of 2 partitions are left there."
    )
    assert one.document()["findings"][0]["change"]["command"].endswith(
        "--delete-offsets --topic old"
    )


def test_lag_that_nobody_reads_is_told_though_the_only_member_has_nothing_behind():
    one = document({"t": [10, 90_000]}, {"a": (["t"], {"t": [0]})}, state="Stable")

    assert (codes(one), one.headline.certainty.value) == (["unread"], "certain")
    assert (one.case.total, one.case.unread_lag) == (90_010, 90_000)


@pytest.mark.parametrize("state", ["Assigning", "Reconciling"])
def test_a_broker_group_that_reconciles_goes_on_reading_what_has_an_owner(state):
    one = document({"t": [50_000, 10]}, {"a": (["t"], {"t": [1]})}, state=state, type="consumer")

    assert codes(one)[0] == "rebalancing"
    assert one.headline.lag == 50_000


def test_a_document_without_members_that_says_so_is_certainly_down():
    one = document({"t": [500, None]}, {})

    assert (codes(one), one.headline.certainty.value, one.group_class.value) == (
        ["down"],
        "certain",
        "need",
    )


def test_a_group_without_lag_is_fine_also_without_members():
    assert codes(document({"t": [0, 0]}, {}, state="Empty")) == ["fine"]


def test_two_hundred_partitions_with_fifty_records_each_are_health():
    one = document({"t": [50] * 200}, {"a": (["t"], {"t": list(range(200))})})

    assert codes(one) == ["fine"]


def test_a_table_without_a_column_of_owners_names_nobody():
    one = answer("group,topic,partition,committed_offset,end_offset\ng,t,0,10,5010\n", "a.csv")

    assert (codes(one), one.group_class.value, one.case.unread_lag) == (
        ["unknown"],
        "unknown",
        None,
    )
    assert one.sentence == "No owner of g is known: 5,000 records wait on 1 partition."


def test_a_group_whose_end_offsets_are_missing_is_not_said_to_lack_a_right():
    one = answer("group,topic,partition,committed_offset\ng,t,0,10\ng,t,1,20\n", "a.csv")

    assert one.sentence == "No lag of g is known: its end offsets are missing."
    assert one.advice == (
        "Check if the brokers of its partitions answer, or paste a listing with end offsets."
    )
    assert [each.why for each in one.remedies if each.action == "look"] == [
        "a broker may not answer, or the input has no end offsets"
    ]


def test_a_group_that_a_cluster_does_not_show_is_described_with_the_reason_of_the_cluster():
    listed = observed_from_document(
        Document(
            format=FORMAT,
            group_id="g",
            topics=[Topic("t", [Partition(committed_offset=5)])],
            members=[Member("a", ["t"], owned={"t": [0]})],
        )
    )
    one = diagnosed(Readings(listed, reason="t: the leader of partition 0 does not answer"))

    assert one.sentence == "No lag of g is known: t: the leader of partition 0 does not answer."
    assert one.advice == "Read the group again when this is repaired."
    assert [each.why for each in one.remedies if each.action == "look"] == [
        "t: the leader of partition 0 does not answer"
    ]


def test_a_long_reason_is_cut_in_the_middle_to_fit_the_sentence():
    listed = observed_from_document(
        Document(
            FORMAT,
            group_id="g",
            topics=[Topic("t", [Partition(committed_offset=5)])],
            members=[Member("a", ["t"], owned={"t": [0]})],
        )
    )
    one = diagnosed(Readings(listed, reason=f"{'t' * 200}-0: UNKNOWN_TOPIC_OR_PARTITION"))

    # 100 characters: the first 50, an ellipsis, and the last 49, 30 of them after the topic.
    assert one.sentence == (
        f"No lag of g is known: {'t' * 50}…{'t' * 19}-0: UNKNOWN_TOPIC_OR_PARTITION."
    )


def test_a_known_lag_without_owners_has_no_reason_of_an_unknown_lag():
    listed = readings("group,topic,partition,lag\ng,t,0,5000\n", "a.csv")
    one = diagnosed(listed._replace(reason="u: TOPIC_AUTHORIZATION_FAILED"))

    assert one.sentence == "No owner of g is known: 5,000 records wait on 1 partition."
    assert one.advice == (
        "Paste the listing with offsets and owners, or see which right is missing."
    )


def test_members_without_partitions_while_no_partition_has_an_owner_are_a_rebalance():
    one = answer(HEAD + "g t 0 0 5000 5000 - - -\ng - - - - - a-1 /10.0.0.1 a\n")

    assert (codes(one), one.headline.certainty.value) == (["rebalancing"], "likely")


def test_a_few_records_past_the_end_are_a_note():
    one = answer(HEAD + "g t 0 1000 990 -10 a-1 /10.0.0.1 a\n")

    assert codes(one) == ["fine", "past_end"]
    assert one.notes == [
        "t-0 is committed at 1,000, past its end at 990: perhaps read at two moments."
    ]


def test_a_late_member_whose_partitions_are_unlike_all_others_is_not_the_assignments():
    lines = [
        f"g t {number} 0 {lag} {lag} {owner}-1 /10.0.0.1 {owner}" for number, owner, lag in _late()
    ]
    one = answer(HEAD + "\n".join(lines) + "\n")

    assert codes(one)[0] == "lagging"
    assert subject(one)["members"] == ["a-1"]
    assert "one reading does not say why" in one.sentence


def _late():
    yield from ((number, "a", 40_000) for number in range(4))
    yield from ((number + 4, "bcde"[number % 4], 5_000 + number) for number in range(16))


def test_an_owner_without_other_partitions_may_have_stopped_and_the_sentence_says_so():
    one = answer(
        HEAD
        + "".join(
            f"g t {n} 0 {lag} {lag} {m}-1 /10.0.0.1 {m}\n"
            for n, m, lag in ((0, "a", 90_000), (1, "b", 5))
        )
    )

    assert (
        one.sentence
        == "t-0 has nearly all 90.0 k records: stuck at offset 0, hot, or its owner has stopped."
    )


def test_the_only_partition_is_not_said_to_have_a_part_of_the_lag():
    one = answer(HEAD + "g t 0 1000 14000 13000 a-1 /10.0.0.1 a\n")

    assert (codes(one)[0], one.sentence) == (
        "one_partition",
        "t-0 is 13.0 k records behind: stuck at offset 1,000, or its owner is too slow or has"
        " stopped.",
    )


def test_of_one_reading_an_uneven_group_is_read_again_before_it_switches():
    owners = [(topic, number, "aab"[number]) for topic in "xyz" for number in range(3)]
    one = answer(
        HEAD + "".join(f"g {t} {n} 0 60000 60000 {m}-1 /10.0.0.1 {m}\n" for t, n, m in owners)
    )

    actions = [(each.action.value, each.helps.value) for each in one.remedies]
    assert (codes(one)[0], one.how_sure, one.is_open) == ("uneven", "Open", True)
    assert one.advice.startswith("Read again in a minute. If it is still so, switch to ")
    assert actions[:3] == [("nothing", "unknown"), ("read_again", "unknown"), ("switch", "yes")]


def test_of_two_members_with_one_client_id_the_host_tells_which():
    rows = "".join(
        f"g t {n} 0 {lag} {lag} app-{n // 2} /10.0.0.{n // 2} app\n"
        for n, lag in enumerate((9_000, 9_500, 2, 3))
    )

    assert answer(HEAD + rows).sentence.startswith(
        "app (10.0.0.0) is stopped or far slower: 9,000 to 9,500 on each of its 2"
    )


def test_a_listing_that_names_no_group_is_about_the_group():
    one = answer(
        "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\nt 0 5 9 4"
        " a-1 /10.0.0.1 a\n"
    )

    assert one.sentence == "The group is fine: 4 records on 1 partition, at most 4 on one member."


def test_members_of_a_share_group_are_not_compared():
    one = document(
        {"t": [90_000, 5]},
        {"a": (["t"], {"t": [0, 1]}), "b": (["t"], {"t": [0, 1]})},
        type="share",
        state="Stable",
    )

    assert codes(one) == ["unknown"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (9_999, "9,999"),
        (10_000, "10.0 k"),
        (10_187, "10.2 k"),
        (999_499, "999 k"),
        (999_500, "1.00 M"),
        (1_005_000, "1.00 M"),
        (1_015_000, "1.02 M"),
        (2_209_774, "2.21 M"),
        (469_000_000_000, "469 G"),
        (1_000_000_000_000, "1,000 G"),
    ],
)
def test_a_number_has_three_digits_half_to_even(value, text):
    assert number(value) == text


def test_a_long_name_is_cut_in_the_middle():
    assert cut("a" * 30 + "b" * 30, 36) == "a" * 18 + "…" + "b" * 17


OWNERS = st.sampled_from(["a", "b", "c", ""])
ROWS = st.lists(st.tuples(st.integers(0, 200_000), OWNERS), min_size=1, max_size=12)


@given(ROWS)
def test_the_total_is_the_sum_of_the_lag_column_and_unread_lag_is_never_hidden(rows):
    lines = [
        f"g t {n} 1000 {1000 + lag} {lag} " + (f"{owner}-1 /10.0.0.1 {owner}" if owner else "- - -")
        for n, (lag, owner) in enumerate(rows)
    ]
    one = answer(HEAD + "\n".join(lines) + "\n")

    assert one.case.total == sum(lag for lag, _ in rows)
    assert one.case.unread_lag == sum(lag for lag, owner in rows if not owner)
    texts = [one.sentence, *one.notes]
    if one.case.unread_lag:
        assert set(codes(one)) & {"unread", "down"}
        assert not any("no partition lags" in text or "every partition" in text for text in texts)
    assert all(len(text) <= 160 for text in texts)
    assert one.document()["findings"][0]["primary"]


@given(st.lists(st.integers(0, 300_000), min_size=2, max_size=10), st.integers(2, 4))
def test_the_same_reading_has_the_same_diagnosis(lags, members):
    topics = {"t": lags}
    owned = {
        f"m{row}": (["t"], {"t": list(range(row, len(lags), members))}) for row in range(members)
    }

    assert document(topics, owned).document() == document(topics, owned).document()


def test_members_that_cannot_read_the_late_topic_take_no_room_of_it():
    members = [
        Member(member_id=f"a{row}", subscribed=["a"], owned={"a": [row, row + 2, row + 4]})
        for row in range(2)
    ]
    members += [
        Member(member_id=f"b{row}", subscribed=["b"], owned={"b": [row]}) for row in range(4)
    ]
    topics = [
        Topic(name="a", partitions=[Partition(lag=50_000)] * 6),
        Topic(name="b", partitions=[Partition(lag=0)] * 4),
    ]

    answered = diagnosed(
        Readings(observed_from_document(Document(format=FORMAT, topics=topics, members=members)))
    )

    (behind,) = [each for each in answered.diagnosis.findings if each.code == "behind"]
    assert (behind.figures["members"], behind.figures["partitions"], behind.figures["room"]) == (
        2,
        6,
        4,
    )


@pytest.mark.parametrize(
    ("subscribed", "helps", "why"),
    [
        (["t"], "unknown", "range gives 80.0 k of these 80.0 k records an owner"),
        (["t", "u"], "unknown", "range gives 90.0 k of these 90.0 k records an owner"),
    ],
)
def test_a_rebalance_gives_an_owner_to_what_its_own_answer_gives_one(subscribed, helps, why):
    one = document(
        {"t": [5, 80_000], "u": [10_000]},
        {"a": (subscribed, {"t": [0]})},
        type="classic",
        state="Stable",
        assignor="range",
    )

    (rebalance,) = [each for each in one.document()["remedies"] if each["action"] == "rebalance"]
    assert (rebalance["helps"], rebalance["why"], rebalance["assignor"]) == (helps, why, "range")


def test_weights_are_a_remedy_of_a_group_that_the_broker_assigns():
    lags = {"t": [20_000, 21_000, 20_000, 21_000, 20_000, 20_000]}
    members = {"a": (["t"], {"t": [0, 1, 2, 3]}), "b": (["t"], {"t": [4, 5]})}

    def actions(group_type):
        one = document(lags, members, type=group_type, state="Stable")
        return {each["action"]: each for each in one.document()["remedies"]}, one.code

    broker, code = actions("consumer")
    classic, _ = actions("classic")

    assert code == "uneven"
    assert (broker["weights"]["worst_lag"], broker["weights"]["helps"]) == (61_000, "unknown")
    assert broker["weights"]["moves"] == 1
    assert "weights" not in classic
