"""Sentences about Kafka's quirks: the affected members, the effect, and the quirk's number."""

from collections.abc import Sequence

from evenkeel.assignors import ASSIGNORS, CLIENTS
from evenkeel.assignors.assignment import REQUEST_ERROR, AssignorError
from evenkeel.assignors.compare.quirks import REMAINDER
from evenkeel.data.text.formats import listed

_WORDS = {
    REMAINDER: (
        "{who} {have} at least two more partitions than other subscribers of {topics}: "
        "in every topic the first members get the remainder"
    ),
    "Q-1": (
        "{who} get{s} partitions of {topics} without a replica in {their} rack, while partitions"
        " with such a replica go to members without a rack"
    ),
    "Q-2": (
        "{who} {are} served last in {topics}, because {their} rack lacks replicas; Kafka uses racks"
        " for {topics} only because another topic needs racks"
    ),
    "Q-3": (
        "{who} {have} at least two more partitions than other subscribers of {topics}, because a"
        " member that does not subscribe to a topic loses its turn"
    ),
    "Q-4": (
        "{who} get{s} other partitions of {topics} than a fresh leader would assign, because this"
        " leader remembers a higher generation"
    ),
    "Q-5": "{who} get{s} partitions of {topics}, to which {they} never subscribed",
    "Q-6": (
        "{who} claim{s} partitions of {topics} that do not exist, and keep{s} them; other"
        " partitions may get a second owner"
    ),
    "Q-8": (
        "{who} get{s} back partitions of {topics} that {they} owned in an older generation, but no"
        " longer subscribe{s} to; the client refuses them and rejoins"
    ),
    "Q-9": (
        "{who} get{s} partitions of {topics} without a replica in {their} rack, "
        "although a subscriber in a rack with a replica could take them"
    ),
    "Q-10": (
        "{who} get{s} partitions of {topics} without a replica in {their} rack, because this"
        " assignor ignores racks"
    ),
    "Q-12": (
        "{who} {have} at least two more partitions than other subscribers of {topics}, because the"
        " members' subscriptions overlap but are not equal"
    ),
    "Q-24": (
        "{who} {together}get{s} all of {topics}, "
        "because counts and lag start at 0 in every topic and the smallest member ids win every tie"
    ),
    "Q-25": (
        "{who} {have} the same group.instance.id, so hash codes decide how they share the"
        " partitions of {topics}"
    ),
    "Q-29": "{who} keep{s} partitions of {topics}, to which no member subscribes any more",
    "Q-31": (
        "{who} get{s} nothing of {topics}, because static and dynamic members alternate in the"
        " member order: only the last run of static members and the last run of dynamic members get"
        " partitions"
    ),
    "Q-32": "{who} get{s} partitions of {topics}, to which {they} never subscribed",
    "Q-34": (
        "{who} own{s} partitions of {topics} without a replica"
        " in {their} rack, and every rebalance assigns these partitions again"
    ),
    "Q-37": (
        "{who} {have} at least two more partitions than other subscribers of {topics}: "
        "in every topic the last members get the longer ranges"
    ),
    "Q-35": "{who} keep{s} partitions of {topics}, to which {they} no longer subscribe{s}",
    "Q-39": (
        "{who} get{s} fewer partitions of {topics} than dynamic members, because static members do"
        " not come first"
    ),
}
_WORDS_WITHOUT_ANSWER = _WORDS | {
    "Q-6": (
        "{who} claim{s} partitions of {topics} that do not exist: {outcome} until the claim is gone"
        " (restart {who})"
    ),
    "Q-8": (
        "{who} claim{s} partitions of {topics} that {they} owned in an older generation, but no"
        " longer subscribe{s} to: {outcome} until the stale claim is gone (restart {who})"
    ),
}
"""Sentences if there is no answer: Kafka's class throws an exception, or never ends."""
_THROWN = "Kafka's leader fails with this exception at every rebalance"
_ENDLESS = "Kafka's leader does not finish a rebalance"
_ONE = {
    "s": "s",
    "are": "is",
    "their": "its",
    "they": "it",
    "have": "has",
    "together": "",
}
_SEVERAL = {
    "s": "",
    "are": "are",
    "their": "their",
    "they": "they",
    "have": "have",
    "together": "together ",
}


def sentence(
    assignor: str,
    name: str,
    members: Sequence[str],
    topics: Sequence[str],
    error: AssignorError | None = None,
) -> str:
    """Return a sentence with the effect on the members and the quirk's number.

    `name`: the number in `docs/assignors.md`, such as `Q-5`. `error`: the exception, if there is no
    answer.
    """
    words = _WORDS_WITHOUT_ANSWER[name] if error else _WORDS[name]
    outcome = _ENDLESS if error and error.java_class == REQUEST_ERROR else _THROWN
    text = words.format(
        who=listed(members),
        topics=listed(topics),
        outcome=outcome,
        **(_SEVERAL if len(members) > 1 else _ONE),
    )
    if name == REMAINDER:
        return f"{text}."
    whose = _owner(assignor, name)
    return (
        f"{text}. Behaviour {name} of {whose}."
        if error
        else f"{text}: behaviour {name} of {whose}."
    )


def _owner(assignor: str, name: str) -> str:
    """Return whose assignor has the quirk, such as `Kafka's broker`."""
    own = [
        ASSIGNORS[assignor],
        *(own for client in CLIENTS.values() if (own := client.assignors.get(assignor))),
    ]
    return next((each.quirk_owner for each in own if name in each.quirks), own[0].quirk_owner)


# Why a group never stops rebalancing.


_REFUSES = "a member refuses its assignment in every round and rejoins"
_REPEATS = "members give partitions up in every round and rejoin, and the rounds repeat"


def why_endless(is_refused: bool) -> str:
    """Return why the rebalances never end. `is_refused`: a member refuses its assignment."""
    return _REFUSES if is_refused else _REPEATS
