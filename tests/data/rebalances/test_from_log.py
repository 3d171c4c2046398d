"""Causes from a log: each row of the table, with short logs whose truth is counted by hand."""

import pytest

from evenkeel.data.rebalances.chains import chains, is_rolling_restart, link, returned
from evenkeel.data.rebalances.reading.from_log import LogCauses
from evenkeel.data.sources.coordinator_log import LogHistory

A, B, C = (
    f"{name}-00000000-0000-0000-0000-00000000000{number}"
    for number, name in enumerate(("pay-a", "pay-b", "pay-c"), 1)
)


def log(*messages, broker=1):
    """Lines of `(seconds after noon, message)`."""
    return "".join(
        f"[2026-11-23 12:{int(at) // 60:02}:{int(at) % 60:02},{round(at % 1 * 1000):03}] INFO"
        f" [GroupCoordinator id={broker}] {text} (kafka.coordinator.group.GroupCoordinator)\n"
        for at, text in messages
    ).encode()


def events(*texts):
    causes = LogCauses()
    for said in LogHistory([(f"log-{number}", text) for number, text in enumerate(texts)]):
        causes.take(said)
    found = causes.events()
    link(found)
    return found


def begins(at, old, reason, group="pay"):
    return (
        at,
        (
            f"Preparing to rebalance group {group} in state PreparingRebalance with old generation"
            f" {old} (reason: {reason})."
        ),
    )


def ends(at, number, members=2, leader=A, group="pay"):
    return [
        (at, f"Stabilized group {group} generation {number} with {members} members."),
        (
            at + 0.01,
            f"Assignment received from leader {leader} for group {group} for generation {number}. "
            f"The group has {members} members, 0 of which are static.",
        ),
    ]


def adds(member, instance="null", said="not provided"):
    return f"Adding new member {member} with group instance id {instance}; client reason: {said}"


@pytest.mark.parametrize(
    ("reason", "cause", "alternatives", "client"),
    [
        (adds(B), "member_joined", (), "pay-b"),
        (f"Adding new member {B} with group instanceid None", "member_joined", (), "pay-b"),
        (
            f"explicit `LeaveGroup` request for ({B}) members.",
            "member_left",
            ("poll_timeout",),
            "pay-b",
        ),
        (
            f"Removing member {B} on LeaveGroup; client reason: consumer poll timeout has expired.",
            "poll_timeout",
            (),
            "pay-b",
        ),
        (
            f"Removing member {B} on LeaveGroup; client reason: the consumer is being closed",
            "member_left",
            (),
            "pay-b",
        ),
        (f"removing member {B} on heartbeat expiration.", "session_timeout", (), "pay-b"),
        (
            (
                f"Leader {B} re-joining group during Stable; client reason: cached metadata has"
                " changed"
            ),
            "metadata_changed",
            (),
            "pay-b",
        ),
        (
            f"Leader {B} re-joining group during Stable; client reason: subscription has changed",
            "subscription_changed",
            (),
            "pay-b",
        ),
        (
            (
                f"Leader {B} re-joining group during Stable; client reason: need to revoke"
                " partitions and re-join"
            ),
            "follow_up",
            (),
            "pay-b",
        ),
        (
            f"Leader {B} re-joining group during Stable; client reason: operator asked",
            "leader_rejoined",
            (),
            "pay-b",
        ),
        (
            f"Leader {B} re-joining group during Stable; client reason: not provided",
            "leader_rejoined",
            ("metadata_changed", "subscription_changed", "follow_up"),
            "pay-b",
        ),
        (
            f"Updating metadata for member {B} during Stable; client reason: not provided",
            "subscription_changed",
            ("follow_up",),
            "pay-b",
        ),
        (
            f"Updating metadata for member {B}",
            "subscription_changed",
            ("metadata_changed", "leader_rejoined", "follow_up"),
            "pay-b",
        ),
        (f"Removing {B} on pending sync request expiration", "sync_timeout", (), None),
        (
            (
                "Freshly-loaded group pay (size 3) is over capacity 2. Rebalancing in order to give"
                " a chance"
            ),
            "group_over_capacity",
            (),
            None,
        ),
        (
            "Error COORDINATOR_NOT_AVAILABLE when storing group assignment during SyncGroup",
            "assignment_not_stored",
            (),
            None,
        ),
        (
            "Updating metadata for static member pay-b with instance id slot-1",
            "static_member_rejoined",
            (),
            None,
        ),
        ("a reason that no release writes", "unknown", (), None),
    ],
)
def test_the_reason_decides_the_cause_what_else_it_permits_and_the_member(
    reason, cause, alternatives, client
):
    (one,) = events(log(begins(10, 4, reason), *ends(11, 5)))

    assert (one.cause, one.alternatives) == (cause, alternatives)
    assert [trigger.member and trigger.member.client_id for trigger in one.triggers] == [client]
    assert (one.generation_before, one.generation, one.members, one.leader) == (4, 5, 2, A)
    assert (one.duration_ms, one.end_is, one.completed) == (1010, "assigned", True)


