"""Reads groups: from files, texts, DataFrames, documents, plain values, or a live cluster."""

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from evenkeel.applications import Application
from evenkeel.data.commands.options.columns import named_columns
from evenkeel.data.commands.options.files import Groups, messages, names_of, read_groups, read_live
from evenkeel.data.commands.options.scenarios import scenario_in
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.diagnosis.answer import Context, diagnosed
from evenkeel.data.diagnosis.many import readings_of_all
from evenkeel.data.diagnosis.reading import Readings, readings_of
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import required
from evenkeel.data.group.columns import GroupKey, observed_from_document
from evenkeel.data.group.document import Document
from evenkeel.data.group.document.building import group_document
from evenkeel.data.readiness.groups import answered_live, in_order
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario, Scenario
from evenkeel.data.scenarios.size import require_group
from evenkeel.data.sources.inputs import readables
from evenkeel.data.sources.separated.values import STYLES
from evenkeel.data.sources.source import START, Readable
from evenkeel.data.text.formats import counted
from evenkeel.diagnosis import Diagnoses
from evenkeel.groups import Group
from evenkeel.readiness import Readiness, asked_of
from evenkeel.results import Rows


def read(
    *sources: Any, columns: Mapping[str, str] | None = None, numbers: str | None = None
) -> "Reading":
    r"""Read groups. Sources without times count as readings of the same moment.

    Parameters
    ----------
    sources
        Paths of files and folders, texts (several lines, or a JSON object), bytes, open files,
        DataFrames of pandas or another library that Arrow reads, and group, streams or scenario
        documents as dictionaries.
    columns : mapping of str to str
        Names of the columns in the CSV or DataFrame, if Evenkeel does not recognise them:
        `{"group_id": "Consumer Grp"}`.
    numbers : str
        The number format of a CSV, such as `1.234,00`, if its numbers are ambiguous.

    Raises
    ------
    evenkeel.Error
        If nothing can be read. If only some lines cannot be read, there is a warning, and the table
        `rejected` has a row for each of these lines.

    >>> import evenkeel
    >>> reading = evenkeel.read("group_id,topic,partition,lag,member_id\npayments,orders,0,7,a\n")
    >>> reading.groups
    ('payments',)
    """
    if numbers is not None and not (isinstance(numbers, str) and numbers in STYLES):
        raise SnapshotError(f'numbers: found "{numbers}", expected one of {", ".join(STYLES)}')
    named = named_columns(_columns(columns)) if columns else ()
    return Reading(readables(sources), named, numbers)


def _columns(columns: Any) -> dict:
    if not isinstance(columns, Mapping):
        raise SnapshotError(
            f"columns: found {type(columns).__name__}, expected a mapping of columns to names in"
            " the header"
        )
    return dict(columns)


def group(
    topics: Mapping[str, int],
    members: Mapping[str, Iterable[str]] | Iterable[str],
    owned: Mapping[str, Any] | None = None,
    lag: Mapping[Any, Any] | None = None,
    *,
    name: str | None = None,
    type: str | None = None,
    assignor: str | None = None,
) -> Group:
    """Make a group from plain values. Values that are not given are unknown.

    Parameters
    ----------
    topics
        Partition count of each topic: `{"orders": 12}`.
    members
        Subscribed topics of each member. If it is a list of names, each member subscribes to every
        topic.
    owned
        Current partitions of each member: `{"a": {"orders": [0, 1]}}` or `{"a": [("orders", 0)]}`.
        A member without an entry has no partitions.
    lag
        Lag in records, by partition, `{("orders", 0): 500}`, or by topic, `{"orders": [500, 0,
        None]}`.

    >>> import evenkeel
    >>> evenkeel.group({"orders": 12}, members={"a": ["orders"], "b": ["orders"]},
    ...     lag={("orders", 0): 500})
    <group group without a name · members 2 · topics 1 · partitions 12 · unknown lags 11>
    """
    document = group_document(
        topics, members, owned, lag, group_id=name, type=type, assignor=assignor
    )
    return _group_of(document)


