"""Numbers with their nouns, and several things in one line: the first of them, and how many more there are."""

from collections.abc import Iterable, Sequence


def counted(number: int, noun: str) -> str:
    """`1 line`, `2,000 lines`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def first_of(texts: Sequence[str], most: int, noun: str = "") -> list[str]:
    """Return the first `most` texts, and `and 3 more` where there are more, with a noun `and 3 files more`."""
    more = len(texts) - most
    rest = counted(more, noun) if noun else f"{more:,}"
    return [*texts[:most], f"and {rest} more"] if more > 0 else list(texts)


def listed(names: Iterable[str], most: int = 3) -> str:
    """`a`, `a and b`, `a, b, c and 7 more`; at least one name."""
    first = first_of(list(names), most)
    if len(first) > most:
        return f"{', '.join(first[:-1])} {first[-1]}"
    return " and ".join([", ".join(first[:-1]), first[-1]]) if len(first) > 1 else first[0]
