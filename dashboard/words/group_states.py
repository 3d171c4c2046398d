"""States of a group: their meaning, and the marks that show them."""

from typing import NamedTuple


class ShownState(NamedTuple):
    """`color` and `icon` are those of Streamlit's badge; `kind` is the mark in tables, `short` the word there."""

    color: str
    icon: str
    meaning: str
    kind: str
    short: str = ""


_STATES = {
    "Stable": ShownState("green", ":material/check_circle:", "Every member has its partitions; no rebalance is in progress.", "rest"),
    "Empty": ShownState("gray", ":material/person_off:", "No member is connected; committed offsets remain.", "empty"),
    "Dead": ShownState("red", ":material/cancel:", "The group has no members and no metadata left.", "dead"),
}
_MOVING = ShownState("yellow", ":material/sync:", "A rebalance is in progress; owners may change at any moment.", "moving")
_SHORT = {"PreparingRebalance": "Preparing", "CompletingRebalance": "Completing"}


def shown_state(group_state: str) -> ShownState:
    """Return how to show a state of Kafka; every state that is not at rest is shown as a rebalance."""
    return _STATES.get(group_state) or _MOVING._replace(short=_SHORT.get(group_state, ""))
