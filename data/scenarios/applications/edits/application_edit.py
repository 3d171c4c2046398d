"""What every edit of an application is: named by its `op`, applied to a state, refused with its place."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from evenkeel.assignors.assignment import TaskAssignment
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.data.document import Application
from evenkeel.data.document.application import Process
from evenkeel.data.document.shape import Shape
from evenkeel.data.scenarios.edits.edit import EditPlace
from evenkeel.data.scenarios.size import SizeOfApplication

_OF_PROCESS = re.compile(r"processes\[([0-9]{1,9})\](.*)", re.DOTALL)


class Rebalance(NamedTuple):
    """The last rebalance: the application as it joined it or restored since, and the answer."""

    application: ApplicationSnapshot
    answer: TaskAssignment


class ApplicationState(NamedTuple):
    """An application between two rebalances.

    `gone`: processes that have left, by id, with what their disks hold. `last`: None where there was no rebalance yet, or the processes are
    no longer those of it. `assumed`: rates that are unknown and decided the state.
    """

    document: Application
    gone: dict[str, Process] = {}
    last: Rebalance | None = None
    assumed: tuple[str, ...] = ()


class ApplicationEdit(Shape, frozen=True, tag_field="op"):
    """One change of an application. `off`: it stays in the list and does nothing."""

    off: bool = False

    def apply(self, state: ApplicationState, at: EditPlace) -> ApplicationState:
        """Return the application as it joins the rebalance.

        Raises
        ------
        SnapshotError
            When the edit names what is not there, with its place.
        """
        raise NotImplementedError

    def resize(self, size: SizeOfApplication) -> str | None:
        """Change the size as `apply` changes the application; return the argument that makes it larger, None where nothing does."""
        return None


def with_processes(document: Application, processes: Sequence[Process]) -> Application:
    """Return the document with other processes; what `assumed` says of those that stay follows them."""
    place = {process.process_id: number for number, process in enumerate(processes)}
    before = [process.process_id for process in document.processes or ()]
    assumed = None if document.assumed is None else [path for each in document.assumed if (path := _moved(each, before, place))]
    return msgspec.structs.replace(document, processes=list(processes), assumed=assumed)


def _moved(path: str, before: Sequence[str], place: dict[str, int]) -> str | None:
    found = _OF_PROCESS.fullmatch(path)
    if found is None or int(found[1]) >= len(before):
        return path
    number = place.get(before[int(found[1])])
    return None if number is None else f"processes[{number}]{found[2]}"


def require_process(processes: Sequence[Process], process_id: str, at: EditPlace, key: str) -> Process:
    """Return a process by its id; SnapshotError with the place where there is none."""
    found = next((process for process in processes if process.process_id == process_id), None)
    if found is None:
        raise at.refusal(key, f'no process "{process_id}"')
    return found


def refuse_repeats(process_ids: Sequence[str], at: EditPlace) -> None:
    """Refuse a process that is named twice, with its place."""
    for number, process_id in enumerate(process_ids):
        if process_id in process_ids[:number]:
            raise at.refusal(f"process_ids[{number}]", f'process "{process_id}" twice, expected once')