def test_a_clients_reason_is_never_read_as_a_message():
    said = (
        f"Stabilized group pay generation 9 with 1 members. explicit `LeaveGroup` request for ({A})"
        " members."
    )

    (one,) = events(log(begins(1, 4, adds(B, said=said)), *ends(2, 5)))

    assert (one.cause, one.triggers[0].member.client_id, one.triggers[0].reason) == (
        "member_joined",
        "pay-b",
        said,
    )


def test_a_member_that_goes_while_others_are_waited_for_is_a_further_trigger_and_was_the_slowest():
    (one,) = events(
        log(
            begins(10, 2, adds(C)),
            (
                16.4,
                (
                    f"[Group pay] Member {B} has left group through explicit `LeaveGroup` request;"
                    " client reason: consumer poll timeout has expired."
                ),
            ),
            *ends(16.45, 3),
        )
    )

    assert [(trigger.cause, trigger.member.client_id) for trigger in one.triggers] == [
        ("member_joined", "pay-c"),
        ("poll_timeout", "pay-b"),
    ]
    assert (one.slowest[0].client_id, one.slowest[1]) == ("pay-b", 6400)
    assert [member.client_id for member in one.members_left] == ["pay-b"]
    assert [evidence.place for evidence in one.evidence] == [
        "log-0:1",
        "log-0:2",
        "log-0:3",
        "log-0:4",
    ]


def test_a_second_preparing_is_the_same_rebalance_unless_its_generation_is_new():
    first, second = events(
        log(
            begins(1, 4, adds(B)),
            begins(2, 4, adds(C)),
            (3, "Stabilized group pay generation 5 with 3 members."),
            begins(3.5, 5, f"removing member {C} on heartbeat expiration."),
            *ends(4, 6),
        )
    )

    assert ([trigger.cause for trigger in first.triggers], first.completed) == (
        ["member_joined", "member_joined"],
        False,
    )
    assert (second.cause, second.generation, second.completed) == ("session_timeout", 6, True)


def test_a_file_that_begins_inside_a_rebalance_tells_what_it_has_and_no_cause():
    (one,) = events(log(*ends(1, 7, members=3)))

    assert (one.cause, one.start, one.generation_before, one.generation, one.members) == (
        "unknown",
        None,
        6,
        7,
        3,
    )
    assert one.duration_ms is None


def test_a_group_that_becomes_empty_is_a_rebalance_and_one_of_generation_0_is_none():
    (one,) = events(
        log(
            (0, "Group pay with generation 0 is now empty."),
            begins(1, 4, f"explicit `LeaveGroup` request for ({A}) members."),
            (1, "Group pay with generation 5 is now empty."),
        )
    )

    assert (one.cause, one.members, one.generation, one.end_is, one.duration_ms) == (
        "member_left",
        0,
        5,
        "joined",
        0,
    )