def application(*sources: Any, name: str | None = None) -> Application:
    """Read a Kafka Streams application from a streams document or the output of
    `kafka-streams-groups.sh`. `name`: id of the application, needed if the input has several.
    """
    return read(*sources).application(name)


def connect(cluster: str) -> "Cluster":
    """Return a live cluster of the configuration. No request is sent until a method of the cluster
    is called. `[live]` must be installed.
    """
    if not isinstance(cluster, str):
        raise SnapshotError(
            f"connect: found {_kind(cluster)}, expected the name of a cluster in the configuration"
        )
    profile_of(cluster)
    return Cluster(cluster)


class Reading:
    """The result of `read`. `groups` contains names, `group(name)` returns a group, and `rejected`
    contains lines that could not be read.
    """

    def __init__(self, inputs: list[Readable], named: tuple, numbers: str | None):
        self._inputs = inputs
        self._context = replace(START, named_columns=named, numbers=numbers)
        self._scenario = scenario_in(inputs)
        self._groups_read = None if self._scenario else read_groups(inputs, self._context)
        for message in self.messages:
            warnings.warn(message, stacklevel=3)

    @property
    def groups(self) -> tuple[str | None, ...]:
        """The names of all groups and applications. A group without a name is None."""
        if isinstance(self._scenario, ApplicationScenario):
            return (self._scenario.group.application_id,)
        if self._scenario is not None:
            return (self._scenario.group.group_id,)
        return tuple(key.group_id for key in self._files.keys)

    @property
    def messages(self) -> list[str]:
        """Texts about columns that are not used and lines that could not be read."""
        return [] if self._groups_read is None else messages(self._groups_read.parsed)

    @property
    def rejected(self) -> Rows:
        """The lines that could not be read, with file, number, text and reason."""
        from evenkeel.data.group.tables.schemas import REJECTED

        return Rows(
            REJECTED.empty_table()
            if self._groups_read is None
            else self._groups_read.parsed.rejected
        )

    def group(self, name: str | None = None) -> Group:
        """Return a group. `name` may be left out if the input has only one group. If the input does
        not name the group, the group gets the name `name`.
        """
        group = self._chosen(name)
        if isinstance(group, Application):
            raise SnapshotError(
                f"{group.name or 'this'} is a Kafka Streams application, expected"
                " application(), not group()"
            )
        return group

    def application(self, name: str | None = None) -> Application:
        """Return a Kafka Streams application. `name` may be left out if the input has only one."""
        application = self._chosen(name)
        if isinstance(application, Group):
            raise SnapshotError(
                f"{application.name or 'this'} is a consumer group, expected group(), not"
                " application()"
            )
        return application

    def diagnose(self) -> Diagnoses:
        """Return the diagnosis of each consumer group in the input."""
        context = Context.of(configuration())
        if self._scenario is not None:
            return Diagnoses([diagnosed(Readings(self.group()._observed), context)])
        return Diagnoses(
            [
                diagnosed(reading, context)
                for reading in readings_of_all(self._files.parsed, self._files.keys, has_notes=True)
            ]
        )

    def __iter__(self) -> Iterator[Group | Application]:
        if self._scenario is not None:
            return iter([self._of_scenario])
        groups = self._files
        return (_of_key(groups, key) for key in groups.keys)

    def __len__(self) -> int:
        return len(self.groups)

    def _chosen(self, name: Any) -> Group | Application:
        if name is not None:
            _require_name(name)
        if self._scenario is not None:
            return self._of_scenario if name in (None, *self.groups) else self._refuse(name)
        groups = self._files
        if name is not None and name not in groups.names and None in groups.names:
            groups = read_groups(self._inputs, replace(self._context, group_id=name))
        keys = [key for key in groups.keys if name is None or key.group_id == name]
        if len(keys) > 1:
            raise SnapshotError(
                f"{len(keys):,} groups, expected one; choose one by name: {names_of(keys)}"
            )
        return _of_key(groups, keys[0]) if keys else self._refuse(name)

    def _refuse(self, name: str | None) -> Any:
        raise SnapshotError(f'no group "{name}" in the input, found {self._names}')

    @cached_property
    def _of_scenario(self) -> Group | Application:
        assert self._scenario
        return _of_scenario(self._scenario)

    @property
    def _files(self) -> Groups:
        assert self._groups_read
        return self._groups_read

    def __repr__(self) -> str:
        return "\n".join([f"<read {counted(len(self), 'group')}: {self._names}>", *self.messages])

    @property
    def _names(self) -> str:
        return ", ".join("one without a name" if name is None else name for name in self.groups)


