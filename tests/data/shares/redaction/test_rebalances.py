"""Frozen rebalances: the same events come back, and with stand-ins no name or reason of a log is
left, in fields or in quoted lines.
"""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from evenkeel.data.errors import SnapshotError
from evenkeel.data.rebalances.frozen import frozen, thawed
from evenkeel.data.rebalances.store import About, StoredRebalances
from evenkeel.data.shares.redaction import KINDS, preview, redacted
from evenkeel.data.shares.share import checked, compressed, opened
from tests.data.rebalances.records import classic, dump, member
from tests.data.rebalances.test_from_log import adds, begins, ends, events, log
from tests.data.rebalances.test_history import _NOON, RESTART, read

ABOUT = About(
    ("quagga.example.log",),
    lines=9,
    used=9,
    first=_NOON,
    last=_NOON + 9,
    brokers=(1,),
    cluster="dingo",
)
GROUP, MEMBER, INSTANCE, CLIENT, HOST, TOPIC = (
    "wombat",
    "zebra-7f3c",
    "okapi",
    "yak",
    "quagga.example",
    "ocelot",
)
SECRET = "token=hunter2 for margay"
SAID = f"; client reason: {SECRET}"
LEAVES_3 = (
    f"Member MemberMetadata(memberId={MEMBER}, groupInstanceId=Some({INSTANCE}), clientId={CLIENT},"
    f" clientHost=/{HOST}, sessionTimeoutMs=45000, rebalanceTimeoutMs=300000,"
    f" supportedProtocols=List(lynx)) has left group {GROUP} through explicit `LeaveGroup`{SAID}"
)


def document(found, about=ABOUT, group="pay"):
    return frozen(
        StoredRebalances(found, about), group, {"engine": "1", "source": "the cluster dingo"}
    )


def hidden(*found, group=GROUP):
    """Return everything of a share of these events in which all kinds have stand-ins."""
    return json.dumps(redacted(*document(found, group=group), KINDS))


def test_what_was_frozen_is_the_same_after_it_was_stored():
    records = [
        classic(
            "pay",
            2,
            member("zebra", CLIENT, [0]),
            member("yak", "b", [1]),
            at=_NOON - 60_000,
            leader="yak",
        ),
        classic("pay", 3, member("yak", "b", [0, 1]), at=_NOON + 1_000, leader="yak"),
    ]
    found = read(RESTART, records=records).events

    stored = opened(compressed(checked(*document(found))))

    # Who is in the group is asked while logs and records become one, and kept nowhere.
    about = About(
        ("log-0",), first=_NOON - 60_000, last=_NOON + 13_010, brokers=(1,), cluster="dingo"
    )
    assert thawed(*stored) == StoredRebalances([replace(one, roster=None) for one in found], about)


def test_one_group_is_frozen_and_the_others_of_its_log_stay_behind():
    found = events(
        log(
            begins(0, 2, adds("a")),
            *ends(1, 3),
            begins(2, 7, adds("b"), group="lynx"),
            *ends(3, 8, group="lynx"),
        )
    )

    assert "lynx" not in json.dumps(document(found))


def test_a_frozen_group_names_the_files_of_its_own_lines_alone():
    mine, other = (
        log(begins(5, 2, adds("a")), *ends(6, 3)),
        log(begins(2, 7, adds("b"), group="lynx"), *ends(9, 8, group="lynx")),
    )

    shown, lines = document(read(other, mine).events, About(("log-0", "log-1")))

    assert shown["files"] == ("log-1",)
    assert "log-0" not in json.dumps(lines)


def test_the_last_hours_of_a_frozen_group_are_counted_back_from_the_end_of_its_log_as_before():
    found = events(log(begins(0, 2, adds("a")), *ends(1, 3)))
    a_day = 24 * 3_600_000

    assert (
        thawed(*document(found, structs.replace(ABOUT, last=_NOON + a_day))).about.last
        == _NOON + a_day
    )


