"""Where the columns of an offsets row end: group and client ids may hold blanks, so some lines can be cut in several ways."""

import re
from collections.abc import Iterator

from evenkeel.data.sources.console.exact.hosts import before_and_address, is_address, is_named_address, places_of
from evenkeel.data.sources.console.headers.header import Layout
from evenkeel.data.sources.console.headers.widths import utf16_width
from evenkeel.data.sources.parsing.pasted import MISSING

_NUMBER = re.compile("[-\u2212\u2013]?[0-9]+")
_MOST_WORDS = 1_000
_GLUED_FROM = 50
"""0.10.2 to 1.0 pad CONSUMER-ID to 50 and print HOST right behind it."""


def splits(text: str, words: list[re.Match], layout: Layout) -> Iterator[list[str]]:
    """Yield every way to cut a line in which the numbers stand in a row, the topic is one word before them and a host is in place."""
    before, core = layout.columns.index("topic"), _core(layout)
    for at in range(before + 1, len(words) - len(core) if len(words) <= _MOST_WORDS else 0):
        numbers = [word[0] for word in words[at : at + len(core)]]
        if (before or at == 1) and _is_core(words[at - 1][0], numbers):
            group = [text[words[0].start() : words[at - 2].end()]] if before else []
            for tail in _tails(text, words[at + len(core) :], layout):
                yield [*group, words[at - 1][0], *numbers, *tail]


def host_in_place(cells: list[str], layout: Layout) -> bool:
    """Tell whether a line with one word a column has its host under HOST: then no blank moved the columns."""
    if "host" not in layout.columns:
        return True
    member_id, host, client_id = cells[-3:]
    if host.startswith("/") or is_named_address(host) and not layout.host_glued:
        return True
    return not (client_id.startswith("/") or member_id.startswith("/") or layout.host_glued and _unglued(member_id))


def _core(layout: Layout) -> tuple[str, ...]:
    return layout.columns[layout.columns.index("partition") : layout.columns.index("listed_lag") + 1]


def _is_core(topic: str, numbers: list[str]) -> bool:
    if not _NUMBER.fullmatch(numbers[0]):
        return topic in MISSING and all(number in MISSING for number in numbers)
    return all(number in MISSING or _NUMBER.fullmatch(number) for number in numbers)


def _tails(text: str, words: list[re.Match], layout: Layout) -> Iterator[list[str]]:
    if "host" not in layout.columns:
        yield [text[words[0].start() : words[-1].end()]]
        return
    if len(words) == 3 and host_in_place([word[0] for word in words], layout):
        yield [word[0] for word in words]
        return
    glued = list(_glued_tails(text, words)) if layout.host_glued else []
    for at in places_of(words, 1, len(words) - 1):
        if is_address(words[at][0]) or not layout.host_glued:
            yield [text[words[0].start() : words[at - 1].end()], words[at][0], text[words[at + 1].start() : words[-1].end()]]
    yield from glued


def _glued_tails(text: str, words: list[re.Match]) -> Iterator[list[str]]:
    for at in range(len(words) - 1):
        parts = "/" in words[at][0] and _unglued(text[words[0].start() : words[at].end()])
        if parts:
            yield [*parts, text[words[at + 1].start() : words[-1].end()]]


def _unglued(text: str) -> tuple[str, str] | None:
    parts = before_and_address(text)
    return parts if parts and utf16_width(parts[0]) >= _GLUED_FROM and not parts[0].endswith(" ") else None