def test_a_static_member_that_is_back_is_no_rebalance_and_its_later_ids_are_its_instance():
    back = (
        "Static member with groupInstanceId=slot-1 and unknown member id joins group pay in Stable"
        f" state. Replacing previously mapped member {A} with this groupInstanceId."
    )
    new = "slot-1-00000000-0000-0000-0000-000000000009"

    (one,) = events(
        log(
            (1, back), begins(9, 4, f"removing member {new} on heartbeat expiration."), *ends(10, 5)
        )
    )

    assert one.triggers[0].member == (new, None, "slot-1")


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        (
            (
                f"Leader {A} re-joining group during Stable; client reason: cached metadata has"
                " changed"
            ),
            "coordinator_moved",
        ),
        (adds("pay-a-11111111-0000-0000-0000-000000000001"), "coordinator_moved"),
        (adds(C), "member_joined"),
    ],
)
def test_a_coordinator_that_was_just_loaded_is_the_cause_where_its_members_come_again(
    reason, cause
):
    found = events(
        log(begins(1, 0, adds(A)), *ends(2, 1, 1)),
        log(
            (20, "Loaded classic group pay with 1 members."),
            begins(24, 1, reason),
            *ends(25, 2, 1),
            broker=2,
        ),
    )

    assert (found[-1].cause, found[-1].alternatives, found[-1].coordinator) == (cause, (), 2)
    assert found[-1].triggers[0].cause != "coordinator_moved"


# KIP-848 groups.


def bump(at, epoch, number=5):
    return at, f"[GroupId pay] Bumped group epoch to {epoch} with metadata hash {number}."


def test_a_bump_has_the_members_that_came_and_went_just_before_it():
    first, second, third = events(
        log(
            (1, "[GroupId pay] Member aaa joins the consumer group using the consumer protocol."),
            bump(1, 2),
            (
                1.1,
                (
                    "[GroupId pay] Computed a new target assignment for epoch 2 with 'uniform'"
                    " assignor in 4ms."
                ),
            ),
            (5, "[GroupId pay] Member bbb joins the consumer group using the consumer protocol."),
            bump(5.2, 3),
            (
                9,
                (
                    "[GroupId pay] Member bbb fenced from the group because the member session"
                    " expired."
                ),
            ),
            bump(9, 4),
            (
                9.1,
                (
                    "[GroupId pay] Computed a new target assignment for epoch 4 with 'uniform'"
                    " assignor in 4ms."
                ),
            ),
        )
    )

    assert [(one.cause, one.alternatives) for one in (first, second, third)] == [
        ("member_joined", ()),
        ("member_joined", ()),
        ("session_timeout", ("poll_timeout",)),
    ]
    assert [one.members for one in (first, second, third)] == [1, 2, 1]
    # The target of epoch 4 is the first with an epoch of 3 or more.
    assert [one.joined - one.start for one in (first, second, third)] == [100, 3900, 100]
    assert (first.generation_before, second.generation_before) == (None, 2)


def test_the_same_member_id_that_comes_back_had_run_out_of_its_poll_interval():
    found = events(
        log(
            (1, "[GroupId pay] Member bbb left the consumer group."),
            bump(1, 7),
            (20, "[GroupId pay] Member bbb joins the consumer group using the consumer protocol."),
            bump(20, 8),
        )
    )

    assert (found[0].cause, found[0].alternatives) == ("poll_timeout", ("member_left",))
    assert found[1].cause == "member_joined"


@pytest.mark.parametrize(
    ("number", "cause", "alternatives"),
    [(5, "subscription_changed", ()), (6, "metadata_changed", ("subscription_changed",))],
)
def test_a_bump_without_a_member_is_told_by_its_hash(number, cause, alternatives):
    found = events(log(bump(1, 7), bump(20, 8, number)))

    assert (found[1].cause, found[1].alternatives, found[1].triggers[0].member) == (
        cause,
        alternatives,
        None,
    )


def test_a_group_that_is_converted_says_so_and_keeps_the_joiner_as_its_trigger():
    found = events(
        log(
            begins(1, 0, adds(A)),
            *ends(2, 1, 1),
            (30, "[GroupId pay] Converted the classic group to a consumer group."),
            (30, "[GroupId pay] Member ccc joins the consumer group using the consumer protocol."),
            bump(30.1, 2),
            (31, f"[GroupId pay] Member {A} joins the consumer group using the classic protocol."),
        )
    )

    assert [(one.cause, one.conversion) for one in found] == [
        ("member_joined", None),
        ("protocol_converted", "classic_to_consumer"),
    ]
    assert found[1].triggers[0].member.member_id == "ccc"


