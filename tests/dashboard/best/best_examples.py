"""The table of tests/checks.md: the best assignment of each worked example, and how far each
assignor is from it.

`python -m tests.dashboard.best.best_examples` prints it.
"""

from functools import cache

from evenkeel.assignors.best.answer import Best
from evenkeel.assignors.best.request import Request
from evenkeel.assignors.best.search import best
from evenkeel.assignors.compare.comparison import Row
from evenkeel.data.best.words import nearness
from evenkeel.data.scenarios.leaders import comparison_of
from evenkeel.data.sources.examples.worked_examples import WORKED_EXAMPLES
from evenkeel.data.text.formats import NARROW, UNKNOWN, upper_percent


@cache
def found_of(slug: str) -> tuple[Best, tuple[Row, ...]]:
    """Return the best assignment of an example for even lag, and the rows of its comparison."""
    observed = next(one for one in WORKED_EXAMPLES if one.slug == slug).load()
    rows = comparison_of(observed).rows
    starts = [row.assignment.handed_out() for row in rows[1:] if row.assignment]
    return best(observed.snapshot, Request(), starts), rows


def lines() -> list[str]:
    """Return the table in Markdown: examples of which the lag is known."""
    known = {
        one.slug: (one.title, *found_of(one.slug))
        for one in WORKED_EXAMPLES
        if not found_of(one.slug)[0].unknown
    }
    names = [row.name for row in next(iter(known.values()))[2]]
    heads = [
        "example",
        "best, records",
        "",
        "moves",
        *(f"`{name}`" if name != "current" else name for name in names),
    ]
    cells = [heads, ["---"] * len(heads)]
    for title, found, rows in known.values():
        above = {row.name: row.balance.max_lag / found.bound - 1 for row in rows if row.balance}
        cells.append(
            [
                title,
                f"{int(found.value):,}",
                nearness(found),
                f"{found.moves:,}",
                *(_above(above.get(name)) for name in names),
            ]
        )
    return [f"| {' | '.join(row)} |".replace(NARROW, " ") for row in cells]


def _above(distance: float | None) -> str:
    return UNKNOWN if distance is None else f"+{upper_percent(distance)}" if distance else "0"


if __name__ == "__main__":
    print("\n".join(lines()))
