"""A consumer group: facts, What-if edits, and the comparison of assignors."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Self

import msgspec

from evenkeel.applications import Application as Application
from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.compare.balance import balance
from evenkeel.assignors.group.lag import page_lag, total_lag
from evenkeel.assignors.protocol import serving
from evenkeel.data.best.answer import SearchResult, found_or_refused
from evenkeel.data.best.request import PlanRequest
from evenkeel.data.best.tables import frontier_table
from evenkeel.data.commands.options.scenarios import group_of_step, with_history
from evenkeel.data.compare import owner_tables
from evenkeel.data.compare.answer import (
    compared_group,
    compared_step,
    require_names,
)
from evenkeel.data.compare.tables import about
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.plugin import available
from evenkeel.data.diagnosis.answer import Context, diagnosed
from evenkeel.data.diagnosis.reading import Readings, between
from evenkeel.data.group.columns import document_of, observed_from_document
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document.shape import require_client
from evenkeel.data.readiness.answer import answered
from evenkeel.data.scenarios.asked import (
    converted,
    members_after,
    members_of,
    plain,
    require_steps_asked,
)
from evenkeel.data.scenarios.edits.edit import EditPlace
from evenkeel.data.scenarios.scenario.scenario import (
    Scenario,
    Settings,
    Step,
    scenario_of,
)
from evenkeel.data.text.names import short_labels
from evenkeel.diagnosis import Diagnosis
from evenkeel.edits import GroupEdits
from evenkeel.question import Question, names_or_none, shown, with_edit
from evenkeel.readiness import Readiness, asked_of
from evenkeel.results import Best, Rows, Sizes, Table


@dataclass(frozen=True, eq=False, repr=False)
class Group(GroupEdits):
    """A consumer group. It never changes: each edit returns a new group.

    >>> import evenkeel
    >>> group = evenkeel.group({"orders": 4}, members={"a": ["orders"], "b": ["orders"]},
    ...     lag={("orders", 0): 500})
    >>> group.remove_members("b").what
    ['b stops']
    >>> group.what
    []
    """

    _observed: ObservedGroup
    _steps: tuple[Step, ...] = ()
    _settings: Settings = Settings()
    _title: str = ""
    _now: ObservedGroup | None = field(default=None)
    """The group after all edits, without facts that depend on the assignor.

    None if the group has no edits and does not come from a scenario.
    """
    _readings: Readings | None = field(default=None)
    """The latest reading, and an earlier reading if the source has one."""

    @classmethod
    def of_scenario(cls, scenario: Scenario) -> Self:
        """Return the group of a scenario, with its settings and steps. Raises SnapshotError if an
        edit names something that does not exist.
        """
        group = now = observed_from_document(scenario.group)
        for number, step in enumerate(scenario.steps):
            for place, edit in step.edits_on:
                now = members_after(now, edit, EditPlace(number, place))
        return cls(group, tuple(scenario.steps), scenario.settings, scenario.name or "", now)

    @property
    def name(self) -> str | None:
        """The group's id; None if the input has no id."""
        return self._observed.group_id

    @property
    def state(self) -> str | None:
        return self._observed.group_state

    @property
    def type(self) -> str | None:
        """The group's type: `classic`, `consumer`, `share` or `streams`; None if unknown."""
        return self._observed.group_type

    @property
    def assignor(self) -> str | None:
        """Kafka's name of the assignor in use; None if unknown."""
        return self._observed.assignor

    @property
    def taken_at(self) -> datetime | None:
        return self._observed.taken_at

    @property
    def lag(self) -> int | None:
        """Total lag of the partitions with known lag, in records; None if no lag is known."""
        return total_lag(page_lag(self._observed.snapshot))

    @property
    def member_ids(self) -> tuple[str, ...]:
        """Member ids after all edits, in the coordinator's order."""
        return self._edited_group.snapshot.member_id

    @property
    def topics(self) -> dict[str, int]:
        """Partition count of each topic after all edits."""
        snapshot = self._edited_group.snapshot
        return dict(zip(snapshot.topic_name, snapshot.partition_count.tolist(), strict=True))

    @property
    def assumed(self) -> tuple[str, ...]:
        """Paths in the group document of values that Evenkeel assumed."""
        return self._observed.assumed

    def partitions(self) -> Rows:
        """Return a row for each partition, before all edits: topic, partition, offsets, member_id
        and lag.
        """
        return Rows(owner_tables.partitions_table(self._observed))

    def members(self) -> Rows:
        """Return a row for each member, before all edits: its partitions and their lag."""
        observed = self._observed
        load = (
            None
            if observed.current is None
            else balance(observed.snapshot, observed.current, page_lag(observed.snapshot))
        )
        return Rows(owner_tables.members_table(observed, load))

    def to_dict(self) -> dict[str, Any]:
        """Return the group document before all edits."""
        return document_of(self._observed)

    def to_json(self) -> str:
        """Return the group document before all edits, as JSON."""
        return msgspec.json.encode(self.to_dict()).decode()

    def with_settings(self, **settings: Any) -> Self:
        """Return the group with other settings: `client` (the client family whose code assigns),
        `kafka_version`, `jdk`, `max_generation`. None means the default.
        """
        known = msgspec.to_builtins(self._settings) | plain(settings)
        chosen = converted(
            {key: value for key, value in known.items() if value is not None}, Settings, "settings"
        )
        if chosen.client is not None:
            require_client("settings.client", chosen.client)
        return replace(self, _settings=chosen)

    def then(self, name: str | None = None) -> Self:
        """End the step: the group rebalances, and later edits are in a new step. The first step may
        have no edits. `name`: name of the new step.
        """
        steps = self._steps or (Step(),)
        return replace(self, _steps=(*steps, converted({"name": name}, Step, "then")))

    @property
    def what(self) -> list[str]:
        """For each step, a text about the changes in the step."""
        snapshot = self._observed.snapshot
        names = dict(
            zip(
                snapshot.member_id,
                short_labels(snapshot.member_id, self._observed.client_id),
                strict=True,
            )
        )
        return [step.title(names) for step in self._steps]

    @property
    def diagnosis(self) -> Diagnosis:
        """The diagnosis of the group before all edits. If the source has several readings with
        times, the latest two are compared.
        """
        return self.diagnose()

    def diagnose(self, earlier: "Group | None" = None) -> Diagnosis:
        """Return the diagnosis of the group before all edits. `earlier`: the same group at an
        earlier time; both groups need `taken_at`.
        """
        readings = self._readings or Readings(self._observed)
        if earlier is not None:
            readings = between(earlier._observed, readings)
        return Diagnosis(diagnosed(readings, Context.of(configuration(), group=self._settings)))

    def compare(self, *assignors: str) -> Table:
        """Return the answer of each assignor to the last step; without edits, to the group as
        listed. `assignors`: names of assignors; if none is given, all.
        """
        settings, wanted = configuration(), names_or_none(assignors)
        made = available(settings.plugins)
        require_names(wanted, made, "assignor")
        if self._now is None and not self._steps:
            readings = self._readings or Readings(self._observed)
            context = Context.of(settings, group=self._settings)
            return Table(compared_group(readings, made, wanted, context))
        scenario = with_history(self._scenario(), settings.lake)
        return Table(compared_step(scenario, len(scenario.steps), made, wanted, settings))

    def best(self, objective: str = "lag", **limits: Any) -> Best:
        """Return the best assignment that the search finds, and a lower bound: no assignment within
        the limits has a smaller value. If there are edits, the group after the last step is used.

        All `limits` are optional: `moves`, `partitions_per_member`, `untouched`, `pinned`, `racks`,
        `tolerance`, `time_limit_s`, `rates`. The objectives `rate` and `drain` need `rates`, such
        as `{"in": {"orders": [12.5, None]}, "capacity": 900}`.
        """
        return Best(self._search(objective, limits))

    def frontier(
        self, objective: str = "lag", moves: list[int] | None = None, **limits: Any
    ) -> Rows:
        """Return the best assignment for each number of allowed moves. A row has moves_allowed,
        value, bound, proved and moves. `limits`: as for `best`.
        """
        return Rows(
            frontier_table(
                self._search(objective, limits | {"frontier": True if moves is None else moves})
            )
        )

    def right_size(
        self,
        objective: str = "lag",
        members: list[int] | None = None,
        within: float | None = None,
        **limits: Any,
    ) -> Sizes:
        """Return the best assignment for each number of equal members. `members`: the numbers to
        try. `within`: the value that the group must reach.
        """
        return Sizes(
            self._search(
                objective,
                limits | {"right_size": True if members is None else members, "within": within},
            )
        )

    def _search(self, objective: str, limits: Mapping[str, Any]) -> SearchResult:
        settings, chosen = (
            converted({"objective": objective, **plain(limits)}, PlanRequest, "best"),
            configuration(),
        )
        group = self._observed
        if self._now is not None or self._steps:
            group = group_of_step(
                with_history(self._scenario(), chosen.lake), len(self._steps), chosen.command_line
            )
        return found_or_refused(settings, group)

    def readiness(
        self,
        *,
        broker: dict[str, str] | None = None,
        clients: dict[str, str] | None = None,
        remote_assignor: str | None = None,
    ) -> Readiness:
        """Return whether the group can move to the consumer protocol, and the moves of each
        restart. Edits are ignored.

        `broker`: the brokers' settings by their Kafka names, such as
        `{"group.consumer.migration.policy": "bidirectional"}`. `clients`: the oldest release in
        use, by client family, such as `{"java": "4.0"}`. `remote_assignor`: the broker's assignor
        that members request.
        """
        return Readiness(answered(self._observed, asked_of(broker, clients, remote_assignor)))

    def scenario(self, name: str | None = None) -> Question:
        """Return a scenario: the group and its edits. The start page opens the scenario's document,
        and `evenkeel replay` answers it.
        """
        return Question(self._scenario(converted({"name": name}, Step, "scenario").name))

    def _scenario(self, name: str | None = None) -> Scenario:
        return scenario_of(self._observed, self._steps, self._settings, name or self._title)

    @property
    def _edited_group(self) -> ObservedGroup:
        return self._observed if self._now is None else self._now

    def _edited(self, ask: Any) -> Self:
        edit, group = ask(members_of(self._edited_group)), self._edited_group
        steps = with_edit(self._steps, edit, Step())
        settings = configuration().command_line
        require_steps_asked(settings, self._observed, steps, len(serving(self.type, ASSIGNORS)))
        at = EditPlace(len(steps) - 1, len(steps[-1].edits) - 1)
        return replace(self, _steps=steps, _now=members_after(group, edit, at))

    def __repr__(self) -> str:
        return shown("group", about(self._observed), self.what)

    def _repr_html_(self) -> str:
        return _page(about(self._observed), self.what, self.partitions())


def _page(title: str, paragraphs: list[str], rows: Rows) -> str:
    from html import escape

    steps = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    return f"<p><b>{escape(title)}</b></p>{steps}{rows._repr_html_()}"
