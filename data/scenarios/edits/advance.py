"""`advance`: time passes; producers write records, and members read."""

from dataclasses import replace
from typing import Annotated, ClassVar

import msgspec
import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.drain import EMPTY, lags_after
from evenkeel.assignors.group.edits.lag import set_lag
from evenkeel.assignors.group.edits.result import EditResult, same_rows
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document.shape import Shape, Time
from evenkeel.data.scenarios.edits.edit import EditPlace, Field, Form, GroupEdit, Names, Values
from evenkeel.data.scenarios.edits.group_after import observed_after
from evenkeel.data.text.formats import passing

Rate = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
"""Records/s."""

OTHERS = "*"
"""All topics or members that the edit does not name."""

MOST_SECONDS = 366 * 86_400


def _made(values: Values, names: Names) -> list[Values]:
    """Return the arguments of an edit from the values of its form.

    Rates that are missing in the form come from the history or from the edit's former arguments.
    """
    rates, given = (
        values.get("rates"),
        {key: {OTHERS: values[key]} for key in ("in_rate", "capacity") if values[key] is not None},
    )
    rates_given = rates if isinstance(rates, dict) else {"window_seconds": rates}
    return [{"seconds": values["seconds"]} | rates_given | given]


def _read(given: Values) -> Values:
    rates = {key: given[key] for key in ("in_rate", "capacity")}
    rates_given = rates | {"measured": given["measured"]} if given.get("measured") else None
    return (
        given
        | {key: rate[OTHERS] if set(rate) == {OTHERS} else None for key, rate in rates.items()}
        | {"rates": rates_given}
    )


_SECONDS = Field("seconds", "Seconds", "number", 3_600.0, least=1, most=1e12)
_FORM = Form(
    12,
    "Time passes",
    "schedule",
    (
        _SECONDS,
        Field("in_rate", "Records/s into each partition", "number", 100.0, most=1e12),
        Field("capacity", "Records/s that each member can read", "number", 1_000.0, most=1e12),
    ),
    _made,
    _read,
    by_history=(
        _SECONDS,
        Field(
            "rates",
            "Rates of the history",
            "rates",
            None,
            "They are copied into the step, so a growing history does not change it.",
        ),
        Field(
            "in_rate",
            "Records/s into each partition",
            "measured",
            None,
            "If empty: each partition's rate in the history.",
        ),
        Field(
            "capacity",
            "Records/s that each member can read",
            "measured",
            None,
            "If empty: each member's read rate while it was behind.",
        ),
    ),
)


class MeasuredSpan(Shape, frozen=True):
    """The time span in which the rates of an edit were measured."""

    since: Time
    until: Time


