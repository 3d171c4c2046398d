"""Where the columns of a members row end, when it does not stand under its header."""

import re
from collections.abc import Iterator

from evenkeel.data.sources.console.exact.hosts import places_of
from evenkeel.data.sources.console.headers.header import Layout


def splits(text: str, words: list[re.Match], layout: Layout) -> Iterator[list[str]]:
    """Yield every way to cut a line around a host, each column before it one word; the first may hold blanks when it stands alone there."""
    left = layout.columns.index("host")
    for at in places_of(words, 1, len(words)):
        for before in _before(text, words[:at], layout.columns[:left]):
            for behind in _behind(text, words[at + 1 :], len(layout.columns) - left - 2, layout):
                yield [*before, words[at][0], *behind]


def _before(text: str, words: list[re.Match], columns: tuple[str, ...]) -> Iterator[list[str]]:
    if len(columns) == 1:
        yield [text[words[0].start() : words[-1].end()]]
        return
    # Kafka prints GROUP-INSTANCE-ID once any member is static; the cell of a dynamic member is empty.
    if "instance_id" in columns and len(words) == len(columns) - 1:
        yield [*(word[0] for word in words), ""]
        return
    for first in range(1, len(words) - len(columns) + 2):
        last = first + len(columns) - 2
        between = (word[0] for word in words[first:last])
        yield [text[words[0].start() : words[first - 1].end()], *between, text[words[last].start() : words[-1].end()]]


def _behind(text: str, words: list[re.Match], count: int, layout: Layout) -> Iterator[list[str]]:
    """Yield client id and the `count` columns behind it; ASSIGNMENT may hold blanks, the others are one word each."""
    if layout.columns[-1] != "assignment":
        if len(words) > count:
            yield [text[words[0].start() : words[-count - 1].end()], *(word[0] for word in words[-count:])]
        return
    for at in range(1, len(words) - 1):
        if words[at][0].isdigit():
            yield [text[words[0].start() : words[at - 1].end()], words[at][0], text[words[at + 1].start() : words[-1].end()]]
