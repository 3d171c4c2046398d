"""One Kafka Streams application with its names."""

from dashboard.loading.cache.cache import kept
from dashboard.view import ApplicationView, OpenedApplication
from dashboard.words.task_names import process_names, thread_names
from data.columns import application_from_document
from data.columns.from_application import task_order
from data.columns.restoring_rates import restoring_rates
from data.document.application import Application
from data.scenarios.streams_examples import example_document


@kept
def application(opened: OpenedApplication) -> ApplicationView:
    """Return what is opened, as its document has it."""
    return shown(opened, _document(opened))


def shown(opened: OpenedApplication, document: Application, digest: str = "") -> ApplicationView:
    """Return a document ready to be shown; `digest`: of the edits that made it."""
    processes = document.processes or []
    return ApplicationView(
        opened,
        document,
        application_from_document(document),
        restoring_rates(document),
        tuple(document.tasks[place].task_id for place in task_order(document).tolist()),
        process_names(processes),
        thread_names(processes),
        digest,
    )


def _document(opened: OpenedApplication) -> Application:
    return example_document(opened.slug)
