"""One Kafka Streams application of a batch of the lake."""

from datetime import datetime

from evenkeel.data.columns import ApplicationTables, GroupKey, application_from_tables, application_keys
from evenkeel.data.columns.applications.measured_rates import with_measured_rates
from evenkeel.data.columns.group_rows import of_group
from evenkeel.data.document import Application
from evenkeel.data.lake import store
from evenkeel.data.lake.place import Place
from evenkeel.data.scenarios.stored_group import StoredGroup


def stored_application(one: StoredGroup, at: datetime | None = None) -> Application | None:
    """Read a group of a batch as a streams document, at its latest instant or at another one; None where it is no application.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    return application_from_tables(_tables(one), one.group_id, one.source_file, at)


def application_with_measured_rates(one: StoredGroup) -> Application | None:
    """Read the latest instant of a group, with the rates that it has not and the instant before it tells; None where it is no application.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    tables = _tables(one)
    latest = application_from_tables(tables, one.group_id, one.source_file)
    times = of_group(tables.consumers, GroupKey(one.group_id, one.source_file))["taken_at"]
    instants = sorted(time for time in times.unique().to_pylist() if time)
    if latest is None or len(instants) < 2:
        return latest
    return with_measured_rates(latest, application_from_tables(tables, one.group_id, one.source_file, instants[-2]))


def _tables(one: StoredGroup) -> ApplicationTables:
    return ApplicationTables(*store.applications(one.lake, one.batch, one.group_id))


def stored_applications(lake: Place, batch_id: str) -> list[GroupKey]:
    """Return the groups of a batch that open as applications."""
    return application_keys(store.table(lake, batch_id, "CONSUMERS"))