def test_a_frozen_group_tells_nothing_of_what_else_was_in_its_log():
    mine, other = (
        [begins(5, 2, adds("a")), *ends(6, 3)],
        [begins(2, 7, adds("b"), group="lynx"), *ends(9, 8, group="lynx")],
    )
    whole, alone = read(log(*mine), log(*other, broker=2)), read(log(*mine))

    abouts = [
        ABOUT,
        About(
            ABOUT.files,
            lines=3,
            used=3,
            first=_NOON + 5_000,
            last=_NOON + 6_010,
            brokers=(1,),
            cluster="dingo",
        ),
    ]
    shares = [
        document(found.events, about) for found, about in zip((whole, alone), abouts, strict=True)
    ]

    assert shares[0] == shares[1]
    said = shares[0][0]
    assert not {"lines", "used", "undated", "cut"} & said.keys()
    assert (said["first"], said["last"], said["brokers"]) == (
        "2026-11-23T12:00:05.000Z",
        "2026-11-23T12:00:06.010Z",
        (1,),
    )


@pytest.mark.parametrize(
    "text",
    [
        f"Preparing to rebalance group {GROUP} in state PreparingRebalance with old generation 2"
        f" (reason: {reason})."
        for reason in (
            f"Adding new member {MEMBER} with group instance id Some({INSTANCE}){SAID}",
            f"explicit `LeaveGroup` request for ({MEMBER}, {CLIENT}) members.{SAID}",
            f"Removing member {MEMBER} on LeaveGroup{SAID}",
            f"removing member {MEMBER} on heartbeat expiration.",
            f"Leader {MEMBER} re-joining group during Stable{SAID}",
            (
                f"Leader {MEMBER} re-joining group during Stable; client reason: cached metadata"
                f" has changed from {{{TOPIC}: 3}} at {SECRET}"
            ),
            (
                f"Updating metadata for member {MEMBER} during Stable; client reason: need to"
                f" re-join with the given member-id: {MEMBER}"
            ),
            (
                f"Updating metadata for static member {MEMBER} with instance id {INSTANCE}; client"
                f" reason: {SECRET}"
            ),
            f"Removing Set({MEMBER}) on pending sync request expiration",
            SECRET,
        )
    ]
    + [
        (
            f"Pending dynamic member with id {MEMBER} joins group {GROUP} in PreparingRebalance"
            " state. Adding to the group now."
        ),
        (
            f"Static member with groupInstanceId={INSTANCE} and unknown member id joins group"
            f" {GROUP} in Stable state. Created a new member id {MEMBER} for this member and add to"
            " the group."
        ),
        (
            f"[Group {GROUP}] Member {MEMBER} has left group through explicit `LeaveGroup`"
            f" request{SAID}"
        ),
        (
            f"[GroupId {GROUP}] Static member {MEMBER} with instance id {INSTANCE} has left group"
            f" through explicit `LeaveGroup` request{SAID}"
        ),
        LEAVES_3,
        (
            f"Member[group.instance.id Some({INSTANCE}), member.id {MEMBER}] in group {GROUP} has"
            " left, removing it from the group"
        ),
        f"Member {MEMBER} in group {GROUP} has failed, removing it from the group",
        f"Group {GROUP} removed dynamic members who haven't joined: Set({MEMBER}, {CLIENT})",
        f"[GroupId {GROUP}] Member {MEMBER} joins the consumer group using the consumer protocol.",
        f"[GroupId {GROUP}] Member {MEMBER} new assignment state: CurrentAssignment({TOPIC}-[1])",
        f"[GroupId {GROUP}] Member {MEMBER} updated its subscribed topics to: [{TOPIC}].",
        (
            f"[GroupId {GROUP}] Computed a new target assignment for epoch 3 with 'lynx' assignor"
            " in 2ms."
        ),
        f"Loaded classic group {GROUP} with 2 members.",
    ],
)
def test_no_name_and_no_reason_is_left_in_a_quoted_line_of_any_kind(text):
    (one,) = events(
        log(
            (0, f"Preparing to rebalance group {GROUP} with old generation 2"),
            *ends(1, 3, group=GROUP, leader=MEMBER),
        )
    )
    one.evidence[0] = one.evidence[0]._replace(text=text, place=f"{HOST}:7")

    said = hidden(one)

    assert [
        name
        for name in (
            GROUP,
            MEMBER,
            INSTANCE,
            CLIENT,
            HOST,
            TOPIC,
            "lynx",
            "hunter2",
            "margay",
            "dingo",
        )
        if name in said
    ] == []


