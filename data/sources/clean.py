"""Removes what terminals, mails and job logs add to a text: control sequences, line prefixes, and
lines without data.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from evenkeel.data.sources.synonyms import columns_of

_ESCAPES = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\{color(?::[#\w]+)?\}"
)
_GONE = dict.fromkeys(map(ord, "\x00\u200b\u200c\u200d\u2060\ufeff\x08"))
BLANKS = str.maketrans(dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f", " "))
_OTHER_QUOTES = re.compile("[{=\\[:,;]\\s*\u201c|\u201d\\s*[}\\]:,;]".encode())
_QUOTES = str.maketrans("\u201c\u201d\u201e\u2018\u2019\u201a", "\"\"\"'''")
_DASH = re.compile("[\u2010-\u2015\u2212](?=\\d)|(?<=\\s)[\u2010-\u2015\u2212](?=\\s|$)")
_MARKS = re.compile("[^\x20-\x7e\t]")
_MARKED = (
    b"{color",
    b"\x1b",
    b"\x00",
    b"\x08",
    *(mark.encode() for mark in "\u200b\u200c\u200d\u2060\ufeff"),
)
_RULE = re.compile("[-=+|: \u2500-\u257f]*[-=\u2500-\u257f]{2}[-=+|: \u2500-\u257f]*")
_CELLS = re.compile(r"\s*[|,;\t]\s*|\s{2,}")

_NUMBERS = re.compile(r"[ \t]*\d+(?:\t|(?:[ \t]?[:|\u2502]|[ \t]{2})[ \t]?)")
_TABS = re.compile(r"\t+")
_POD = re.compile(r"[a-z][\w.]*-[\w.-]+ [a-z][\w-]* ")
_NAMES = (
    re.compile(r"[\w./-]+\.(?:txt|log|out|json|csv|prom|md):(?!\d+:-?\d+$)"),
    re.compile(r"(?:(?:std(?:out|err)) [FP] )"),
    re.compile(r"[\w.-]+ +\| ?"),
    re.compile(r"(?:pod/)?[\w.-]+/[\w.-]+[:]? "),
    re.compile(r"\[(?!(?:DEBUG|INFO|WARN|ERROR)\])[\w./-]+\] "),
    _POD,
)
_TIME = re.compile(
    r"\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?[ \t]"
)
_PREFIXES = (
    re.compile(r"(?:> ?)+"),
    re.compile(r"\| (?!.*\|)"),
    _NAMES[0],
    _NUMBERS,
    _TIME,
    *_NAMES[1:],
    re.compile(r"// ?|# (?![A-Z]+ )|\* "),
    _TABS,
)
"""Prefixes: a quotation mark, a line number, a time, or the name of a file, container or pod."""

_OF_ALL_LINES = (_POD, _TABS)
"""These prefixes look like table cells, so they are removed only if every line has the prefix."""

_FENCE = re.compile(
    r"^[ \t]*(?:```|<(?:pre|code)\b[^>]*>|\{(?:noformat|code)[^}]*\})+(?=\s*[\[{]|.*\S[\s,;|]+\S)"
    r"|(?<=[^\s`])\s*(?:```|</(?:pre|code)>|\{(?:noformat|code)\})+\s*$"
)
"""A code fence on the same line as text."""

_TICKED = re.compile(r"`[^`]+\s[^`]+`\s*")
"""A table line that is formatted as code by itself."""

_FENCES = ("```", "<pre", "<code", "</pre>", "</code>", "{noformat", "{code")
_SHORTEST_RUN = 3
_OF_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{])")
_LOOKED_AT = 2_000
"""Number of lines that are searched for a prefix."""

_MOST = 1_000
"""Number of characters of a line that are compared with patterns."""

_NOISE = re.compile(
    "|".join(
        (
            r"\s*(?!<n(?:il|one)>)[^\s|]{0,60}[#$%>\u276f\u279c]\s.*",
            r"PS [A-Z]:[^>]{0,80}>.*",
            r"[\w.-]{1,40}@[\w.-]{1,60}[:~ ][^#$%]{0,80}[#$%].*",
            r"\[[\w.-]{1,40}@[\w.-]{1,60} [^\]]{0,80}\][#$] ?.*",
            r"\s*[$#%>\u276f\u279c]\s*",
            r"Defaulted container .*",
            r"Script (?:started|done) on .*",
            r"If you don't see a command prompt.*",
            r'(?:pod|job\.batch) "[^"]*" deleted.*',
            r"command terminated with (?:exit code|non-zero exit code).*",
            r"(?:Unable to use a TTY|error: unable to upgrade connection|Use 'kubectl ).*",
            (
                r"(?:Consumer|Share|Streams) group '[^']*' has no (?:active members|offset"
                r" information)\.?"
            ),
            r"Processed a total of \d+ messages\.?",
            r"\(?\d+ rows?(?: in set)?\)?(?: \(?[\d.]+ ?s(?:ec)?\)?)?",
            r"(?:```|~~~)\w*|\{(?:code|noformat|quote)[^}]*\}|\[/?(?:code|quote)\]|</?(?:pre|code)>",
            r"(?:OpenJDK|Java HotSpot).*warning.*|Picked up .*|SLF4J: .*|log4j:.*",
            r"(?:time|real|user|sys)\s+\d+m[\d.]+s|\.\.\.|\u2026|-- ?More ?--|\(END\)",
        )
    )
)
_GROUP = re.compile(
    r"(?:--group[ =]|-group[ =]|group describe (?:-\S+ )*|consumer-group |lag list |group lag"
    r" list )"
    r"['\"]?([\w.:/-]+)"
)
_OF_GROUP = re.compile(
    r"(?:Consumer|Share|Streams) group ['\"]([^'\"]+)['\"] (?:is rebalancing|has no active members)"
)


def plain_line(line: str) -> str:
    """Return a line without control sequences, and with ASCII blanks, quotes and dashes."""
    text = line.rstrip("\r")
    if not _MARKS.search(text):
        return text
    text = _ESCAPES.sub("", text).translate(_GONE).translate(BLANKS).translate(_QUOTES)
    return _DASH.sub("-", text)


def without_prefix(lines: Sequence[str]) -> list[str]:
    """Return lines without prefixes of terminals, mails and job logs.

    A prefix (`> `, a rising line number, a time or a container's name) is removed if at least three
    consecutive lines have it; in a JSON text, fewer lines are enough. Blank lines do not count. If
    the prefix is a time and the newest line is first, the lines are reversed.
    """
    lines = list(lines)
    filled = [place for place, line in enumerate(lines) if line.strip()]
    for pattern in _PREFIXES:
        for start, stop in list(_runs(pattern, lines)):
            is_whole = start == filled[0] and stop > filled[-1]
            if _is_below_header(lines, start) or pattern in _OF_ALL_LINES and not is_whole:
                continue
            ends = [_end(pattern, line) for line in lines[start:stop]]
            prefixes = [
                line[:end]
                for line, end in zip(lines[start:stop], ends, strict=True)
                if line.strip()
            ]
            is_json = is_whole and _OF_JSON.match(lines[start][ends[0] :])
            is_run = is_json or len(prefixes) >= _SHORTEST_RUN
            if is_run and _is_one_prefix(pattern, prefixes):
                bare = [line[end:] for line, end in zip(lines[start:stop], ends, strict=True)]
                if pattern is _TIME and is_newest_first(prefixes):
                    # Blank lines at the end of a run are not reversed.
                    size = max(at for at, end in enumerate(ends, 1) if end)
                    bare[:size] = bare[:size][::-1]
                lines[start:stop] = bare
    return lines


def _runs(pattern: re.Pattern, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each run of consecutive lines with the prefix."""
    start = None
    for place, line in enumerate(lines):
        has_prefix = not line.strip() or pattern.match(line) or pattern.fullmatch(f"{line} ")
        if has_prefix and start is None and line.strip():
            start = place
        elif not has_prefix and start is not None:
            yield start, place
            start = None
    if start is not None:
        yield start, len(lines)


def _end(pattern: re.Pattern, line: str) -> int:
    """Return the position after a line's prefix. The prefix may be the whole line, without its
    final blank.
    """
    match = pattern.match(line)
    return match.end() if match else len(line)


def _is_below_header(lines: Sequence[str], start: int) -> bool:
    """Return whether the line above `start` is a table's header or rule. Then the prefixes are the
    table's first column.
    """
    above = next((line for line in reversed(lines[:start]) if line.strip()), "")
    return bool(_RULE.fullmatch(above)) or len(columns_of(_CELLS.split(above.strip(" |")))) > 1


def _is_one_prefix(pattern: re.Pattern, prefixes: Sequence[str]) -> bool:
    if pattern in _NAMES:
        return len({prefix.split("|")[0].strip() for prefix in prefixes}) == 1
    if pattern is not _NUMBERS:
        return True
    numbers = [int(re.sub(r"\D", "", prefix)) for prefix in prefixes]
    return all(0 < later - first < 50 for first, later in zip(numbers, numbers[1:], strict=False))


MOST_COMPARED = 200
"""Number of lines whose times are compared to find their order."""


def is_newest_first(times: Sequence[Any]) -> bool:
    """Return whether the newest time is first, as in output of Loki and Kibana. `times`: numbers,
    or ISO 8601 texts in one time zone.
    """
    pairs = list(pairwise(map(_sortable, times)))
    falls = sum(later < earlier for earlier, later in pairs)
    rises = sum(later > earlier for earlier, later in pairs)
    return falls > rises and (falls > 1 or len(times) == 2)


def _sortable(time: Any) -> Any:
    """Return a sort key, so that `10:00:00Z` is before `10:00:00.5Z`."""
    return time.strip(" \t[]").removesuffix("Z") if isinstance(time, str) else time


def undressed(data: bytes) -> bytes:
    """Return a UTF-8 text without control sequences and line prefixes. The number of lines does not
    change.
    """
    if b"\r" in data and b"\n" not in data:
        # Line ends of old Excel for Mac.
        data = data.replace(b"\r", b"\n")
    head = data[: 1 << 16]
    if not is_dressed(head):
        return data
    text = data.decode("utf-8", "surrogateescape")
    lines = (text.translate(_QUOTES) if _has_other_quotes(head) else text).split("\n")
    lines = [unfenced(_ESCAPES.sub("", line).translate(_GONE)) for line in lines]
    return "\n".join(without_prefix(lines)).encode("utf-8", "surrogateescape")


def unfenced(line: str) -> str:
    """Return a line without a code fence before or after its text."""
    if line[:1] == "`" and _TICKED.fullmatch(line):
        return line.strip("` \r")
    return _FENCE.sub("", line) if any(mark in line for mark in _FENCES) else line


def is_dressed(head: bytes) -> bool:
    """Return whether the start of a text has control sequences, line prefixes, code fences or
    typographic quotes.
    """
    if _has_other_quotes(head) or any(mark in head for mark in _MARKED):
        return True
    lines = head.decode("utf-8", "replace").split("\n")[:_LOOKED_AT]
    return without_prefix(lines) != lines or any(unfenced(line) != line for line in lines)


def _has_other_quotes(head: bytes) -> bool:
    """Return whether a word processor replaced the quotes of JSON, labels or CSV."""
    return b'"' not in head and _OTHER_QUOTES.search(head) is not None


def is_noise(line: str) -> bool:
    """Return whether a line is a prompt or a message of a tool."""
    return _NOISE.fullmatch(line[:_MOST].rstrip()) is not None


def group_in(line: str) -> str | None:
    """Return the group id in a pasted command or in a message about the group's state, None if
    there is none.
    """
    match = _OF_GROUP.search(line[:_MOST]) or _GROUP.search(line[:_MOST])
    return match and match[1]
