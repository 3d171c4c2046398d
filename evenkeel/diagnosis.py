"""Diagnosis of a group: a sentence, the evidence, and possible remedies.

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
    """The diagnosis of a group. `str(diagnosis)` is the sentence. `to_dict()` is the object that
    `evenkeel diagnose --json` prints.
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
        """The group's class: `need`, `recover`, `later`, `fine` or `unknown`."""
        return self._answer.group_class.value

    @property
    def sentence(self) -> str:
        return self._answer.sentence

    @property
    def advice(self) -> str:
        return self._answer.advice

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings; the finding that decides the headline is first. A finding has code,
        severity, certainty, subject, lag, figures, text and more.
        """
        return self.to_dict()["findings"]

    @property
    def remedies(self) -> list[dict[str, Any]]:
        """The possible actions. Each has its computed effect and price, and says whether it helps.
        The action to do nothing is included.
        """
        return self.to_dict()["remedies"]

    def to_dict(self) -> dict[str, Any]:
        """Return the diagnosis as a dictionary; unknown values are None."""
        return self._answer.document()

    def to_json(self) -> str:
        """Return the dictionary of `to_dict` as JSON."""
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
    """A table with one row for each group, in input order. `diagnoses[0]` is the first group's
    diagnosis.
    """

    def __init__(self, answers: Sequence[Answer]):
        self._answers = answers
        super().__init__(table_of(_COLUMNS, answers))

    def __getitem__(self, place: int) -> Diagnosis:
        return Diagnosis(self._answers[place])

    def __iter__(self) -> Iterator[Any]:
        return map(Diagnosis, self._answers)
