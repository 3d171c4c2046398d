"""How to get out of an assignor that kills the leader, or under which the group never rests."""

from evenkeel.assignors.explain.facts import Facts
from evenkeel.assignors.figures.comparison import Row
from evenkeel.dashboard.words.answers.failures import is_deadly
from evenkeel.data.words.clients import Step

_EAGER = "partition.assignment.strategy=range"
_SAME_TOPICS = Step("Let all members subscribe to the same topics: the crash needs subscriptions that differ.")
_ANOTHER = (
    "Or stop all members, wait until the group is empty, and start them with an eager assignor: range and roundrobin of librdkafka "
    "{}. A rolling restart does not help: the group needs one assignor that all members have."
)
_NO_RACKS = Step("Remove client.rack from all members: in every round librdkafka takes away what does not match a member's rack.")
_KEY_ERROR = Step(
    "Let all members subscribe to the same topics, or choose range: roundrobin of this client fails where a member is skipped."
)


def ways_out(client: str, row: Row, facts: Facts) -> list[Step]:
    """Return what to do; empty where the group comes to rest, and where a numbered behaviour says what to do."""
    error = row.error or facts.later_error
    if is_deadly(error):
        return [_SAME_TOPICS, Step(_ANOTHER.format("do not crash"), _EAGER)]
    if row.name == "roundrobin" and error and error.java_class == "KeyError":
        return [_KEY_ERROR]
    if facts.switch and facts.switch.is_endless and not facts.switch.is_refused:
        return [_NO_RACKS, Step(_ANOTHER.format("come to rest at once"), _EAGER)]
    return []
