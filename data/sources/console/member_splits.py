"""Where the columns of a members row end, when it does not stand under its header."""

import re
from collections.abc import Iterator

from data.sources.console.cells import Word
from data.sources.console.headers import Layout

_ADDRESS = re.compile(r"[^/]*/[0-9a-fA-F]*[.:][0-9a-fA-F.:]*(%\w+)?")


def splits(text: str, words: list[Word], layout: Layout) -> Iterator[list[str]]:
    """Yield every way to cut a line around a host, each column before it one word; the first may hold blanks when it stands alone there."""
    left = layout.columns.index("host")
    hosts = [at for at in range(1, len(words)) if _ADDRESS.fullmatch(words[at].text)]
    for at in hosts or [at for at in range(1, len(words)) if words[at].text.startswith("/")]:
        for before in _before(text, words[:at], layout.columns[:left]):
            for behind in _behind(text, words[at + 1 :], len(layout.columns) - left - 2, layout):
                yield [*before, words[at].text, *behind]


def _before(text: str, words: list[Word], columns: tuple[str, ...]) -> Iterator[list[str]]:
    if len(columns) == 1:
        yield [text[words[0].start : words[-1].stop]]
        return
    if "instance_id" in columns and len(words) == len(columns) - 1:
        yield [*(word.text for word in words), ""]
        return
    cuts = range(1, len(words) - len(columns) + 2)
    for first in cuts:
        rest = words[first:]
        yield [text[words[0].start : words[first - 1].stop], *(word.text for word in rest[: len(columns) - 2]), text[rest[len(columns) - 2].start : rest[-1].stop]]


def _behind(text: str, words: list[Word], count: int, layout: Layout) -> Iterator[list[str]]:
    """Yield client id and the `count` columns behind it; ASSIGNMENT may hold blanks, the others are one word each."""
    if layout.columns[-1] != "assignment":
        if len(words) > count:
            yield [text[words[0].start : words[-count - 1].stop], *(word.text for word in words[-count:])]
        return
    for at in range(1, len(words) - 1):
        if words[at].text.isdigit():
            yield [text[words[0].start : words[at - 1].stop], words[at].text, text[words[at + 1].start : words[-1].stop]]
