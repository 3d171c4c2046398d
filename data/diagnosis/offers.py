"""Offers: assignors that a group could use after a change of settings, and their assignments.

The finding `uneven` and the remedy `switch` use offers.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.compare.balance import balance
from evenkeel.assignors.compare.moves import moves_between
from evenkeel.assignors.diagnosis.offer import Offer
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.owned import first_owners
from evenkeel.assignors.protocol import CLASSIC, Assignor, serving
from evenkeel.assignors.rounds.classic import rounds
from evenkeel.assignors.rounds.switch import kind_of, switch
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.leaders import (
    client_of,
    in_use,
    led_by,
    own_assignors,
    with_settings,
)
from evenkeel.data.scenarios.needs import (
    AT_ONCE,
    BY_SETTING,
    Needs,
    answering_client,
    is_offered,
    needs_of,
    restarts_of,
)
from evenkeel.data.scenarios.scenario.scenario import Settings


def offers_of(
    observed: ObservedGroup, settings: Settings = Settings()
) -> Callable[[np.ndarray], Sequence[Offer]]:
    """Return a function that computes the offers for the lags of partitions, int64 (P,).

    The assignors run only when this function is called.
    """
    return lambda lag: list(_offers(observed, settings, lag))


def _offers(observed: ObservedGroup, settings: Settings, lag: np.ndarray) -> Iterator[Offer]:
    group = observed.snapshot
    client, used = answering_client(observed, settings), in_use(observed)
    led = led_by(client_of(observed.leader, settings.client))
    for name in serving(observed.group_type, ASSIGNORS):
        needs = needs_of(observed, name, client, used) if is_offered(observed, name) else Needs.JAR
        if observed.current is None or needs not in BY_SETTING:
            continue
        assigned = assigned_at_rest(group, with_settings(led[name], settings))
        if assigned is None:
            continue
        moved = moved_from(observed.current, assigned, group, lag)
        restarts = restarts_of(observed, name, client, used)
        price = (list(Needs).index(needs), moved, AT_ONCE if restarts is None else restarts)
        worst = balance(group, assigned, lag).worst_lag
        if worst is not None:
            yield Offer(name, worst, moved, price)


def moved_from(
    owned: Assignment, assigned: Assignment, group: GroupSnapshot, lag: np.ndarray
) -> int:
    """Count the partitions whose new owner is not the first of their current owners."""
    return moves_between(first_owners(group, owned), assigned, group, lag).moved_count


def assigned_at_rest(group: GroupSnapshot, assignor: Assignor) -> Assignment | None:
    """Return the assignment after an assignor's rebalances have ended.

    None if the assignor fails or the rebalances never end.
    """
    try:
        if not assignor.is_cooperative or assignor.group_type != CLASSIC:
            return assignor.assign(group)
        done = rounds(group, assignor)
    except AssignorError:
        return None
    return done.rounds[-1].assignment if done.is_settled else None


def paused_by(observed: ObservedGroup, name: str, settings: Settings = Settings()) -> int | None:
    """Return the number of partitions that are paused if the group switches to assignor `name`.

    None if unknown.
    """
    group, assignor = observed.snapshot, own_assignors(observed, settings)[name]
    if observed.current is None or kind_of(assignor) is None:
        return None
    try:
        way = switch(group, observed.current, assignor, assignor.assign(group))
    except AssignorError:
        return None
    return None if way is None else way.paused_count
