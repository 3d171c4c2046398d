"""A request for the best assignment: read the JSON, then convert it for a group.

request = decode_request(line)
request_of(request, group)
"""

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from evenkeel.assignors.best.request import Rates, Request, RequestError, thousandths
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document.parsing import parsed_request

if TYPE_CHECKING:
    from evenkeel.assignors.group.series import Series

_EXPECTED = (
    "one JSON request a line, {group, objective, moves, ...}; `evenkeel snapshot PATH` turns a"
    " listing into a group document"
)
_MOST_RATE = 1e15


class GivenRates(msgspec.Struct, forbid_unknown_fields=True, rename={"arriving": "in"}):
    """Rates in records a second.

    `arriving`: by topic, the rate of records into each partition. `capacity`: the rate at which a
    member can read, as one number for all members or as a number for each member id.
    """

    arriving: dict[str, list[float | None]] | None = None
    capacity: float | dict[str, float] | None = None


class PlanRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A request without its group. A key that is None has its default."""

    objective: str | None = None
    moves: int | None = None
    partitions_per_member: int | None = None
    tolerance: float | None = None
    time_limit_s: float | None = None
    untouched: list[str] | None = None
    pinned: dict[str, list[int]] | None = None
    racks: str | None = None
    frontier: bool | list[int] | None = None
    right_size: bool | list[int] | None = None
    within: float | None = None
    beside: bool | None = None
    rates: GivenRates | None = None


class AskedOfGroup(PlanRequest, kw_only=True):
    """A request with its group, as in one line of input.

    `group` is decoded later, so that error messages contain a path inside the group document.
    """

    group: msgspec.Raw


def decode_request(line: bytes) -> AskedOfGroup:
    """Read a request; SnapshotError if the line is not a request."""
    keys = ", ".join(AskedOfGroup.__struct_encode_fields__)
    return parsed_request(line, AskedOfGroup, _EXPECTED, lambda error: f"{error}, expected {keys}")


def request_of(request: PlanRequest, group: GroupSnapshot, rates: Rates | None = None) -> Request:
    """Return the request as the search needs it. `rates`: used if `request` contains no rates."""
    given = rates_of(request.rates, group) if request.rates else rates
    known = {
        name: getattr(request, name)
        for name in ("objective", "untouched", "pinned", "racks", "tolerance", "time_limit_s")
    }
    known = {name: value for name, value in known.items() if value is not None}
    return Request(
        rates=given,
        moves=request.moves,
        partitions_per_member=request.partitions_per_member,
        **known,
    )


def rates_of(given: GivenRates, group: GroupSnapshot) -> Rates:
    """Return rates in thousandths of records a second, in the order of the group's partitions and
    members. Missing rates are unknown.
    """
    arriving = np.full(group.tp_count, np.nan)
    row = {name: topic for topic, name in enumerate(group.topic_name)}
    for name, rates in (given.arriving or {}).items():
        if name not in row:
            raise RequestError(f'rates.in: found topic "{name}", expected a topic of the group')
        count = int(group.partition_count[row[name]])
        if len(rates) != count:
            raise RequestError(
                f'rates.in["{name}"]: found {len(rates):,} numbers, expected {count:,}: a number or'
                " null for each partition"
            )
        arriving[group.tps_of(row[name])] = [
            math.nan if rate is None else _rate(f'rates.in["{name}"]', rate) for rate in rates
        ]
    return Rates(thousandths(arriving), _capacity(given.capacity, group))


def _capacity(given: float | dict[str, float] | None, group: GroupSnapshot) -> np.ndarray | None:
    if given is None:
        return None
    if isinstance(given, dict):
        missing = [name for name in group.member_id if name not in given] or [
            name for name in given if name not in group.member_id
        ]
        if missing:
            raise RequestError(
                f'rates.capacity: found "{missing[0]}" only in the group or only in the capacities,'
                " expected every member in both"
            )
        given_each = [given[name] for name in group.member_id]
    else:
        given_each = [given] * group.member_count
    each = thousandths(
        np.array([_rate("rates.capacity", rate) for rate in given_each], dtype=np.float64)
    )
    if (each <= 0).any():
        raise RequestError("rates.capacity: found less than 0.001 records/s, expected more")
    return each


def history_rates(group: GroupSnapshot, series: "Series") -> Rates:
    """Return a group's rates in its last snapshots.

    The capacity of a member can be measured only while the member has lag. Other members are
    assumed to have the median capacity. The result has no capacities if no member was seen reading
    while it had lag, or if a member keeps up although its incoming rate is at least its capacity.

    Raises
    ------
    SnapshotError
        If the history has no incoming rates.
    """
    from evenkeel.assignors.group.snapshot_order import known_of_members
    from evenkeel.assignors.group.speed import (
        busy_rates,
        capacity,
        kept_up_with,
        on_the_way,
        rates,
    )
    from evenkeel.data.scenarios.advance_rates import OTHERS, capacities, in_rates

    arriving = rates_of(GivenRates(in_rates(group, series, None)), group).arriving
    try:
        known = capacities(group, series, {})
    except SnapshotError:
        return Rates(arriving)
    each = np.array([known.get(name, known[OTHERS]) for name in group.member_id])
    incoming = rates(series, np.array([series.slot_count - 1])).incoming[0]
    least = kept_up_with(series, on_the_way(series), incoming)
    if (each <= known_of_members(group, series, least)).any():
        return Rates(arriving)
    rate = np.maximum(thousandths(each), 1)
    own = {
        name
        for name, is_assumed in zip(
            series.member_id, capacity(busy_rates(series)).is_assumed.tolist(), strict=True
        )
        if not is_assumed
    }
    if series.has_owners is not None and not series.has_owners.all():
        # The owners are assumed, so each member's reading rate is assumed.
        own = set()
    return Rates(arriving, rate, tuple(name for name in group.member_id if name not in own))


def _rate(path: str, rate: float) -> float:
    if not 0 <= rate < _MOST_RATE:
        raise RequestError(f"{path}: found {rate}, expected 0 to {_MOST_RATE:.0e} records/s")
    return rate


def whole_numbers(key: str, given: Sequence[int], least: int) -> list[int]:
    """Return the different numbers of a list, ascending; RequestError if a number is too small."""
    wrong = [value for value in given if isinstance(value, bool) or value < least]
    if wrong:
        raise RequestError(f"{key}: found {wrong[0]}, expected {least} or more")
    return sorted(set(given))


def exact_within(given: float | None) -> Fraction | None:
    """Return `within` (the value to reach) as an exact fraction: 0.1 becomes 1/10."""
    if given is None:
        return None
    if not 0 <= given < math.inf:
        raise RequestError(f"within: found {given}, expected 0 or more")
    return Fraction(Decimal(repr(given)))