def test_an_empty_classic_group_that_is_converted_begins_anew():
    found = events(
        log(
            begins(1, 12, f"explicit `LeaveGroup` request for ({A}) members."),
            (1, "Group pay with generation 13 is now empty."),
            (60, "[GroupId pay] Converted the empty classic group to a consumer group."),
            (60, "[GroupId pay] Member aaa joins the consumer group using the consumer protocol."),
            bump(60, 2),
            (65, "[GroupId pay] Member bbb joins the consumer group using the consumer protocol."),
            bump(65, 3),
        )
    )

    assert [
        (one.protocol, one.generation_before, one.generation, one.cause, one.members)
        for one in found
    ] == [
        ("classic", 12, 13, "member_left", 0),
        ("consumer", None, 2, "member_joined", 1),
        ("consumer", 2, 3, "member_joined", 2),
    ]


def test_a_consumer_group_that_was_deleted_begins_anew():
    lives = [
        (at, epoch)
        for life in (0, 600)
        for at, epoch in ((life + 10 * epoch, epoch) for epoch in range(2, 7))
    ]

    found = events(log(*(bump(at, epoch) for at, epoch in lives), bump(700, 6), bump(701, 5)))

    assert [one.generation for one in found] == [2, 3, 4, 5, 6, 2, 3, 4, 5, 6]
    assert [one.generation_before for one in found[5:7]] == [None, 2]


def test_a_static_member_that_goes_for_a_while_and_comes_back_is_no_trigger_and_still_counted():
    found = events(
        log(
            (
                1,
                (
                    "[GroupId pay] Static member aaa with instance id slot-1 joins the consumer"
                    " group using the consumer protocol."
                ),
            ),
            bump(1, 2),
            (
                3,
                (
                    "[GroupId pay] Static member aaa with instance id slot-1 temporarily left the"
                    " consumer group."
                ),
            ),
            (
                4,
                (
                    "[GroupId pay] Static member with instance id slot-1 re-joins the consumer"
                    " group using the consumer protocol. Created a new member bbb to replace the"
                    " existing member aaa."
                ),
            ),
            (4.2, "[GroupId pay] Member ccc joins the consumer group using the consumer protocol."),
            bump(4.3, 3),
        )
    )

    assert [
        (one.cause, one.members, [trigger.member.name for trigger in one.triggers]) for one in found
    ] == [
        ("member_joined", 1, ["slot-1"]),
        ("member_joined", 2, ["ccc"]),
    ]


# Chains.


def test_a_rolling_restart_of_two_hundred_members_is_one_chain():
    members = [f"pay-{number:03}-00000000-0000-0000-0000-{number:012}" for number in range(200)]
    again = [f"pay-{number:03}-11111111-0000-0000-0000-{number:012}" for number in range(200)]
    lines, at, generation = [], 0.0, 10
    for old, new in zip(members, again, strict=True):
        lines += [
            begins(
                at,
                generation,
                f"Removing member {old} on LeaveGroup; client reason: the consumer is being closed",
            )
        ]
        lines += [
            *ends(at + 1, generation + 1, 199),
            begins(at + 3, generation + 1, adds(new)),
            *ends(at + 4, generation + 2, 200),
        ]
        at, generation = at + 8, generation + 2

    found = events(log(*lines))

    assert len(found) == 400
    ((name, linked),) = chains(found).items()
    assert (name, len(linked), is_rolling_restart(linked)) == ("pay@11", 400, True)
    assert returned(linked) == [f"pay-{number:03}" for number in range(200)]


def test_a_rest_longer_than_the_gap_ends_a_chain():
    found = events(
        log(
            begins(0, 1, adds(A)),
            *ends(1, 2),
            begins(31, 2, adds(B)),
            *ends(32, 3),
            begins(62.2, 3, adds(C)),
            *ends(63, 4),
        )
    )

    assert [one.chain for one in found] == ["pay@2", "pay@2", "pay@4"]
