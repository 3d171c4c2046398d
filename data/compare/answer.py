"""The comparison that `evenkeel compare` and the Python library show: figures, advice, and the
answer of each assignor.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.compare.balance import Balance
from evenkeel.assignors.compare.comparison import CURRENT, Row, compare, row_of
from evenkeel.assignors.compare.facts import NO_FACTS, Facts, facts_of
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import page_lag
from evenkeel.assignors.group.owned import first_owners
from evenkeel.assignors.protocol import SHARE, serving
from evenkeel.data.compare.advice import Advice, ResultAdvice, advice_of, first_choice
from evenkeel.data.compare.tables import (
    Figures,
    comparison_table,
    figures_of,
    told_of,
)
from evenkeel.data.compare.task_table import task_rows, task_table
from evenkeel.data.configuration import Configuration
from evenkeel.data.diagnosis.answer import Answer, Context, diagnosed, diagnosed_start
from evenkeel.data.diagnosis.reading import Readings
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.application_document import ordered_tasks
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Application
from evenkeel.data.scenarios.leaders import (
    Made,
    client_of,
    facts_by_row,
    in_use,
    led_by,
    why_task_there,
    why_there,
    with_settings,
)
from evenkeel.data.scenarios.run.application_step import TaskStep
from evenkeel.data.scenarios.run.group_step import StepAnswer, listed_answer, remembering
from evenkeel.data.scenarios.run.results import (
    ApplicationResult,
    GroupResult,
    application_result,
    result_of,
)
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario, Scenario, Settings


class Change(NamedTuple):
    """A change of owners: `owned` before the change, `assigned` by an assignor.

    `wide`: the group with departed members after the present members. `owned` contains row numbers
    of members in `wide`; None if the owners before the change are unknown.
    """

    group: ObservedGroup
    assigned: Assignment
    balance: Balance
    lag: np.ndarray
    wide: GroupSnapshot
    owned: Assignment | None


class ComparisonResult(NamedTuple):
    """A group or an application, with the figures and the answer of each assignor.

    `subject`: the group or application before the compared step.
    `rows`: figures, first of the current assignment, then of each assignor.
    `answers`: answers by assignor name. A group as listed also has its current assignment here.
    `result`: results of all steps of a scenario.
    `step`: number of the compared step.
    `made`, `settings`: the assignors and their settings.
    `facts`, `diagnosis`: only for a group as listed.
    """

    subject: ObservedGroup | Application
    rows: list[Figures]
    answers: Mapping[str, Row | StepAnswer | TaskStep]
    diagnosis: Answer | None = None
    advice: Advice | None = None
    facts: Mapping[str, Facts] = {}
    result: GroupResult | ApplicationResult | None = None
    step: int = 0
    made: Mapping[str, Made] = {}
    settings: Settings = Settings()

    def document(self) -> dict:
        """Return the JSON document of `compare --json`."""
        name = (
            self.subject.application_id
            if isinstance(self.subject, Application)
            else self.subject.group_id
        )
        head: dict[str, Any] = {}
        if self.advice is not None:
            diagnosis = self.diagnosis and self.diagnosis.document()
            head = {"diagnosis": diagnosis, "advice": self.advice._asdict()}
        if self.result is None and self.diagnosis is not None:
            readings = self.diagnosis.readings
            head |= {"notes": list(readings.notes), "growth": readings.growth}
        return {"group_id": name, **head, "rows": [figures.row for figures in self.rows]}

    def table(self) -> str:
        """Return the table of `compare`."""
        if isinstance(self.subject, Application):
            return task_table(self.subject, self.rows)
        return comparison_table(self.subject, self.rows, self.sentences)

    @property
    def sentences(self) -> list[str]:
        """The diagnosis, its advice, and notes about the input. After edits, only a sentence about
        the gain of a switch.
        """
        if self.diagnosis is not None:
            notes = (f"input: {text}" for text in self.diagnosis.about_input())
            return [self.diagnosis.sentence, self.diagnosis.advice, *notes]
        return [self.advice.text] if self.advice and self.advice.text else []

    @property
    def first(self) -> str:
        """The name of the first assignor to show."""
        named = self.advice and self.advice.assignor
        answers = {row.row["assignor"]: self.answers[row.row["assignor"]] for row in self.rows[1:]}
        first = first_choice(named, self.subject, self.settings, answers)
        return first or self.rows[-1].row["assignor"]

    def change(self, name: str) -> Change | None:
        """Return the change of owners by the assignor `name`. None if the assignor has no answer.

        `CURRENT`: the current owners; None if the current owners are unknown.
        """
        assert isinstance(self.subject, ObservedGroup)
        if name == CURRENT and self.result is not None:
            is_known = self.rows[0].row["max_partitions"] is not None
            return _of_step(listed_answer(self.subject)) if is_known else None
        answer = self.answers[name]
        if isinstance(answer, Row):
            return _of_row(self.subject, answer)
        return _of_step(answer) if isinstance(answer, StepAnswer) else None

    def why(self, name: str, topic: str, partition: int) -> tuple[str, ...]:
        """Return why an assignor gives a partition to its member: one sentence for each step of
        the assignor.

        After edits, the sentences explain the last rebalance of the compared step.

        Raises
        ------
        SnapshotError
            If the row is the current assignment or has no answer, or if the partition is missing.
        """
        if name == CURRENT:
            raise SnapshotError(f"{CURRENT} is the group's own assignment, expected an assignor")
        answer = self.answers[name]
        if isinstance(answer, TaskStep):
            return _why_task(answer, f"{topic}_{partition}")
        listed = self.subject if self.result is None else self.result.listed
        assert isinstance(listed, ObservedGroup)
        assignor = with_settings(
            led_by(client_of(listed.leader, self.settings.client), {name: self.made[name]})[name],
            self.settings,
        )
        input_there = listed
        if not isinstance(answer, Row):
            if not answer.rebalances or answer.start is None:
                raise SnapshotError(f"{name} has no answer in this step")
            assignor, input_there = (
                remembering(assignor, answer.start),
                answer.rebalances[-1].joined,
            )
        try:
            return why_there(input_there, assignor, topic, partition)
        except AssignorError as error:
            raise SnapshotError(f"{name} has no answer: {error.java_class}: {error}") from None


def _why_task(answer: TaskStep, task_id: str) -> tuple[str, ...]:
    document = answer.joined
    if document is None or answer.assignor is None:
        raise SnapshotError(f"{answer.name} has no answer in this step")
    ids = [task.task_id for task in ordered_tasks(document)]
    if task_id not in ids:
        raise SnapshotError(
            f"no task {task_id} in this application, expected one of {', '.join(ids[:8])}"
        )
    processes = [process.process_id for process in document.processes or ()]
    application = answer.applications[-1]
    return why_task_there(
        application, answer.assignor, ids.index(task_id), processes, application.member_id
    )


def _of_row(observed: ObservedGroup, row: Row) -> Change | None:
    if row.assignment is None or row.balance is None:
        return None
    group, assigned = observed.snapshot, row.assignment.handed_out()
    return Change(observed, assigned, row.balance, page_lag(group), group, observed.current)


def _of_step(answer: StepAnswer) -> Change | None:
    if not answer.rebalances:
        return None
    (wide, owned), last = answer.change, answer.rebalances[-1]
    return Change(last.group, last.assignment, last.balance, last.lag, wide.snapshot, owned)


def require_names(wanted: Sequence[str] | None, names: Collection[str], option: str) -> None:
    """Raise SnapshotError if a name in `wanted` is not in `names`.

    `option`: name of the command-line option, for the error message.
    """
    unknown = [name for name in wanted or () if name not in names]
    if unknown:
        raise SnapshotError(f'{option}: found "{unknown[0]}", expected one of {", ".join(names)}')


def compared_group(
    readings: Readings,
    assignors: Mapping[str, Made],
    wanted: Sequence[str] | None = None,
    context: Context = Context(),
) -> ComparisonResult:
    """Compare the assignors for a group as listed.

    `wanted`: names of assignors; None: all assignors that can serve the group.
    """
    observed, settings = readings.now, context.group
    names = list(dict.fromkeys(wanted or serving(observed.group_type, assignors)))
    led = led_by(client_of(observed.leader, settings.client), assignors)
    comparison = compare(
        observed.snapshot, observed.current, [with_settings(led[name], settings) for name in names]
    )
    facts = facts_by_row(observed, comparison.rows, settings)
    rows = comparison.rows
    diagnosis = diagnosed(readings, context)
    figures = [
        figures_of(
            observed,
            row,
            facts.get(row.name),
            assignors.get(row.name),
            name_of=diagnosis.names.member,
        )
        for row in rows
    ]
    rounds = {row.row["assignor"]: row.row["rounds"] for row in figures}
    return ComparisonResult(
        observed,
        figures,
        {row.name: row for row in rows},
        diagnosis,
        advice_of(diagnosis.document(), rounds.get),
        facts,
        made=assignors,
        settings=settings,
    )


def compared_step(
    scenario: Scenario,
    step: int,
    assignors: Mapping[str, Made],
    wanted: Sequence[str] | None,
    configuration: Configuration,
) -> ComparisonResult:
    """Compare the assignors in one step of a scenario. Raises the errors of `result_of`.

    All edits of `scenario` must have their rates.
    """
    result = result_of(scenario, assignors, wanted, configuration.command_line)
    diagnosis = diagnosed_start(result, configuration.gain, configuration.findings.ignore)
    return ComparisonResult(
        *step_comparison(result, step, assignors),
        result.steps[step],
        None if step else diagnosis,
        ResultAdvice(result, diagnosis.document(), configuration.gain).after(step),
        result=result,
        step=step,
        made=assignors,
        settings=scenario.settings,
    )


def compared_application(
    scenario: ApplicationScenario,
    step: int,
    wanted: Sequence[str] | None,
    configuration: Configuration,
) -> ComparisonResult:
    """Compare the task assignors in one step of a Kafka Streams application.

    Raises the errors of `application_result`.
    """
    result = application_result(scenario, wanted, configuration.command_line)
    return ComparisonResult(
        scenario.group, task_rows(result, step), result.steps[step], result=result, step=step
    )


# The figures of a scenario's step, as rows of a comparison.


def step_comparison(
    result: GroupResult, step: int, assignors: Mapping[str, Made]
) -> tuple[ObservedGroup, list[Figures]]:
    """Return the group before a step, and the rows of figures: first the group before the step,
    then the result of each assignor.

    From the second step on, the group before a step has the owners from the assignor in use. If
    this assignor has no answer, the figures of the first row are unknown.
    """
    answers = result.steps[step]
    in_use_name = in_use(result.listed)
    before: ObservedGroup | None = result.listed
    if step > 1:
        answer = answers.get(in_use_name or "")
        before = answer.start if answer else None
    shown = before or next(
        (answer.start for answer in answers.values() if answer.start), result.listed
    )
    return shown, [
        _current(shown, before is not None),
        *(_after(result, answer, assignors) for answer in answers.values()),
    ]


def _current(group: ObservedGroup, is_known: bool) -> Figures:
    if not is_known or group.current is None:
        return figures_of(group, Row(CURRENT), None, None)
    snapshot, current = group.snapshot, group.current
    if group.group_type != SHARE:
        current = first_owners(snapshot, current)
    row = row_of(snapshot, page_lag(snapshot), current, CURRENT, current)
    return figures_of(group, row, None, None)


def _after(result: GroupResult, answer: StepAnswer, assignors: Mapping[str, Made]) -> Figures:
    made = assignors[answer.name]
    if not answer.rebalances:
        return figures_of(result.listed, answer.row, None, made)
    first = answer.rebalances[0]
    facts = NO_FACTS
    if first.at_rest and answer.start:
        settings = result.scenario.settings
        led = led_by(client_of(result.listed.leader, settings.client), {answer.name: made})[
            answer.name
        ]
        assignor = remembering(with_settings(led, settings), answer.start)
        row = Row(answer.name, first.at_rest.answer)
        facts = facts_of(
            first.joined.snapshot,
            first.joined.current,
            assignor,
            row,
            "members" not in first.joined.assumed,
        )
    way = told_of(answer.row, facts)
    seen = answer.told._replace(is_settled=way.is_settled, is_endless=way.is_endless)
    after = figures_of(first.joined, answer.row, facts, made, seen)
    return after._replace(row=after.row | {"never_ends": answer.never_ends})
