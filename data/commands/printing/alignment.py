"""Cells in lines that stand under each other."""

from collections.abc import Sequence


def aligned_lines(cells: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Return one line for each row: the first `left` columns begin, the others end under each other."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [_line(row, widths, left) for row in cells]


def _line(row: Sequence[str], widths: Sequence[int], left: int) -> str:
    return "  ".join(
        f"{cell:<{width}}" if place < left else f"{cell:>{width}}" for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    ).rstrip()
