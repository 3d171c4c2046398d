"""What is wrong with a group: one sentence, its evidence, and what helps.

print(evenkeel.read("listing.txt").group().diagnosis)
"""

from collections.abc import Iterator, Sequence
from typing import Any

from evenkeel.data.commands.text import json_line, printable
from evenkeel.data.diagnosis.answer import Answer
from evenkeel.data.group.tables.frames import table_of
from evenkeel.data.text.columns import Column
from evenkeel.rows import Rows


class Diagnosis:
    """One diagnosed group: `str(diagnosis)` is its sentence. `to_dict()` is the line of `evenkeel
    diagnose --json`.
    """

    def __init__(self, answer: Answer):
        self._answer = answer

    @property
    def group(self) -> str | None:
        """The group's id."""
        return self._answer.names.group_id

    @property
    def headline(self) -> str:
        """The code of the first finding, such as `down`, `silent_member` or `fine`."""
        return self._answer.code.value

    @property
    def group_class(self) -> str:
        """`need`, `recover`, `later`, `fine` or `unknown`."""
        return self._answer.group_class.value

    @property
    def sentence(self) -> str:
        return self._answer.sentence

    @property
    def advice(self) -> str:
        return self._answer.advice

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings, the headline first: code, severity, certainty, subject, lag, figures, text
        and so on.
        """
        return self.to_dict()["findings"]

    @property
    def remedies(self) -> list[dict[str, Any]]:
        """The actions, doing nothing among them: computed effect, price, and whether each helps."""
        return self.to_dict()["remedies"]

    def to_dict(self) -> dict[str, Any]:
        """Return everything; unknown is None."""
        return self._answer.document()

    def to_json(self) -> str:
        """Return the same as JSON."""
        return json_line(self.to_dict()).rstrip()

    def __str__(self) -> str:
        return printable(self.sentence)

    def __repr__(self) -> str:
        return f"<diagnosis {self.headline}: {self}>"


_COLUMNS = (
    Column("group", value="names.group_id"),
    Column("group_class", value="group_class.value"),
    Column("headline", value="code.value"),
    Column("severity", value="headline.severity.word"),
    Column("certainty", value="headline.certainty.value"),
    Column("total_lag", value="case.total", kind="int64"),
    Column("unread_lag", value="case.unread_lag", kind="int64"),
    Column("sentence", value="sentence"),
    Column("advice", value="advice"),
)


class Diagnoses(Rows):
    """A row for each group, in the order of the input; `diagnoses[0]` is one group's diagnosis."""

    def __init__(self, answers: Sequence[Answer]):
        self._answers = answers
        super().__init__(table_of(_COLUMNS, answers))

    def __getitem__(self, place: int) -> Diagnosis:
        return Diagnosis(self._answers[place])

    def __iter__(self) -> Iterator[Any]:
        return map(Diagnosis, self._answers)
