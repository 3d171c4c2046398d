"""Offer: an assignor to which the group can switch by a setting, with gain and price. Also the
choice of the best offer.
"""

from collections.abc import Sequence
from typing import NamedTuple

_POINTS = 0.02
"""If gains differ by at most this part, the cheaper assignor is advised."""


class Offer(NamedTuple):
    """An assignor to which the group can switch by a setting.

    `worst`: lag of the worst member with this assignor. `moved`: number of partitions that would
    change owner. `price`: sort key; a cheaper switch has a smaller key.
    """

    name: str
    worst: int
    moved: int
    price: tuple


def largest_gain(offers: Sequence[Offer], worst: int) -> Offer | None:
    """Return the offer with the largest gain, or a cheaper offer whose gain is at most 2 % of
    `worst` less.

    `worst`: present lag of the worst member. None if no offer reduces this lag.
    """
    better = [offer for offer in offers if offer.worst < worst]
    least = min((offer.worst for offer in better), default=0)
    near = [offer for offer in better if offer.worst - least <= _POINTS * worst]
    return min(near, key=lambda offer: offer.price, default=None)
