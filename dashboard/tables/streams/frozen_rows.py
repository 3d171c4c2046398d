"""The rows of a share of an application: what each task assignor does in a step, and which instance has which task."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evenkeel.data.words.formats import UNKNOWN, compact, duration, exact

Line = Mapping[str, Any]


def _balanced(line: Line) -> str:
    if line["never_ends"]:
        return "never"
    seconds, restores = line["seconds_to_balance"], line["seconds_to_restore"]
    if seconds is None or restores is None:
        return UNKNOWN
    # Without another round it is balanced as soon as the moved tasks run.
    return f"in {duration(seconds or restores)}" if seconds or restores >= 1 else "at once"


def _rounds(line: Line) -> str:
    # As the page counts them: those after the one of now.
    return UNKNOWN if line["rounds"] is None else exact(line["rounds"] - 1)


def _longest(line: Line) -> str:
    seconds = line["seconds_to_restore"]
    return UNKNOWN if seconds is None else "< 1 s" if 0 < seconds < 1 else duration(seconds)


def _number(figure: str, form: Callable[[int], str] = exact) -> Callable[[Line], str]:
    return lambda line: UNKNOWN if line[figure] is None else form(line[figure])


COLUMNS: Mapping[str, Callable[[Line], str]] = {
    "most active": _number("max_active_tasks"),
    "fewest": _number("min_active_tasks"),
    "standbys": _number("standby_tasks"),
    "warm-ups": _number("warmup_tasks"),
    "moved": _number("moved_tasks"),
    "to restore": _number("records_to_restore", compact),
    "longest": _longest,
    "rebalances": _number("rebalances"),
    "more rounds": _rounds,
    "balanced": _balanced,
}
"""Head, and the text of a line of `evenkeel replay`."""


def frozen_cells(line: Line, was: Line | None) -> list[tuple[str, str]]:
    """Return the text of each column, and what it was when the share was frozen; empty where that is the same."""
    texts = [text(line) for text in COLUMNS.values()]
    former = [text(was) for text in COLUMNS.values()] if was else texts
    return [(now, "" if now == then else then) for now, then in zip(texts, former, strict=True)]


def differing_cells(lines: Sequence[Mapping[str, Line]], was: Sequence[Mapping[str, Line]]) -> tuple[int, int]:
    """Return how many figures of all steps differ from `was`, of how many."""
    cells = [
        cell for now, then in zip(lines, was, strict=True) for name, line in now.items() for cell in frozen_cells(line, then.get(name))
    ]
    return sum(bool(then) for _, then in cells), len(cells)


def frozen_holders(line: Line, names: Mapping[str, str]) -> list[dict[str, str]]:
    """Return a row for each process, of a streams group for each member, with its tasks; `names`: by process id."""
    return [
        {
            "Instance": names.get(owner, owner),
            "Active": ", ".join(held["active"]),
            "Standby": ", ".join(task for task in held["standby"] if task not in held["warmup"]),
            "Warm-up": ", ".join(held["warmup"]),
        }
        for owner, held in line["assignment"].items()
    ]
