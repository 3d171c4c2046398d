"""Remarks on the assignors' answers: unknown inputs that decide an answer, and Kafka's quirks."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import (
    MEMBER_ORDER,
    MEMBER_RACKS,
    REPLICA_RACKS,
    AssignorError,
    NotKnownError,
)
from evenkeel.assignors.compare.comparison import Row
from evenkeel.assignors.compare.facts import NO_FACTS, Facts
from evenkeel.assignors.compare.quirks import Quirk
from evenkeel.dashboard.shell.answer_words import (
    LEADER_CRASH,
    UNDEFINED,
    in_words,
    is_deadly,
    is_gap,
)
from evenkeel.dashboard.view import View
from evenkeel.data.compare import quirk_words
from evenkeel.data.group.columns import assumed_paths
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.assumption_words import assumption_words, in_words_all, topic_name
from evenkeel.data.scenarios.input_faults import about_input
from evenkeel.data.scenarios.stored_groups import AUTO_OFFSET_RESET
from evenkeel.data.text.formats import count, exact, listed

EVERY = "every assignor"
INPUT = "this input"


class Remark(NamedTuple):
    """Sentences that hold for every assignor in `names`."""

    names: tuple[str, ...]
    sentences: tuple[str, ...]


def remarks(
    view: View, facts: Mapping[str, Facts], why: Mapping[str, Sequence[str]]
) -> list[Remark]:
    """Return the remarks on the input, then on all answers, then on single assignors.

    Assignors with the same sentences share a remark. `why`: result of `reasons`.
    """
    shared = [
        reason
        for reason in next(iter(why.values()), ())
        if all(reason in other for other in why.values())
    ]
    odd = [
        *about_input(view.observed, view.comparison.rows, view.names),
        *in_words_all(view.observed, {AUTO_OFFSET_RESET} & set(view.observed.assumed)),
    ]
    names_by_text: dict[tuple[str, ...], list[str]] = {tuple(odd): [INPUT]} if odd else {}
    if shared:
        names_by_text[_outcome(shared),] = [EVERY]
    for row in view.comparison.rows[1:]:
        own = [reason for reason in why.get(row.name, ()) if reason not in shared]
        known = facts.get(row.name, NO_FACTS)
        struck = [sentence(view, row.name, quirk, row.error) for quirk in known.quirks]
        sentences = (
            *_failure(row),
            *_later(known),
            *([_outcome(own)] if own else ()),
            *struck,
            *_by_racks(view, known),
            *_shared(known),
        )
        if sentences:
            names_by_text.setdefault(sentences, []).append(row.name)
    return [Remark(tuple(names), sentences) for sentences, names in names_by_text.items()]


def _outcome(why: list[str]) -> str:
    return f"This is {ONE_VALID_OUTCOME} of several: {'; '.join(why)}."


def _by_racks(view: View, facts: Facts) -> tuple[str, ...]:
    if not facts.by_racks:
        return ()
    partitions = count(view.comparison.group.tp_count, "partition")
    return (
        (
            f"Racks decide: without racks, {exact(facts.by_racks)} of {partitions} would have"
            " another owner."
        ),
    )


def _shared(facts: Facts) -> tuple[str, ...]:
    if not facts.sharing:
        return ()
    members, partitions = (
        count(facts.sharing.member_count, "member"),
        count(facts.sharing.partition_count, "partition"),
    )
    return (
        (
            f"{members} share {partitions}, and each record goes to one of these members: behaviour"
            " Q-29 of Kafka's broker."
        ),
    )


def _failure(row: Row) -> tuple[str, ...]:
    """Return sentences about the assignor's error; empty if the table's row already shows the
    error.
    """
    if not row.error or isinstance(row.error, NotKnownError) or is_gap(row.error):
        return ()
    text = in_words(row.error)
    return (f"{text[0].upper()}{text[1:]}.", *_behaviour(row.error))


def _later(facts: Facts) -> tuple[str, ...]:
    if not facts.later_error:
        return ()
    return (f"In a later round {in_words(facts.later_error)}.", *_behaviour(facts.later_error))


def _behaviour(error: AssignorError) -> tuple[str, ...]:
    number = of_error(error)
    if is_deadly(error):
        return (f"Every next leader with the same client dies too: behaviour {number}.",)
    return (f"Behaviour {number}.",) if number else ()


# Reasons why an answer is one of several valid outcomes: unknown inputs decide it.


ONE_VALID_OUTCOME = "one valid outcome"

_TOPIC = re.compile(r"topics\[([0-9]{1,9})\](?:\.partitions\[[^\]]*\])?\.(\w+)")
_OF_TOPICS = {
    "topic_id": (
        "the answer depends on topic ids, which are unknown ({}): Evenkeel made ids from the names"
    ),
    "lag": "the answer depends on lag, which is unknown ({}): 0 is used",
    "partitions": (
        "the number of partitions is unknown ({}): the highest partition number, plus one, is used"
    ),
}
_UNKNOWN = {
    MEMBER_ORDER: (
        "the answer depends on the coordinator's order of the members, which is not in this input"
    ),
    MEMBER_RACKS: (
        "racks of the members are not in this input; each member counts as if it had no rack"
    ),
    REPLICA_RACKS: (
        "racks of the replicas are not in this input; each replica counts as if it had no rack"
    ),
}


def reasons(view: View, facts: Mapping[str, Facts]) -> dict[str, tuple[str, ...]]:
    """Return, for each assignor, a sentence for each unknown input that decides its answer.

    A tuple is empty if no unknown input decides the answer.
    """
    answers = [row for row in view.comparison.rows[1:] if row.assignment]
    return {row.name: _of_row(view.observed, row, facts.get(row.name, NO_FACTS)) for row in answers}


def _of_row(observed: ObservedGroup, row: Row, facts: Facts) -> tuple[str, ...]:
    topics_by_words: dict[str, list[str]] = {}
    for path in assumed_paths(observed, row.assignment):
        place = _TOPIC.fullmatch(path)
        if place and place[2] in _OF_TOPICS:
            topics_by_words.setdefault(_OF_TOPICS[place[2]], []).append(
                topic_name(observed, place[1])
            )
        else:
            topics_by_words.setdefault(assumption_words(observed, path), [])
    sentences = [
        words.format(listed(dict.fromkeys(topics))) if topics else words
        for words, topics in topics_by_words.items()
    ]
    return (*sentences, *(_UNKNOWN[unknown] for unknown in facts.unknown))


# Kafka's numbered behaviours: meaning, advice for the operator, and the sentence if a behaviour
# affects an answer.


class Meaning(NamedTuple):
    """Meaning of a quirk, and advice. `text`: as in `docs/assignors.md`. `action`: None if no
    action helps.
    """

    text: str
    action: str | None = None


_EQUAL = "Let all members subscribe to the same topics"

MEANINGS = {
    "Q-1": Meaning(
        "A member without a rack counts as local to every partition. It can take partitions"
        " that are local to a second member. The second member then gets distant partitions.",
        "Give every member a client.rack.",
    ),
    "Q-2": Meaning(
        "If one topic needs racks, Kafka assigns all topics of equal size and with equal"
        " subscribers together, one partition number at a time, even topics that need no racks."
        " If no partition number has a replica of each of these topics in a member's rack, the"
        " member comes last and gets the remaining partitions, or none.",
        "Run members only in racks that hold replicas, or keep a replica of every partition in each"
        " of their racks.",
    ),
    "Q-3": Meaning(
        "A member that does not subscribe to a topic loses its turn. So unequal subscriptions"
        " give an uneven result: if topics of 1, 2 and 3 partitions have three, two and one"
        " subscribers, three members get 1, 1 and 4 partitions.",
        f"{_EQUAL}, or choose an assignor that counts partitions, such as cooperative-sticky.",
    ),
    "Q-4": Meaning(
        "The leader remembers the highest generation that it has ever seen (max_generation),"
        " even after the group's generations have started again at 1.",
    ),
    "Q-5": Meaning(
        "If a member subscribes to nothing, and hash codes of member ids put this member before"
        " the others, Kafka treats it as subscribed to every topic. This member gets partitions"
        " of topics outside its subscription. Its client refuses the assignment and rejoins at"
        " every rebalance, so the rebalances never end.",
        "Remove the member that subscribes to nothing, or give it a subscription.",
    ),
    "Q-6": Meaning(
        "If a member claims a partition number beyond the topic's size, Kafka keeps the claim."
        " The claim can give other partitions a second owner, or cause an IllegalStateException.",
        "Restart the member that claims it.",
    ),
    "Q-8": Meaning(
        "If subscriptions differ, a partition may go back to its owner of an older generation,"
        " although this member no longer subscribes to the topic. The member's client refuses"
        " the assignment and rejoins. With cooperative-sticky, the next rebalance repairs this:"
        " all members then report one generation. With sticky, the member reports its old"
        " partitions again at every rebalance, so the rebalances never end.",
        "Restart the member that claims partitions from an older generation.",
    ),
    "Q-9": Meaning(
        "If Kafka moves a partition “within its rack”, the partition goes to the subscriber"
        " with the fewest partitions, even if this subscriber is in another rack.",
    ),
    "Q-10": Meaning(
        "uniform, broker-range and simple ignore racks.",
        "If reads across racks are expensive, choose range, sticky or"
        " cooperative-sticky: they use racks.",
    ),
    "Q-12": Meaning(
        "If subscriptions overlap in a chain (A and B read one topic, B and C another), under"
        " uniform the members at the ends of the chain may differ by one partition for each"
        " link, here by two.",
        f"{_EQUAL}, or use one group for each set of topics.",
    ),
    "Q-24": Meaning(
        "The assignor counts each topic's partitions and lag separately, so it does not balance"
        " across topics. If members have equal counts and lags, the smallest member id always"
        " wins. With many topics of one partition, one member gets all partitions.",
        "For many small topics choose an assignor that counts across topics, such as"
        " cooperative-sticky.",
    ),
    "Q-25": Meaning(
        "If two live members have the same group.instance.id, hash codes of their member ids"
        " decide their order. This is a configuration fault; it occurs while one member replaces"
        " the other.",
        "Give each member its own group.instance.id.",
    ),
    "Q-29": Meaning(
        "simple gives every partition to several members if there are more members than"
        " partitions. With differing subscriptions, partitions of a topic without subscribers stay"
        " with their owners.",
        "Shared partitions need no action. Members give up topics without subscribers once all"
        " members subscribe to the same topics.",
    ),
    "Q-31": Meaning(
        "kafka-python puts the members in the coordinator's order. A run is a series of members"
        " that are all static or all dynamic. Only the last run of static members and the last"
        " run of dynamic members get partitions.",
        "Make all members static, or none.",
    ),
    "Q-32": Meaning(
        "kafkajs and platformatic assign the leader's topics to all members, even to"
        " members that do not subscribe to these topics. Topics to which the leader does"
        " not subscribe get no owner.",
        f"{_EQUAL}.",
    ),
    "Q-33": Meaning(
        "If subscriptions differ, the leader can die. librdkafka's list of moves contradicts"
        " itself; then an assertion ends the process, or the process reads freed memory. The"
        " next leader with librdkafka dies too.",
        f"{_EQUAL}, or stop all members and start them with range or roundrobin.",
    ),
    "Q-34": Meaning(
        "An owner does not keep partitions without a replica in the owner's rack: every"
        " rebalance assigns these partitions again, and the rebalances may never end. If another"
        " member has a rack, an empty client.rack counts as a rack without replicas.",
        "Remove client.rack from all members, or choose range or roundrobin.",
    ),
    "Q-35": Meaning(
        "If the assignor gives a partition to no member, the partition goes back to its owner."
        " Examples are partitions of deleted topics, partitions beyond a topic's size, and"
        " partitions of topics without subscribers.",
        "Restart the member that keeps them.",
    ),
    "Q-36": Meaning(
        "kafka-python's leader fails with KeyError if the next member in turn does not"
        " subscribe to the topic. The group then hangs in CompletingRebalance.",
        f"{_EQUAL}, or choose range.",
    ),
    "Q-37": Meaning(
        "In each topic, range of kafka-go gives the last member one of the longer ranges, or"
        " the only partition. So with many small topics the last members get more partitions.",
        "Choose roundrobin, or fewer, larger topics.",
    ),
    "Q-38": Meaning(
        "The sticky assignors of kafka-python and aiokafka fail with KeyError if a partition"
        " should go back to its owner of an older generation, and this member already has as"
        " many partitions as it can have.",
        "Restart the members: this removes their claims from older generations.",
    ),
    "Q-39": Meaning(
        "Static members do not come first. Two static members are compared by instance id, any"
        " other two members by member id. With static and dynamic members together, this order"
        " contradicts itself, and the sort function of the leader's C library decides the"
        " answer. Evenkeel reproduces glibc.",
        "Make all members static, or none.",
    ),
}


_OF_ERRORS = {LEADER_CRASH: "Q-33", UNDEFINED: "Q-33", "KeyError": "Q-36"}
"""Behaviours that show as an error of another client's leader."""


