"""A Kafka Streams application: facts, What-if edits, and the comparison of task assignors."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

import msgspec

from evenkeel.data.compare.answer import (
    compared_application,
)
from evenkeel.data.compare.owner_tables import no_rounds
from evenkeel.data.compare.task_table import about_application
from evenkeel.data.configuration import configuration
from evenkeel.data.group.document import Application as ApplicationDocument
from evenkeel.data.scenarios.asked import (
    converted,
    processes_of,
    require_steps_asked,
)
from evenkeel.data.scenarios.run.results import asked_task_assignors
from evenkeel.data.scenarios.scenario.scenario import (
    FORMAT,
    ApplicationScenario,
    ApplicationSettings,
    Step,
)
from evenkeel.edits import ApplicationEdits
from evenkeel.question import Question, names_or_none, shown, with_edit
from evenkeel.results import Rows, Table


@dataclass(frozen=True, eq=False, repr=False)
class Application(ApplicationEdits):
    """A Kafka Streams application. It never changes: each edit returns a new application."""

    _document: ApplicationDocument
    _steps: tuple[Step, ...] = ()
    _settings: ApplicationSettings = ApplicationSettings()
    _title: str = ""

    @property
    def name(self) -> str | None:
        """The application's id; None if the input has no id."""
        return self._document.application_id

    @property
    def taken_at(self) -> datetime | None:
        return self._document.taken_at

    @property
    def process_ids(self) -> tuple[str, ...]:
        """The process ids before all edits."""
        return tuple(process.process_id for process in self._document.processes or ())

    @property
    def task_ids(self) -> tuple[str, ...]:
        """The task ids."""
        return tuple(task.task_id for task in self._document.tasks or ())

    @property
    def settings(self) -> Mapping[str, Any]:
        """Kafka's settings in the document, before all edits."""
        return dict(self._document.settings or {})

    def to_dict(self) -> dict[str, Any]:
        """Return the streams document before all edits."""
        return msgspec.to_builtins(self._document)

    def to_json(self) -> str:
        """Return the streams document before all edits, as JSON."""
        return msgspec.json.encode(self._document).decode()

    def then(self, name: str | None = None) -> Self:
        """End the step: the application rebalances, and later edits are in a new step.

        `name`: name of the new step.
        """
        steps = self._steps or (Step(),)
        return replace(self, _steps=(*steps, converted({"name": name}, Step, "then")))

    @property
    def what(self) -> list[str]:
        """For each step, a text about the changes in the step."""
        from evenkeel.dashboard.names import process_names

        names = dict(
            zip(self.process_ids, process_names(self._document.processes or ()), strict=True)
        )
        return [step.title(names) for step in self._steps]

    def compare(self, *assignors: str) -> Table:
        """Return the answer of each task assignor to the last step.

        Without edits, return the answer to the application as listed.
        """
        return Table(
            compared_application(
                self._scenario(), len(self._steps), names_or_none(assignors), configuration()
            )
        )

    def rounds(self, *assignors: str) -> Rows:
        """Return the probing rebalances of each task assignor, until the application is balanced.

        Assignors without an answer are left out.
        """
        import pyarrow

        rounds_of = [
            answer.rounds().to_arrow()
            for answer in self.compare(*assignors)
            if answer.name != "current" and not answer.error
        ]
        return Rows(pyarrow.concat_tables(rounds_of) if rounds_of else no_rounds())

    def scenario(self, name: str | None = None) -> Question:
        """Return a scenario: the application and its edits. The start page opens the scenario's
        document, and `evenkeel replay` answers it.
        """
        return Question(self._scenario(converted({"name": name}, Step, "scenario").name))

    def _scenario(self, name: str | None = None) -> ApplicationScenario:
        return ApplicationScenario(
            FORMAT, self._document, name or self._title or None, self._settings, list(self._steps)
        )

    def _edited(self, ask: Any) -> Self:
        steps = with_edit(self._steps, ask(processes_of(self._document)), Step())
        require_steps_asked(
            configuration().command_line,
            self._document,
            steps,
            len(asked_task_assignors(self._document, None)),
        )
        return replace(self, _steps=steps)

    def __repr__(self) -> str:
        return shown("application", about_application(self._document), self.what)