def test_kafkas_own_text_and_a_reason_of_its_clients_stay_and_the_preview_names_what_leaves():
    found = events(
        log(
            begins(0, 2, f"Removing member {MEMBER} on LeaveGroup{SAID}", group=GROUP),
            *ends(1, 3, group=GROUP),
        )
    )
    closed = events(
        log(
            begins(
                0,
                2,
                f"Removing member {MEMBER} on LeaveGroup; client reason: the consumer is being"
                " closed",
            )
        )
    )

    _, (_, line) = redacted(*document(found, group=GROUP), KINDS)
    rows = {
        row.kind: (row.name, row.stand_in)
        for row in preview(*document(found, group=GROUP), ("client reasons",))
    }

    assert line["lines"][0]["text"] == (
        "Preparing to rebalance group group-01 in state PreparingRebalance with old generation 2 "
        "(reason: Removing member member-02 on LeaveGroup; client reason: reason-01)."
    )
    assert (rows["client reason"], rows["group"]) == ((SECRET, "reason-01"), (GROUP, None))
    assert "the consumer is being closed" in hidden(*closed, group="pay")


@pytest.mark.parametrize(
    "reason",
    [
        (
            f"Updating metadata for static member {MEMBER} with instance id {INSTANCE}; client"
            " reason: x"
        ),
        (
            f"Group's selectedProtocol will change because static member {MEMBER} with instance id"
            f" {INSTANCE} joined with change of protocol"
        ),
        f"Removing Set({MEMBER}, {INSTANCE}) on pending sync request expiration",
        f"Removing [{MEMBER}, {INSTANCE}] on pending sync request expiration.",
        (
            f"Freshly-loaded group {GROUP} (size 3) is over capacity 2. Rebalancing in order to"
            " give a chance for consumers to commit offsets"
        ),
        (
            "Error COORDINATOR_NOT_AVAILABLE when storing group assignment during SyncGroup"
            f" (member: {MEMBER})"
        ),
    ],
)
def test_names_in_kafkas_own_reason_are_hidden_where_reasons_of_clients_leave(reason):
    said = quoted(begins(0, 2, reason, group=GROUP), group=GROUP, kinds=NAMED)

    assert [name for name in (GROUP, MEMBER, INSTANCE) if name in said] == []
    assert (reason.split(" ", 1)[0], reason.endswith("x")) == (
        said.split("(reason: ")[1].split(" ", 1)[0],
        said.endswith("x)."),
    )


@pytest.mark.parametrize("said", [f"topics to: [{TOPIC}, margay].", f"regex to: {TOPIC}-margay.*"])
def test_topics_of_a_subscription_are_hidden_where_other_words_leave(said):
    text = quoted(
        (1, f"[GroupId pay] Member zebra updated its subscribed {said}"), kinds=("topics",)
    )

    assert "updated its subscribed " in text
    assert "ocelot" not in text
    assert "margay" not in text