def named(facts: Mapping[str, Facts], rows: Iterable[Row] = ()) -> list[str]:
    """Return the numbers of the quirks that affect at least one answer (`Q-5`), lowest first."""
    names = {quirk.name for known in facts.values() for quirk in known.quirks}
    errors = [*(row.error for row in rows), *(known.later_error for known in facts.values())]
    names |= {number for error in errors if (number := of_error(error))}
    shared = {"Q-29"} if any(known.sharing for known in facts.values()) else set()
    return sorted((names | shared) & MEANINGS.keys(), key=lambda name: int(name[2:]))


def of_error(error: AssignorError | None) -> str | None:
    """Return the number of the quirk that causes an error, None if no quirk causes it."""
    if error and error.java_class == "KeyError" and not str(error).startswith("roundrobin"):
        return "Q-38"
    return _OF_ERRORS.get(error.java_class) if error else None


def sentence(view: View, assignor: str, quirk: Quirk, error: AssignorError | None = None) -> str:
    """Return the sentence about a quirk. It names the affected members in the order of the page.

    `error`: the assignor's error, if it has no answer.
    """
    members = [view.names[member] for member in view.order[np.isin(view.order, quirk.member)]]
    topics = [view.comparison.group.topic_name[topic] for topic in np.unique(quirk.topic)]
    return quirk_words.sentence(assignor, quirk.name, members, topics, error)
