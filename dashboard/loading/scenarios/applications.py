"""Kafka Streams applications with their names: worked examples, and groups of a batch that the lake gives back as streams documents."""

import msgspec

from evenkeel.dashboard.loading.batches.stored_groups import require_stored
from evenkeel.dashboard.loading.cache.cache import kept
from evenkeel.dashboard.view import ApplicationView, Opened
from evenkeel.dashboard.words.names import process_names, thread_names
from evenkeel.data.columns import GroupKey, application_from_document
from evenkeel.data.columns.applications.application_from_document import task_order
from evenkeel.data.columns.applications.measured_rates import with_measured_rates
from evenkeel.data.columns.applications.restoring_rates import restoring_rates
from evenkeel.data.configuration import configuration
from evenkeel.data.document.application import Application
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.examples.streams_examples import example_document, streams_example
from evenkeel.data.scenarios.run.application_step import rows_of_owners
from evenkeel.data.scenarios.size import SizeOfApplication
from evenkeel.data.scenarios.stored_groups import StoredGroup, application_with_measured_rates, stored_application, stored_applications


def is_application(opened: Opened) -> bool:
    """Tell whether what is opened is a Kafka Streams application.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    if opened.slug:
        return streams_example(opened.slug) is not None
    require_stored(opened.batch)
    return GroupKey(opened.group_id, None if opened.group_id else opened.source_file) in _stored(opened.batch)


def application(opened: Opened) -> ApplicationView:
    """Return what is opened, as its document has it.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    require_stored(opened.batch)
    require_stored(opened.earlier)
    return _application(key_of(opened))


def key_of(opened: Opened) -> Opened:
    """Return what is opened without the choices of other pages; `earlier`: the batch of a reading before, which tells rates."""
    return Opened(opened.slug, opened.batch, opened.group_id, opened.source_file, earlier=opened.earlier, restore_rate=opened.restore_rate)


def shown(opened: Opened, document: Application, start: Application | None = None, digest: str = "") -> ApplicationView:
    """Return a document ready to be shown; `start`: before the edits that made it, `digest`: of these edits."""
    processes = document.processes or []
    return ApplicationView(
        opened,
        document,
        application_from_document(document),
        restoring_rates(document),
        tuple(document.tasks[place].task_id for place in task_order(document).tolist()),
        process_names(processes),
        thread_names(processes),
        rows_of_owners(start or document, document),
        digest,
    )


@kept
def _stored(batch: str) -> list[GroupKey]:
    return stored_applications(configuration().lake, batch)


@kept
def _application(opened: Opened) -> ApplicationView:
    document = example_document(opened.slug) if opened.slug else _document(opened)
    return shown(opened, document if opened.restore_rate is None else _with_rate(document, opened.restore_rate))


def _with_rate(document: Application, rate: float) -> Application:
    """Fill in the restore rate of each process that has none."""
    others = {process.process_id: rate for process in document.processes or ()}
    return msgspec.structs.replace(document, restore_rates=others | (document.restore_rates or {}))


def _document(opened: Opened) -> Application:
    chosen = configuration()
    one = StoredGroup(chosen.lake, opened.batch, opened.group_id, opened.source_file, chosen.budget)
    found = application_with_measured_rates(one)
    earlier = stored_application(one._replace(batch=opened.earlier)) if opened.earlier else None
    if found is None:
        raise SnapshotError(f"group {opened.group_id}: found no tasks in this upload, expected those of a Kafka Streams application")
    chosen.budget.require_listed(SizeOfApplication(found).footprint)
    return with_measured_rates(found, earlier) if earlier else found
