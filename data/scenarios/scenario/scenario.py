"""A scenario: a group or application, settings, and a list of steps.

Pages, shares, reports and commands use only scenarios. A null value means the same as a missing
key, as in a group document.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Generic, TypeVar

import msgspec
import rfc8785

from evenkeel.data.group.columns import document_of
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import STREAMS_FORMAT, Application, Document
from evenkeel.data.group.document.shape import Generation, Shape
from evenkeel.data.scenarios.application_edits import AnyApplicationEdit
from evenkeel.data.scenarios.edits import AnyEdit
from evenkeel.data.scenarios.edits.edit import Edit, Names

FORMAT = "evenkeel.scenario/1"

AS_LISTED = "as listed"
"""Title of step 0."""

NO_EDITS = "rebalance as it is"
"""Title of a step without edits."""

MOST_STEPS = 200

_MOST_TOLD = 20
"""Most edits in a step's title."""

Java = Annotated[int, msgspec.Meta(ge=8, le=99)]
E = TypeVar("E", bound=Edit)


class Settings(Shape, frozen=True):
    """The settings of a scenario of a group.

    `client`: client whose code assigns a classic group, a key of `CLIENTS`; if None, the leader's
    client. `assignors`: names of assignors; if None, all that can assign the group.
    """

    client: str | None = None
    kafka_version: str | None = None
    jdk: Java | None = None
    max_generation: Generation | None = None
    assignors: list[str] | None = None


class ApplicationSettings(Shape, frozen=True):
    """The settings of a scenario of an application; Kafka's settings are in the streams document.

    `assignors`: names of assignors; if None, all that can assign the application.
    """

    jdk: Java | None = None
    assignors: list[str] | None = None


class Step(Shape, Generic[E], frozen=True):
    """Edits that happen at the same time; then the group rebalances until it is stable."""

    name: str | None = None
    edits: list[E] = []

    @property
    def edits_on(self) -> list[tuple[int, E]]:
        """(index, edit) of each edit whose `off` is False."""
        return [(place, edit) for place, edit in enumerate(self.edits) if not edit.off]

    def title(self, names: Names) -> str:
        """Return the name of the step; if it has no name, the texts of its edits."""
        words = [edit.in_words(names) for _, edit in self.edits_on[:_MOST_TOLD]]
        more = len(self.edits_on) - len(words)
        return self.name or ", ".join([*words, *([f"{more:,} more"] if more else [])]) or NO_EDITS


class Question(Shape, frozen=True):
    """What scenarios of groups and scenarios of applications have in common."""

    @property
    def step_names(self) -> list[str]:
        """Names of the steps; a step without a name is called `step 1`, `step 2` and so on."""
        return [step.name or f"step {number}" for number, step in enumerate(self.steps, 1)]


class Scenario(Question, frozen=True):
    """A scenario of a group."""

    format: str
    group: Document
    name: str | None = None
    settings: Settings = Settings()
    steps: list[Step[AnyEdit]] = []


class ApplicationScenario(Question, frozen=True):
    """A scenario of an application; `group` is a streams document."""

    format: str
    group: Application
    name: str | None = None
    settings: ApplicationSettings = ApplicationSettings()
    steps: list[Step[AnyApplicationEdit]] = []


def scenario_of(
    group: ObservedGroup, steps: Sequence[Step], settings: Settings, name: str = ""
) -> Scenario:
    """Return the scenario that consists of a group, steps, and the settings of a page."""
    document = msgspec.convert(document_of(group), Document)
    return Scenario(FORMAT, document, name or None, settings, list(steps))


# Hashes of a scenario and of its answers: SHA-256 of canonical JSON (RFC 8785).


_EXACT = 2**53 - 1
"""Largest integer that canonical JSON (RFC 8785) writes exactly; larger integers are written as
text.
"""

_LONG = b"0" * 16
"""If a text contains this after each digit was replaced by 0, an integer may exceed `_EXACT`."""

_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_TWO_WAYS = (b"\\u", b"\x7f")
"""Signs of control characters, some of which JSON may write in two ways."""


def content_hash(scenario: Scenario | ApplicationScenario) -> str:
    """Return the hash of group, settings and steps.

    Names, and edits whose `off` is True, do not change the hash.
    """
    steps = [
        {"edits": [msgspec.to_builtins(edit) for _, edit in step.edits_on]}
        for step in scenario.steps
    ]
    # Rates of a streams document are fractional numbers.
    encoded = _exact if scenario.group.format == STREAMS_FORMAT else without_fractions
    group, settings = (
        encoded(msgspec.to_builtins(scenario.group)),
        msgspec.to_builtins(scenario.settings),
    )
    # In canonical JSON keys are sorted: it is enough to sort them and write each value alone.
    return _sha256(
        b'{"group":%b,"settings":%b,"steps":%b}' % (group, rfc8785.dumps(settings), _exact(steps))
    )


def result_hash(answers: Iterable[Mapping[str, Any]]) -> str:
    """Return the hash of all answers, in order of step and assignor.

    The hash depends on each answer's assignment, withheld partitions and error.
    """
    return _sha256(without_fractions([dict(each) for each in answers]))


def without_fractions(value: Any) -> bytes:
    """Return canonical JSON (RFC 8785) of a value that contains no fractional numbers.

    Integers that JavaScript would round are written as text.
    """
    # The library needs a second for 100,000 partitions. With ASCII texts and short integers, it
    # only sorts keys, so this faster function gives the same text.
    text = msgspec.json.encode(value, order="sorted")
    is_plain = (
        text.isascii()
        and _LONG not in text.translate(_ZEROS)
        and not any(sign in text for sign in _TWO_WAYS)
    )
    return text if is_plain else _exact(value)


def _exact(value: Any) -> bytes:
    try:
        return rfc8785.dumps(value)
    except rfc8785.IntegerDomainError:
        return rfc8785.dumps(_as_text(value))


def _as_text(value: Any) -> Any:
    """Return the value, with integers beyond `_EXACT` as text."""
    if isinstance(value, Mapping):
        return {key: _as_text(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_as_text(each) for each in value]
    return str(value) if isinstance(value, int) and abs(value) > _EXACT else value


def _sha256(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()
