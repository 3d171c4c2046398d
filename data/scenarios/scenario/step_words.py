"""Edits and steps of a scenario as sentences; names are taken from a table of short names, member id to name."""

from collections.abc import Callable, Mapping, Sequence

from evenkeel.data.scenarios.edits import (
    AddMembers,
    AddTopic,
    Advance,
    AnyEdit,
    RemoveMembers,
    RemoveTopic,
    RestartMembers,
    ScaleLag,
    SetInstanceId,
    SetLag,
    SetPartitionCount,
    SetRack,
    SetSubscription,
)
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.words.durations import passing
from evenkeel.data.words.formats import count
from evenkeel.data.words.lists import listed
from evenkeel.data.words.names import elided, partition_name

Names = Mapping[str, str]

NO_EDITS = "rebalance as it is"
_MOST_NAMES = 2
_WIDTH = 26


def in_words(edit: AnyEdit, names: Names) -> str:
    """Say what happens: `pay-b stops`."""
    return _SENTENCES[type(edit)](edit, names)


def title(step: Step, names: Names) -> str:
    """Return a step's name, else what its edits say."""
    return step.name or ", ".join(in_words(edit, names) for _, edit in step.edits_on) or NO_EDITS


def _members(member_ids: Sequence[str], names: Names) -> tuple[str, str]:
    """Return the members and the ending of the verb behind them."""
    shown = [elided(names.get(each, each), _WIDTH) for each in member_ids[: _MOST_NAMES + 1]]
    rest = [""] * (len(member_ids) - len(shown))
    return listed([*shown, *rest], _MOST_NAMES) if shown else "nobody", "" if len(member_ids) > 1 else "s"


def _stop(edit: RemoveMembers, names: Names) -> str:
    who, ending = _members(edit.member_ids, names)
    return f"{who} stop{ending}"


def _join(edit: AddMembers, names: Names) -> str:
    facts = {
        f"like {elided(names.get(edit.like, edit.like or ''), _WIDTH)}": edit.like,
        f"on {', '.join(edit.subscribed or ())}": edit.subscribed,
        f"on topics that match {edit.subscribed_regex}": edit.subscribed_regex,
        f"in rack {edit.rack}": edit.rack,
        "static": edit.instance_ids,
    }
    who = f"{count(edit.count, 'member')} join{'s' * (edit.count == 1)}"
    return ", ".join([who, *(fact for fact, is_given in facts.items() if is_given)])


def _restart(edit: RestartMembers, names: Names) -> str:
    who, ending = _members(edit.member_ids, names)
    return f"{who} restart{ending}" + (", in one rebalance" if edit.together else "")


def _subscribe(edit: SetSubscription, names: Names) -> str:
    who, ending = _members(edit.member_ids, names)
    what = [*(edit.topics or ()), *([edit.regex] if edit.regex else ())]
    return f"{who} subscribe{ending} to {', '.join(what) or 'nothing'}"


def _rack(edit: SetRack, names: Names) -> str:
    who, _ = _members(edit.member_ids, names)
    return f"{who} in rack {edit.rack}" if edit.rack else f"{who} without a rack"


def _static(edit: SetInstanceId, names: Names) -> str:
    who, _ = _members([edit.member_id], names)
    return f"{who} becomes dynamic" if edit.instance_id is None else f"{who} becomes static, {edit.instance_id}"


def _scale(edit: ScaleLag, names: Names) -> str:
    return f"lag of {edit.topic} × {edit.factor:g}"


def _pass(edit: Advance, names: Names) -> str:
    rates = f" at the rates until {edit.measured.until:%H:%M:%S} UTC" if edit.measured else ""
    return f"{passing(edit.seconds)}{rates}"


_SENTENCES: dict[type, Callable[[AnyEdit, Names], str]] = {
    RemoveMembers: _stop,
    AddMembers: _join,
    RestartMembers: _restart,
    SetSubscription: _subscribe,
    SetRack: _rack,
    SetInstanceId: _static,
    SetPartitionCount: lambda edit, names: f"{edit.topic} grows to {count(edit.count, 'partition')}",
    AddTopic: lambda edit, names: f"{edit.name} appears with {count(edit.partitions, 'partition')}",
    RemoveTopic: lambda edit, names: f"{edit.name} is deleted",
    SetLag: lambda edit, names: f"{partition_name(edit.topic, edit.partition)} lags {count(edit.lag, 'record')}",
    ScaleLag: _scale,
    Advance: _pass,
}


def titles(steps: Sequence[Step], names: Names) -> list[str]:
    """Return the title of each step, for pages, shares, reports and programs."""
    return [title(step, names) for step in steps]
