"""Kafka's surprises in an operator's words: who is struck, by what, and which behaviour that is."""

from collections.abc import Sequence

from assignors.errors import REQUEST_ERROR, AssignorError
from assignors.quirk import REMAINDER
from data.enumerated import listed

_WORDS = {
    REMAINDER: "{who} carr{y} at least two partitions more than others that could take them: "
    "what does not divide evenly goes to the members that come first, in every topic ({topics})",
    "Q-1": "{who} get{s} partitions of {topics} without a replica in {their} rack, while members without a rack hold some that have one there",
    "Q-2": "{who} {are} served last in {topics} as {their} rack has no replica there, which counts only because another topic needs racks",
    "Q-3": "{who} carr{y} at least two partitions more than others that could take them ({topics}), as members that do not subscribe to a topic lose their turn",
    "Q-4": "{who} get{s} other partitions of {topics} than from a fresh leader, because this one remembers a higher generation",
    "Q-5": "{who} get{s} partitions of {topics}, to which {they} never subscribed",
    "Q-6": "{who} claim{s} partitions of {topics} that do not exist, and keep{s} them; others may get what somebody has",
    "Q-8": "{who} get{s} partitions of {topics} back from an older generation without subscribing any more; the client refuses them and joins again",
    "Q-9": "{who} get{s} partitions of {topics} out of their rack, although a subscriber in their rack could take them",
    "Q-10": "{who} get{s} partitions of {topics} without a replica in {their} rack, as racks do not count here",
    "Q-12": "{who} carr{y} at least two partitions more than others that could take them ({topics}), as subscriptions overlap without being the same",
    "Q-24": "{who} {together}get{s} all of {topics}, as counts and lag start at 0 in every topic and the smallest member ids win every tie",
    "Q-25": "{who} {have} one group.instance.id, so hash codes decide who of them gets what of {topics}",
    "Q-29": "{who} keep{s} partitions of {topics}, to which nobody subscribes any more",
}
_WORDS_WITHOUT_ANSWER = _WORDS | {
    "Q-6": "{who} claim{s} partitions of {topics} that do not exist: {outcome} until the claim is gone (restart {who})",
    "Q-8": "{who} claim{s} partitions of {topics} from an older generation without subscribing any more: {outcome} until the stale claim is gone (restart {who})",
}
"""Where Kafka's class throws, or never ends."""
_THROWN = "Kafka's leader fails with this exception at every rebalance"
_ENDLESS = "Kafka's leader does not finish a rebalance"
_WHOSE = {"lag": "the lag-based assignor", "uniform": "Kafka's broker", "broker-range": "Kafka's broker"} | dict.fromkeys(
    ("sticky", "cooperative-sticky"), "Kafka's sticky assignors"
)
_ONE = {"y": "ies", "s": "s", "are": "is", "their": "its", "they": "it", "have": "has", "together": ""}
_SEVERAL = {"y": "y", "s": "", "are": "are", "their": "their", "they": "they", "have": "have", "together": "together "}


def sentence(assignor: str, name: str, members: Sequence[str], topics: Sequence[str], error: AssignorError | None = None) -> str:
    """Return what strikes, whom, and its number in `docs/assignors.md`; `error`: what stands in the place of the answer."""
    words = _WORDS_WITHOUT_ANSWER[name] if error else _WORDS[name]
    outcome = _ENDLESS if error and error.java_class == REQUEST_ERROR else _THROWN
    said = words.format(who=listed(members), topics=listed(topics), outcome=outcome, **(_SEVERAL if len(members) > 1 else _ONE))
    if name == REMAINDER:
        return f"{said}."
    whose = _WHOSE.get(assignor, f"Kafka's {assignor} assignor")
    return f"{said}. Behaviour {name} of {whose}." if error else f"{said}: behaviour {name} of {whose}."
