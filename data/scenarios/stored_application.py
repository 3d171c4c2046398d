"""One Kafka Streams application of a batch of the lake."""

from datetime import datetime

from data.columns import ApplicationTables, GroupKey, application_from_tables, application_keys
from data.document import Application
from data.lake import store
from data.lake.place import Place
from data.scenarios.stored_group import StoredGroup


def stored_application(one: StoredGroup, at: datetime | None = None) -> Application | None:
    """Read a group of a batch as a streams document, at its latest instant or at another one; None where it is no application.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    tables = ApplicationTables(*store.applications(one.lake, one.batch, one.group_id))
    return application_from_tables(tables, one.group_id, one.source_file, at)


def stored_applications(lake: Place, batch_id: str) -> list[GroupKey]:
    """Return the groups of a batch that open as applications."""
    return application_keys(store.table(lake, batch_id, "CONSUMERS"))
