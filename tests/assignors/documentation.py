"""What `docs/assignors.md` has a row or a paragraph for."""

import re
from collections.abc import Iterable
from pathlib import Path

_TEXT = (Path(__file__).parents[2] / "docs/assignors.md").read_text()


def undocumented(names: Iterable[str]) -> list[str]:
    """Return the assignors without a row in the first table."""
    first_table = _TEXT.split("\n\n")[2]
    documented = set(re.findall(r"^\| `([^`]+)` \|", first_table, re.MULTILINE))
    return [name for name in names if name not in documented]


def behaviours() -> set[str]:
    """Return the numbers of the behaviours that are explained."""
    return set(re.findall(r"^\* \*\*(Q-\d+)\*\*", _TEXT, re.MULTILINE))


def undocumented_clients(names: Iterable[str]) -> list[str]:
    """Return the families of clients without a row in the table of leaders."""
    table = next(part for part in _TEXT.split("\n\n") if part.startswith("| `leader.client`"))
    documented = set(re.findall(r"^\| `([^`]+)` ", table, re.MULTILINE)) - {"leader.client"}
    return [name for name in names if name not in documented]
