"""What the state of a group means, and the badge that shows it."""

from typing import NamedTuple


class ShownState(NamedTuple):
    """Colour and icon of Streamlit's badge, and one sentence."""

    color: str
    icon: str
    meaning: str


_STATES = {
    "Stable": ShownState("green", ":material/check_circle:", "Every member has its partitions; no rebalance is in progress."),
    "Empty": ShownState("gray", ":material/person_off:", "No member is connected; committed offsets remain."),
    "Dead": ShownState("red", ":material/cancel:", "The group has no members and no metadata left."),
}
_MOVING = ShownState("yellow", ":material/sync:", "A rebalance is in progress; owners may change at any moment.")


def shown_state(group_state: str) -> ShownState:
    """Return how a state is shown, in Kafka's word; every other one is a rebalance."""
    return _STATES.get(group_state, _MOVING)
