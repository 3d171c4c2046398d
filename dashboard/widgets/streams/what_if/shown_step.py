"""The application as it joins the rebalance of the step that is shown."""

from collections.abc import Mapping

from evenkeel.dashboard.loading.streams.applications import application
from evenkeel.dashboard.loading.streams.steps import document_before, gone, view_of
from evenkeel.dashboard.view import ApplicationView, Opened
from evenkeel.dashboard.widgets.streams.what_if import step_state
from evenkeel.dashboard.widgets.streams.what_if.step_form import Choices
from evenkeel.dashboard.words.tasks.task_names import process_names
from evenkeel.data.scenarios.edits.edit import RefusedEditError
from evenkeel.data.words.names import without_uuid


def view_at(opened: Opened, name: str) -> ApplicationView:
    """Return the application under an assignor; where a step is refused, as the last one before it has it."""
    now, number = step_state.current(opened), step_state.current(opened).at
    try:
        return view_of(opened, now.steps, number, name)
    except RefusedEditError as error:
        return view_of(opened, now.steps, error.at.step, name)


def choices(opened: Opened, name: str) -> Choices:
    """Return the instances that a step behind the one that is shown can name."""
    now = step_state.current(opened)
    try:
        documents = document_before(opened, now.steps, now.at + 1, name)
        left = gone(opened, now.steps, now.at, name)
    except RefusedEditError as error:
        documents, left = document_before(opened, now.steps, error.at.step + 1, name), {}
    processes = documents.processes or []
    running = dict(zip((process.process_id for process in processes), process_names(processes), strict=True))
    return Choices(running, {each: without_uuid(client) for each, client in left.items()})


def names_of(opened: Opened, name: str) -> Mapping[str, str]:
    """Return the names of all instances that there ever are, by process id."""
    now, names = step_state.current(opened), {}
    views = [application(opened), view_at(opened, name)]
    for number in range(1, len(now.steps) + 1):
        try:
            views.append(view_of(opened, now.steps, number, name))
        except RefusedEditError:
            break
    for view in views:
        for process, label in zip(view.document.processes or (), view.processes, strict=True):
            names.setdefault(process.process_id, label)
    return names
