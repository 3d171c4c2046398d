"""Remarks about each answer: why it is one outcome of several, and what in it surprises."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evenkeel.assignors.assignment import AssignorError, NotKnownError
from evenkeel.assignors.explain.facts import NO_FACTS, Facts
from evenkeel.assignors.figures.comparison import Row
from evenkeel.dashboard.view import View
from evenkeel.dashboard.words.answers.failures import in_words, is_deadly, is_gap
from evenkeel.dashboard.words.answers.quirks import of_error, sentence
from evenkeel.dashboard.words.answers.reasons import ONE_VALID_OUTCOME
from evenkeel.dashboard.words.input.input_faults import about_input
from evenkeel.data.words.formats import count, exact

EVERY = "every assignor"
INPUT = "this input"


class Remark(NamedTuple):
    """Sentences about the rows that `names` lists."""

    names: tuple[str, ...]
    sentences: tuple[str, ...]


def remarks(view: View, facts: Mapping[str, Facts], why: Mapping[str, Sequence[str]]) -> list[Remark]:
    """Return the remarks: faults of the input first, then what holds for every answer, then the rows in their order.

    Rows with the same sentences share a remark. `why` comes from `reasons`.
    """
    shared = [reason for reason in next(iter(why.values()), ()) if all(reason in other for other in why.values())]
    odd = about_input(view)
    said: dict[tuple[str, ...], list[str]] = {tuple(odd): [INPUT]} if odd else {}
    if shared:
        said[_outcome(shared),] = [EVERY]
    for row in view.comparison.rows[1:]:
        own = [reason for reason in why.get(row.name, ()) if reason not in shared]
        known = facts.get(row.name, NO_FACTS)
        struck = [sentence(view, row.name, quirk, row.error) for quirk in known.quirks]
        sentences = (*_failure(row), *_later(known), *([_outcome(own)] if own else ()), *struck, *_by_racks(view, known), *_shared(known))
        if sentences:
            said.setdefault(sentences, []).append(row.name)
    return [Remark(tuple(names), sentences) for sentences, names in said.items()]


def _outcome(why: list[str]) -> str:
    return f"This is {ONE_VALID_OUTCOME} of several: {'; '.join(why)}."


def _by_racks(view: View, facts: Facts) -> tuple[str, ...]:
    if not facts.by_racks:
        return ()
    partitions = count(view.comparison.group.tp_count, "partition")
    return (f"Racks decide: {exact(facts.by_racks)} of {partitions} would have another owner without them.",)


def _shared(facts: Facts) -> tuple[str, ...]:
    if not facts.sharing:
        return ()
    members, partitions = count(facts.sharing.member_count, "member"), count(facts.sharing.partition_count, "partition")
    return (f"{members} share {partitions}, and each record goes to one of these members: behaviour Q-29 of Kafka's broker.",)


def _failure(row: Row) -> tuple[str, ...]:
    """Leave out a release with unknown answers and a client without the assignor: the row of the table says so."""
    if not row.error or isinstance(row.error, NotKnownError) or is_gap(row.error):
        return ()
    said = in_words(row.error)
    return (f"{said[0].upper()}{said[1:]}.", *_behaviour(row.error))


def _later(facts: Facts) -> tuple[str, ...]:
    if not facts.later_error:
        return ()
    return (f"In a later round {in_words(facts.later_error)}.", *_behaviour(facts.later_error))


def _behaviour(error: AssignorError) -> tuple[str, ...]:
    number = of_error(error)
    if is_deadly(error):
        return (f"The next leader of this client dies alike, at every rebalance: behaviour {number}.",)
    return (f"Behaviour {number}.",) if number else ()
