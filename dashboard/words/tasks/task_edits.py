"""Edits of a Kafka Streams application as sentences; names are taken from a table of short names, process id to name."""

from collections.abc import Callable, Mapping, Sequence

from evenkeel.data.scenarios.applications.application_scenario import ApplicationStep
from evenkeel.data.scenarios.applications.edits import (
    AddProcesses,
    AnyApplicationEdit,
    PassTime,
    RemoveProcesses,
    ReturnProcesses,
    SetSettings,
)
from evenkeel.data.words.durations import passing
from evenkeel.data.words.formats import count
from evenkeel.data.words.lists import listed
from evenkeel.data.words.names import elided

Names = Mapping[str, str]

NO_EDITS = "rebalance as it is"
_MOST_NAMES, _WIDTH = 3, 26


def task_edit_in_words(edit: AnyApplicationEdit, names: Names) -> str:
    """Say what happens: `enrich-03 dies`."""
    return _SENTENCES[type(edit)](edit, names)


def title_of_step(step: ApplicationStep, names: Names) -> str:
    """Return a step's name, else what its edits say."""
    return step.name or ", ".join(task_edit_in_words(edit, names) for edit in step.edits) or NO_EDITS


def _who(process_ids: Sequence[str], names: Names) -> tuple[str, str]:
    """Return the instances, and the ending of the verb behind them."""
    shown = [elided(names.get(each, each), _WIDTH) for each in process_ids]
    return listed(shown, _MOST_NAMES) if shown else "no instance", "" if len(process_ids) > 1 else "s"


def _die(edit: RemoveProcesses, names: Names) -> str:
    who, ending = _who(edit.process_ids, names)
    return f"{who} die{ending}"


def _return(edit: ReturnProcesses, names: Names) -> str:
    who, ending = _who(edit.process_ids, names)
    disk = ("with its disk" if ending else "with their disks") if edit.disk else ("without its disk" if ending else "without their disks")
    return f"{who} come{ending} back {disk}"


def _add(edit: AddProcesses, names: Names) -> str:
    return f"{count(edit.count, 'instance')} like {elided(names.get(edit.like, edit.like), _WIDTH)} join{'s' * (edit.count == 1)}"


def _set(edit: SetSettings, names: Names) -> str:
    return ", ".join(f"{name} = {'default' if value is None else value}" for name, value in edit.settings.items()) or "no setting changes"


_SENTENCES: dict[type, Callable[[AnyApplicationEdit, Names], str]] = {
    RemoveProcesses: _die,
    ReturnProcesses: _return,
    AddProcesses: _add,
    SetSettings: _set,
    PassTime: lambda edit, names: passing(edit.seconds),
}