@pytest.mark.parametrize(
    ("said", "hidden_said"),
    [
        # GroupMetadataManager.java, with names in place of ids.
        (
            (
                "[GroupId pay] Member zebra new assignment state: epoch=3, previousEpoch=2,"
                " state=STABLE, assignedPartitions=[ocelot-1, margay-0] and"
                " partitionsPendingRevocation=[]."
            ),
            (
                "[GroupId pay] Member zebra new assignment state: epoch=3, previousEpoch=2,"
                " state=STABLE, assignedPartitions=[topic-02-1, topic-01-0] and"
                " partitionsPendingRevocation=[]."
            ),
        ),
        # A topic may be called like a word of Kafka.
        (
            (
                "[GroupId pay] Member zebra new assignment state: epoch=3, previousEpoch=2,"
                " state=STABLE, assignedPartitions=[state-2024] and"
                " partitionsPendingRevocation=[NO_RACKS-1, 2024-0]."
            ),
            (
                "[GroupId pay] Member zebra new assignment state: epoch=3, previousEpoch=2,"
                " state=STABLE, assignedPartitions=[topic-03-2024] and"
                " partitionsPendingRevocation=[topic-02-1, topic-01-0]."
            ),
        ),
    ],
)
def test_topics_that_kafka_writes_into_its_lines_are_hidden_where_topics_alone_are(
    said, hidden_said
):
    assert quoted((0, said), kinds=("topics",)) == hidden_said


@pytest.mark.parametrize(
    "message",
    [
        begins(0, 2, "explicit `LeaveGroup` request for (Margay(zebra)) members."),
        (0, "Preparing to rebalance group pay in state Margay with old generation 2"),
        begins(0, 2, "Leader zebra re-joining group during Margay"),
        begins(0, 2, "Updating metadata for member zebra during Margay"),
        (0, "[GroupId pay] Converted the Margay group to a consumer group."),
        (
            0,
            (
                "Pending dynamic member with id zebra joins group pay in Margay state. Adding to"
                " the group now."
            ),
        ),
    ],
)
def test_a_word_that_stands_where_kafka_has_a_list_or_a_state_or_a_type_is_hidden(message):
    assert "Margay" not in quoted(message)


def quoted(message, group="pay", kinds=KINDS):
    """Return the text of a line of a log as a share has it."""
    (one,) = events(log(begins(0, 2, "unknown", group=group), *ends(1, 3, group=group)))
    one.evidence[0] = one.evidence[0]._replace(text=message[1])
    return redacted(*document([one], group=group), kinds)[1][1]["lines"][0]["text"]


NAMED = ("group name", "members", "instance ids")
NAMES = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=5, max_size=30
).map(lambda text: f"ß{text.strip()}¢")


@given(GROUP=NAMES, member_id=NAMES, reason=NAMES)
def test_names_and_reasons_of_any_signs_have_stand_ins(GROUP, member_id, reason):
    text = f"Removing member {member_id} on LeaveGroup; client reason: {reason}"
    found = events(log(begins(0, 2, text, group=GROUP), *ends(1, 3, group=GROUP, leader=member_id)))
    group = found[0].group if found else GROUP

    said = json.dumps(redacted(*document(found, group=group), KINDS), ensure_ascii=False)

    assert "ß" not in said
    assert "¢" not in said


@pytest.mark.parametrize("damage", [{"lines": "x"}, {"files": 3}, {"first": "noon"}])
def test_a_damaged_document_is_refused(damage):
    shown, lines = document(read(RESTART).events)

    with pytest.raises(SnapshotError, match="damaged"):
        thawed(shown | damage, lines)


def test_records_of_the_topic_leave_no_topic_and_no_owner():
    records = [
        classic(
            "pay",
            2,
            member(MEMBER, CLIENT, [0]),
            member("yak-2", "okapi", [1]),
            at=_NOON,
            leader=MEMBER,
        ),
        classic("pay", 3, member("yak-2", "okapi", [0, 1]), at=_NOON + 1_000, leader=MEMBER),
    ]
    found = read(RESTART, records=records).events

    said = hidden(*found, group="pay")

    assert dump(*records)
    assert [name for name in (MEMBER, CLIENT, "okapi", "orders") if name in said] == []
