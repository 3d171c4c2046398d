"""StreamsSettings: what the leader of a Streams application has configured; only the leader's values count."""

from dataclasses import dataclass
from typing import ClassVar

_LARGEST_INT, _LARGEST_LONG = 2**31 - 1, 2**63 - 1
_RANGES = {
    "acceptable_recovery_lag": (0, _LARGEST_LONG),
    "max_warmup_replicas": (1, _LARGEST_INT),
    "probing_rebalance_interval_ms": (60_000, _LARGEST_LONG),
    "jdk": (8, _LARGEST_INT),
}
_COSTS = ("rack_aware_assignment_traffic_cost", "rack_aware_assignment_non_overlap_cost")
_STRATEGIES = ("none", "min_traffic", "balance_subtopology")
_MOST_TAGS, _LONGEST_KEY = 5, 20


@dataclass(frozen=True)
class StreamsSettings:
    """Kafka's settings with Kafka's defaults, and which Java the leader runs.

    Parameters
    ----------
    acceptable_recovery_lag : int
        Records; 2 ** 63 - 1 is without bound.
    rack_aware_assignment_tags : tuple of str
        Keys of client tags that the clients of a task's copies should differ in.
    rack_aware_assignment_strategy : str
        `none`, `min_traffic` or `balance_subtopology`, KIP-925.
    rack_aware_assignment_traffic_cost, rack_aware_assignment_non_overlap_cost : int or None
        Of a partition in another rack, and of a change of place; None takes the assignor's own.
    jdk : int
        Copies of hash sets grow differently from 19 on.
    """

    name: ClassVar[str]
    group_type: ClassVar[str] = "classic"
    java_class: ClassVar[str]
    quirks: ClassVar[tuple[str, ...]] = ()
    """Numbered behaviours of `docs/assignors.md` that can strike."""
    own_costs: ClassVar[tuple[int, int]]
    """Traffic and non-overlap, where the settings leave them open."""

    least_standbys: ClassVar[int] = -_LARGEST_INT - 1
    """Kafka's leaders take negative numbers of standbys."""

    acceptable_recovery_lag: int = 10_000
    max_warmup_replicas: int = 2
    num_standby_replicas: int = 0
    probing_rebalance_interval_ms: int = 600_000
    rack_aware_assignment_tags: tuple[str, ...] = ()
    rack_aware_assignment_strategy: str = "none"
    rack_aware_assignment_traffic_cost: int | None = None
    rack_aware_assignment_non_overlap_cost: int | None = None
    jdk: int = 17

    def __post_init__(self):
        for setting, (least, most) in _RANGES.items():
            self._check_number(setting, least, most)
        self._check_number("num_standby_replicas", self.least_standbys, _LARGEST_INT)
        for setting in _COSTS:
            if getattr(self, setting) is not None:
                self._check_number(setting, -_LARGEST_INT - 1, _LARGEST_INT)
        if self.rack_aware_assignment_strategy not in _STRATEGIES:
            found = self.rack_aware_assignment_strategy
            raise ValueError(f"{self.name}: rack_aware_assignment_strategy is {found!r}, expected one of {', '.join(_STRATEGIES)}")
        self._check_tags()

    @property
    def costs(self) -> tuple[int, int]:
        """Of a stateful task's partition in another rack, and of a change of its place."""
        given = (getattr(self, setting) for setting in _COSTS)
        return tuple(own if cost is None else cost for cost, own in zip(given, self.own_costs, strict=True))

    def _check_number(self, setting: str, least: int, most: int):
        value = getattr(self, setting)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"{self.name}: {setting} is {value!r}, expected an integer from {least} to {most}")

    def _check_tags(self):
        keys = self.rack_aware_assignment_tags
        if not isinstance(keys, list | tuple) or not all(isinstance(key, str) and len(key) <= _LONGEST_KEY for key in keys):
            raise ValueError(
                f"{self.name}: rack_aware_assignment_tags is {keys!r}, expected a list of keys of at most {_LONGEST_KEY} characters"
            )
        if len(keys) > _MOST_TAGS:
            raise ValueError(f"{self.name}: rack_aware_assignment_tags has {len(keys)} keys, expected at most {_MOST_TAGS}")