class Advance(GroupEdit, frozen=True, kw_only=True, tag="advance"):
    """Rates are constant, in records/s.

    `in_rate`: by topic, records that producers write to each partition: one number for all
    partitions, or a list with a number for each partition, null if unknown. `capacity`: by member
    id, records that the member can read. The key `*` is for all other topics or members.

    A missing rate is measured over the last `window_seconds` of the group's history, and `measured`
    is then the time span. `in_rate` and `capacity` are both needed. If a topic gets partitions
    after the measurement, each new partition gets an equal share of the topic's rate.
    """

    form: ClassVar = _FORM

    causes_rebalance: ClassVar[bool] = False

    seconds: Annotated[float, msgspec.Meta(gt=0, le=MOST_SECONDS)]
    in_rate: dict[str, Rate | list[Rate | None]] | None = None
    capacity: dict[str, Rate] | None = None
    window_seconds: Annotated[float, msgspec.Meta(gt=0, le=MOST_SECONDS)] | None = None
    measured: MeasuredSpan | None = None

    def in_words(self, names: Names) -> str:
        rates = f" at the rates until {self.measured.until:%H:%M:%S} UTC" if self.measured else ""
        return f"{passing(self.seconds)}{rates}"

    @property
    def lacks_rates(self) -> bool:
        """Whether a rate is missing and must come from the group's history."""
        return self.in_rate is None or self.capacity is None

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        for key, given in (("in_rate", self.in_rate), ("capacity", self.capacity)):
            if given is None:
                raise at.refusal(
                    key,
                    "missing, and there is no history of the group to take it from, expected"
                    " records/s",
                )
        if group.current is None:
            raise at.refusal(
                "capacity",
                "the owners are unknown, so the readers of partitions are unknown, expected a"
                " group with owners",
            )
        edited = _after(
            group.snapshot,
            group.current.owner,
            self.seconds,
            self._in_rates(group, at),
            self._capacities(group, at),
        )
        return observed_after(group, edited)

    def _in_rates(self, group: ObservedGroup, at: EditPlace) -> np.ndarray:
        snapshot = group.snapshot
        topics = zip(snapshot.topic_name, snapshot.partition_count, strict=True)
        rates = np.concatenate(
            [np.empty(0), *(self._of_topic(name, int(count), at) for name, count in topics)]
        )
        # An unknown lag remains unknown at any rate.
        unknown = np.flatnonzero(np.isnan(rates) & (page_lag(snapshot) != UNKNOWN_LAG))
        if unknown.size:
            name = tp_name(snapshot, unknown[0])
            raise at.refusal(
                "in_rate",
                f'the rate of "{name}" is unknown, expected a number, because its lag is known',
            )
        return np.nan_to_num(rates)

    def _of_topic(self, name: str, count: int, at: EditPlace) -> np.ndarray:
        rate = self.in_rate.get(name, self.in_rate.get(OTHERS, 0.0 if not count else None))
        if rate is None:
            raise at.refusal(
                "in_rate",
                f'no rate of topic "{name}", expected a rate, or "{OTHERS}" for all others',
            )
        if not isinstance(rate, list):
            return np.full(count, rate, dtype=np.float64)
        rates = np.array(rate, dtype=np.float64)
        if self.measured and 0 < rates.size < count:
            return np.concatenate(
                [rates * (rates.size / count), np.full(count - rates.size, rates.sum() / count)]
            )
        if rates.size != count:
            raise at.refusal(
                f'in_rate["{name}"]',
                f"{rates.size:,} rates, expected {count:,}, one for each partition",
            )
        return rates

    def _capacities(self, group: ObservedGroup, at: EditPlace) -> np.ndarray:
        owners = set(np.unique(group.current.owner).tolist()) - {UNASSIGNED}
        rates_of_members = [
            self.capacity.get(member_id, self.capacity.get(OTHERS))
            for member_id in group.snapshot.member_id
        ]
        missing = next((row for row in sorted(owners) if rates_of_members[row] is None), None)
        if missing is not None:
            raise at.refusal(
                "capacity",
                f'no rate of member "{group.snapshot.member_id[missing]}", expected a rate, or'
                f' "{OTHERS}" for all others',
            )
        return np.array([0.0 if rate is None else rate for rate in rates_of_members])


def _after(
    group: GroupSnapshot,
    owner: np.ndarray,
    seconds: float,
    in_rate: np.ndarray,
    capacity: np.ndarray,
) -> EditResult:
    """Return the group after some seconds; unknown lags remain unknown.

    Parameters
    ----------
    owner : int32 (P,)
        Member that reads each partition, or `UNASSIGNED`.
    in_rate : float64 (P,)
        Records/s that producers write to each partition.
    capacity : float64 (M,)
        Records/s that each member can read.
    """
    lag = page_lag(group)
    known = lag != UNKNOWN_LAG
    after = np.where(known, lag + in_rate * seconds, lag).astype(np.float64)
    for member in range(group.member_count):
        tps = np.flatnonzero((owner == member) & known)
        after[tps] = lags_after(
            lag[tps].astype(np.float64), in_rate[tps], float(capacity[member]), seconds
        )
    return _with_records(
        group,
        np.flatnonzero(known),
        lag,
        np.floor(after + EMPTY).astype(np.int64),
        np.floor(in_rate * seconds).astype(np.int64),
    )


def _with_records(
    group: GroupSnapshot,
    tps: np.ndarray,
    before: np.ndarray,
    after: np.ndarray,
    arrived: np.ndarray,
) -> EditResult:
    """Return the group with new end offsets, and with commits from which the new lags follow.

    Partitions without known offsets get only a new lag.
    """
    has_commit = (
        (group.committed_offset[tps] != UNKNOWN)
        & (group.end_offset[tps] != UNKNOWN)
        & (group.given_lag[tps] == UNKNOWN)
    )
    offsets = tps[has_commit]
    end, committed = group.end_offset.copy(), group.committed_offset.copy()
    end[offsets] += arrived[offsets]
    # A commit below the begin offset, or above the end offset, changes only when records are read.
    read = before[offsets] + arrived[offsets] - after[offsets]
    committed[offsets] = np.where(read > 0, end[offsets] - after[offsets], committed[offsets])
    moved = replace(group, end_offset=end, committed_offset=committed)
    others = tps[~has_commit]
    return same_rows(group, set_lag(moved, others, after[others]).group)
