"""Results: comparison of assignors, answer of one assignor, and best assignment."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from evenkeel.assignors.compare.figure import FIGURES
from evenkeel.data.best.answer import SearchResult, why_best, written
from evenkeel.data.best.answer_json import number
from evenkeel.data.best.tables import best_text, moved_table, sizes_table
from evenkeel.data.compare import owner_tables
from evenkeel.data.compare.answer import Change, ComparisonResult
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import required
from evenkeel.data.group.columns import assignment_by_name
from evenkeel.data.group.document import Application
from evenkeel.data.group.tables.frames import frame_of_rows
from evenkeel.data.scenarios.run.application_step import TASK_FIGURES
from evenkeel.diagnosis import Diagnosis
from evenkeel.rows import Rows, cell

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go


@dataclass(frozen=True)
class Advice:
    """Whether to switch to another assignor. Deprecated, removed after one release.

    `str(advice)` is the sentence. `reason`: code of the sentence. `assignor`: the new assignor.
    `gain`: share of the worst member's lag that the switch removes, from 0 to 1. `price`: moves and
    pauses during the switch. Unknown values are None.
    """

    text: str | None
    worth_it: bool | None
    assignor: str | None
    reason: str | None
    gain: float | None
    price: dict[str, Any] | None

    def __str__(self) -> str:
        return self.text or ""

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(str(self))}</p>"


class Table:
    """The answers of all assignors. `print(table)` prints the text of `evenkeel compare`;
    `table["lag"]` is the answer of the assignor `lag`.

    >>> import evenkeel
    >>> table = evenkeel.group({"orders": 3}, ["a", "b"], owned={"a": {"orders": [0, 1,
    ...     2]}}, lag={"orders": [9, 9, 0]}).compare("lag")
    >>> table.assignors
    ('current', 'lag')
    >>> table["lag"]["max_lag"]
    9
    """

    def __init__(self, compared: ComparisonResult):
        self._compared = compared

    @property
    def assignors(self) -> tuple[str, ...]:
        """The names of the assignors, one for each row; `current` is the current assignment."""
        return tuple(row.row["assignor"] for row in self._compared.rows)

    @property
    def advice(self) -> Advice | None:
        """Advice on a switch to another assignor; None for a Kafka Streams application."""
        advice = self._compared.advice
        return Advice(**advice._asdict()) if advice else None

    @property
    def diagnosis(self) -> Diagnosis | None:
        """The diagnosis of the group; None if the group has edits or is a Kafka Streams
        application.
        """
        answer = self._compared.diagnosis
        return Diagnosis(answer) if answer else None

    def to_dict(self) -> dict[str, Any]:
        """Return the document that `evenkeel compare --json` prints. Unknown figures are None. The
        README explains the figures.
        """
        return self._compared.document()

    def to_json(self) -> str:
        """Return the document of `to_dict` as JSON."""
        return msgspec.json.encode(self.to_dict()).decode()

    def to_pandas(self) -> "pd.DataFrame":
        """Return the rows of `to_dict` as a DataFrame; unknown values are `<NA>`."""
        with required("notebook"):
            return frame_of_rows(
                [row.row for row in self._compared.rows], {*FIGURES, *TASK_FIGURES}
            )

    def figure(self, candidate: str | None = None) -> "go.Figure":
        """Return the chart of the page Compare: partitions and lag of each member. plotly must be
        installed.

        `candidate`: the assignor to compare with the current assignment; if None, the assignor that
        the diagnosis names.
        """
        return _figure(self._compared, candidate if candidate is None else self[candidate].name)

    def __getitem__(self, assignor: str) -> "Answer":
        if not isinstance(assignor, str) or assignor not in self.assignors:
            raise SnapshotError(
                f'no assignor "{assignor}" in this comparison, expected one of'
                f" {', '.join(self.assignors)}"
            )
        return Answer(self._compared, assignor)

    def __iter__(self) -> "Iterator[Answer]":
        return (self[name] for name in self.assignors)

    def __len__(self) -> int:
        return len(self.assignors)

    def __str__(self) -> str:
        return self._compared.table().rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from evenkeel.dashboard.shares.reports.still import comparison_html

        return comparison_html(self._compared)


class Answer(Mapping[str, Any]):
    """The answer of one assignor: a mapping from figures, such as `max_lag`, to values. Its methods
    return owners, moves and members. Unknown values are None.
    """

    def __init__(self, compared: ComparisonResult, name: str):
        self._compared, self.name = compared, name

    @cached_property
    def _row(self) -> dict[str, Any]:
        return next(row.row for row in self._compared.rows if row.row["assignor"] == self.name)

    def __getitem__(self, figure: str) -> Any:
        if figure not in self:
            raise SnapshotError(
                f'no figure "{figure}" of {self.name}, expected one of {", ".join(self._row)}'
            )
        return self._row[figure]

    def __contains__(self, figure: object) -> bool:
        return isinstance(figure, str) and figure in self._row

    def __iter__(self) -> Iterator[str]:
        return iter(self._row)

    def __len__(self) -> int:
        return len(self._row)

    @property
    def error(self) -> str | None:
        """The exception of Kafka's class, on one line; None if the assignor has an answer."""
        message = self._row["error"]
        return message and f"{message['type']}: {message['message']}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """Texts about the answer: rebalances that never end, surprising behaviour of Kafka, and
        unknown inputs on which the answer depends.
        """
        return tuple(self._row.get("remarks", ()))

    def owners(self) -> Rows:
        """Return a row for each partition: topic, partition, member_id and lag. For an application,
        return a row for each task: owner, task_id and role.
        """
        if self._is_of_tasks:
            return Rows(owner_tables.roles_table(self._task_step))
        change = self._change
        return Rows(owner_tables.owners_table(change.group.snapshot, change.assigned, change.lag))

    def moves(self) -> Rows:
        """Return a row for each moved partition, most lag first: topic, partition, from_member,
        to_member and lag. For an application, return a row for each moved task.
        """
        if self._is_of_tasks:
            return Rows(owner_tables.moved_tasks_table(self._task_step))
        change = self._change
        if change.owned is None:
            raise SnapshotError("the current owners are unknown, so the moves are unknown")
        return Rows(
            owner_tables.moves_table(change.wide, change.owned, change.assigned, change.lag)
        )

    def members(self) -> Rows:
        """Return a row for each member: its partitions in this answer, their total lag, and the
        number of unknown lags.
        """
        if self._is_of_tasks:
            raise SnapshotError("an application has no members(), expected owners()")
        return Rows(owner_tables.members_table(self._change.group, self._change.balance))

    def assignment(self) -> dict[str, dict[str, list[int]]]:
        """Return the assignment as `evenkeel assign` prints it: partition numbers by member and
        topic. For an application, return tasks by role.
        """
        if self._is_of_tasks:
            return self._task_step.assigned()
        return assignment_by_name(self._change.group, self._change.assigned)

    def why(self, topic: str, partition: int) -> tuple[str, ...]:
        """Return why the partition has this owner: a sentence for each step of the assignor.

        >>> import evenkeel
        >>> evenkeel.group({"orders": 4}, members={"a": ["orders"],
        ...     "b": ["orders"]}).compare("range")["range"].why("orders", 3)
        ('orders has 4 partitions and 2 subscribers in the order a, b; the 2nd, b, gets 2 to 3.',)
        """
        return self._compared.why(self.name, topic, partition)

    def rounds(self) -> Rows:
        """Return a row for each probing rebalance (KIP-441), until the application is balanced."""
        if not self._is_of_tasks:
            raise SnapshotError(
                "a group has no probing rebalances, expected a Kafka Streams application; see"
                ' the figure "rounds"'
            )
        return Rows(owner_tables.rounds_table(self._task_step))

    @property
    def _is_of_tasks(self) -> bool:
        return isinstance(self._compared.subject, Application)

    @property
    def _task_step(self) -> Any:
        answer = self._compared.answers.get(self.name)
        if answer is None or answer.answer is None:
            raise SnapshotError(self._no_answer)
        return answer

    @property
    def _change(self) -> Change:
        change = self._compared.change(self.name)
        if change is None:
            raise SnapshotError(self._no_answer)
        return change

    @property
    def _no_answer(self) -> str:
        return (
            f"{self.name} has no answer: {self.error}"
            if self.error
            else "the current owners are unknown"
        )

    def __repr__(self) -> str:
        width = max(map(len, self._row))
        return "\n".join(f"{figure:<{width}}  {cell(value)}" for figure, value in self._row.items())


class Best:
    """The best assignment that the search found. `print(best)` prints the text of `evenkeel best`.
    `best.value` and `best.bound` are numbers; None means that the group never drains.

    >>> import evenkeel
    >>> best = evenkeel.group({"orders": 3}, ["a", "b"], owned={"a": {"orders": [0, 1, 2]}},
    ...     lag={"orders": [9, 9, 0]}).best(moves=1)
    >>> best.value, best.bound, best.proved, best.assignment()
    (9, 9, True, {'a': {'orders': [0, 2]}, 'b': {'orders': [1]}})
    """

    def __init__(self, result: SearchResult):
        self._result = result

    @property
    def value(self) -> int | float | None:
        """The objective's value for the worst member, such as the lag of this member."""
        return number(self._result.best.value)

    @property
    def bound(self) -> int | float | None:
        """A lower bound: no assignment within the limits has a smaller value."""
        return number(self._result.best.bound)

    @property
    def gap(self) -> float | None:
        """value / bound - 1; None if unknown."""
        return self._result.best.gap

    @property
    def proved(self) -> bool:
        """Whether it is proved that no assignment within the limits is better."""
        return self._result.best.is_proved

    @property
    def moves_count(self) -> int:
        """Number of partitions that leave their present owner."""
        return self._result.best.moves

    def assignment(self) -> dict[str, dict[str, list[int]]]:
        """Return partition numbers by member and topic."""
        return self.to_dict()["assignment"]

    def moves(self) -> Rows:
        """Return a row for each moved partition, most lag first: topic, partition, from_member,
        to_member and lag.
        """
        return Rows(moved_table(self._result))

    def why(self, topic: str, partition: int) -> tuple[str, ...]:
        """Return why the partition has this owner: a sentence for each step of the search. The
        search runs again for this.

        >>> import evenkeel
        >>> best = evenkeel.group({"orders": 3}, ["a", "b"], owned={"a": {"orders": [0, 1,
        ...     2]}}, lag={"orders": [9, 9, 0]}).best(moves=1)
        >>> best.why("orders", 1)[-1]
        'Moving it saves 9 records: if it stayed with a, the worst member would have 18 records.'
        """
        return why_best(
            self._result.observed, self._result.best, self._result.starts, topic, partition
        ).sentences

    @property
    def certificate(self) -> dict[str, Any]:
        """The proof of the bound: a document of format `evenkeel.certificate/1`."""
        return self.to_dict()["certificate"]

    def to_dict(self) -> dict[str, Any]:
        """Return the document that `evenkeel best --json` prints."""
        return msgspec.to_builtins(written(self._result))

    def to_json(self) -> str:
        """Return the document of `to_dict` as JSON."""
        return msgspec.json.encode(written(self._result)).decode()

    def __str__(self) -> str:
        return best_text(self._result).rstrip("\n")

    __repr__ = __str__


class Sizes(Rows):
    """For each number of equal members: the best value and its lower bound. `useful` and `within`
    contain the number of members that the group needs.
    """

    def __init__(self, result: SearchResult):
        super().__init__(sizes_table(result))
        assert result.size
        self._size = result.size

    @property
    def useful(self) -> tuple[int | None, int | None]:
        """(lower, upper) bounds of the largest number of members that is useful."""
        return self._size.useful

    @property
    def within(self) -> tuple[int | None, int | None] | None:
        """(lower, upper) bounds of the smallest number of members that reaches `within`."""
        return self._size.within


def _figure(compared: ComparisonResult, candidate: str | None) -> "go.Figure":
    if isinstance(compared.subject, Application):
        raise SnapshotError("an application has no chart in the library, see the page Streams")
    with required("notebook"):
        from evenkeel.dashboard.compare.member_bars import of_comparison
        from evenkeel.dashboard.shares.reports.charts import light
    return light(of_comparison(compared, candidate))
