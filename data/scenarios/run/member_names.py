"""Short names of all members that a scenario ever has: a member keeps its first one, whoever joins later."""

from collections.abc import Iterable

from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.scenarios.run.result import Result
from evenkeel.data.scenarios.run.step import StepAnswer
from evenkeel.data.words.names import member_labels

_TAIL = 4


def names_of(answers: Iterable[StepAnswer]) -> dict[str, str]:
    """Return the names by member id. A new member's is its client id with the first characters of its UUID."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for group in filter(None, (answer.group or answer.start for answer in answers)):
        if not found:
            labels = member_labels(group.snapshot.member_id, group.client_id)
            found = dict(zip(group.snapshot.member_id, labels, strict=True))
            taken |= set(labels)
        for row, member_id in enumerate(group.snapshot.member_id):
            if member_id not in found:
                found[member_id] = _short(group, row, taken)
                taken.add(found[member_id])
    return found


def _short(group: ObservedGroup, row: int, taken: set[str]) -> str:
    member_id, said = group.snapshot.member_id[row], group.snapshot.instance_id[row] or group.client_id[row]
    if not said:
        return member_id
    uuid = member_id.removeprefix(f"{said}-")
    return next((name for size in range(_TAIL, len(uuid)) if (name := f"{said}-{uuid[:size]}") not in taken), member_id)


def titles_of(result: Result) -> list[str]:
    """Return what happens in each step of a result, in words."""
    first = next(iter(result.assignors), None)
    names = names_of(answers[first] for answers in result.steps) if first else {}
    return [step.title(names) for step in result.scenario.steps]
