"""What the state of a group means, and the marks that show it."""

from typing import NamedTuple

STATES = ("Stable", "Empty", "Dead", "PreparingRebalance", "CompletingRebalance", "Assigning", "Reconciling", "NotReady", "Initializing", "Unknown")
"""Every state that Kafka prints."""


class ShownState(NamedTuple):
    """Colour and icon of Streamlit's badge, one sentence, and in tables the kind of mark and a short word."""

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
    """Return how a state is shown, in Kafka's word; every other one is a rebalance."""
    return _STATES.get(group_state) or _MOVING._replace(short=_SHORT.get(group_state, ""))