class Cluster:
    """A live cluster. Evenkeel sends it only describe, list and offset requests. Each call of
    `group` reads the group again.
    """

    def __init__(self, name: str):
        self.name = name

    def group(self, name: str) -> Group:
        """Read the present state of a group."""
        group = self._read(name)
        if group.application is not None:
            raise SnapshotError(
                f"{name} is a Kafka Streams application, expected application(), not group()"
            )
        return _group_of(group.document)

    def application(self, name: str) -> Application:
        """Read the present state of a Kafka Streams application."""
        application = self._read(name)
        if application.application is None:
            raise SnapshotError(f"{name} is a consumer group, expected group(), not application()")
        from evenkeel.data.live.application_replay import with_found_settings

        return Application(with_found_settings(application.application).document)

    def groups(self) -> Rows:
        """Return all groups that the user may see, worst lag first, as `evenkeel groups` lists
        them.
        """
        with required("live"):
            from evenkeel.data.live.connection import connected
            from evenkeel.data.live.reading.group_list import group_list
        with connected(self.name) as connection:
            return Rows(group_list(connection))

    def readiness(
        self,
        *names: str,
        broker: dict[str, str] | None = None,
        clients: dict[str, str] | None = None,
        remote_assignor: str | None = None,
    ) -> list[Readiness]:
        """Return for each group whether it can move to the consumer protocol. `names`: the groups;
        if none is given, all. Other arguments: as for `Group.readiness`.
        """
        asked_of(broker, clients, remote_assignor)
        with required("live"):
            from evenkeel.data.live.connection import connected
            from evenkeel.data.live.reading.readiness import live_readiness
        with connected(self.name) as connection:
            answers = live_readiness(connection, names)
        for note in answers.problems:
            warnings.warn(note, stacklevel=2)
        return [
            Readiness(answer)
            for answer in in_order(
                answered_live(answers, dict(broker or {}), dict(clients or {}), remote_assignor)
            )
        ]

    def _read(self, name: Any) -> Any:
        _require_name(name)
        with required("live"):
            groups, notes = read_live(self.name, [name])
        for note in notes:
            warnings.warn(note, stacklevel=3)
        return groups[0]

    def __repr__(self) -> str:
        return f"<cluster {self.name}>"


def _require_name(name: Any) -> None:
    if not isinstance(name, str):
        raise SnapshotError(f"group: found {_kind(name)}, expected the name of a group")
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise SnapshotError(
            f"group: found {name!a}, expected a name without the lone surrogate at position"
            f" {error.start}"
        ) from None


def _kind(value: object) -> str:
    return value.__class__.__name__


def _of_key(groups: Groups, key: GroupKey) -> Group | Application:
    document = groups.application(key)
    if document is not None:
        return Application(document)
    readings = readings_of(groups.parsed, key, configuration().command_line, has_notes=True)
    return Group(readings.now, _readings=readings)


def _group_of(document: Document) -> Group:
    require_group(configuration().command_line, document)
    return Group(observed_from_document(document))


def _of_scenario(scenario: Scenario | ApplicationScenario) -> Group | Application:
    settings, document = configuration().command_line, scenario.group
    require_group(settings, document, "$.group")
    if isinstance(scenario, ApplicationScenario):
        return Application(
            scenario.group, tuple(scenario.steps), scenario.settings, scenario.name or ""
        )
    return Group.of_scenario(scenario)
