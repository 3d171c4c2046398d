"""What a terminal, a mail or a log of jobs puts around a text: control sequences, a prefix of every
line, and lines that are no data.
"""

import re
from collections.abc import Iterator, Sequence

_ESCAPES = re.compile(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]")
_GONE = dict.fromkeys(map(ord, "\x00\u200b\u200c\u200d\u2060\ufeff\x08"))
_BLANKS = str.maketrans(dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f", " "))
_QUOTES = str.maketrans("\u201c\u201d\u201e\u2018\u2019\u201a", "\"\"\"'''")
_DASH = re.compile("[\u2010-\u2015\u2212](?=\\d)|(?<=\\s)[\u2010-\u2015\u2212](?=\\s|$)")
_MARKS = re.compile("[^\x20-\x7e\t]")

_PREFIXES = (
    re.compile(r"(?:> ?)+"),
    re.compile(r"\| (?!.*\|)"),
    re.compile(r"[ \t]*\d+(?:[:|\u2502]|[ \t]{2}|\t)[ \t]?"),
    re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z? "),
    re.compile(r"[\w.-]+ +\| "),
    re.compile(r"(?:pod/)?[\w.-]+/[\w.-]+[:]? "),
    re.compile(r"\[[\w./-]+\] "),
    re.compile(r"// ?|# (?![A-Z]+ )|\* "),
)
_SHORTEST_RUN = 3
_MOST = 1_000
"""Characters of a line that are looked at."""

_NOISE = re.compile(
    "|".join(
        (
            r"\s*[^\s|]{0,60}[#$%>\u276f\u279c]\s.*",
            r"PS [A-Z]:[^>]{0,80}>.*",
            r"[\w.-]{1,40}@[\w.-]{1,60}[:~ ][^#$%]{0,80}[#$%].*",
            r"\[[\w.-]{1,40}@[\w.-]{1,60} [^\]]{0,80}\][#$] ?.*",
            r"\s*[$#%>\u276f\u279c]\s*",
            r"Defaulted container .*",
            r"If you don't see a command prompt.*",
            r'(?:pod|job\.batch) "[^"]*" deleted.*',
            r"command terminated with (?:exit code|non-zero exit code).*",
            r"(?:Unable to use a TTY|error: unable to upgrade connection|Use 'kubectl ).*",
            r"(?:Consumer|Share|Streams) group '[^']*' has no (?:active members|offset information)\.?",
            r"Processed a total of \d+ messages\.?",
            r"\(?\d+ rows?(?: in set)?\)?(?: \(?[\d.]+ ?s(?:ec)?\)?)?",
            r"(?:```|~~~)\w*|\{(?:code|noformat|quote)[^}]*\}|\[/?(?:code|quote)\]|</?(?:pre|code)>",
            r"(?:OpenJDK|Java HotSpot).*warning.*|Picked up .*|SLF4J: .*|log4j:.*",
            r"(?:time|real|user|sys)\s+\d+m[\d.]+s|\.\.\.|\u2026|-- ?More ?--|\(END\)",
        )
    )
)
_GROUP = re.compile(
    r"(?:--group[ =]|-group[ =]|group describe (?:-\S+ )*|consumer-group |lag list |group lag list )"
    r"['\"]?([\w.:/-]+)"
)
_OF_GROUP = re.compile(
    r"(?:Consumer|Share|Streams) group ['\"]([^'\"]+)['\"] (?:is rebalancing|has no active members)"
)


def plain_line(line: str) -> str:
    """Return a line without control sequences, with plain blanks, quotes and dashes."""
    text = line.rstrip("\r")
    if not _MARKS.search(text):
        return text
    text = _ESCAPES.sub("", text).translate(_GONE).translate(_BLANKS).translate(_QUOTES)
    return _DASH.sub("-", text)


def without_prefix(lines: Sequence[str]) -> list[str]:
    """Return lines without what every line of a run begins with: `> `, numbers that count up, times
    of a log of jobs, names of a container. A run has at least three lines; blank lines belong to it.
    """
    lines = list(lines)
    for pattern in _PREFIXES:
        for start, stop in list(_runs(pattern, lines)):
            ends = [_end(pattern, line) for line in lines[start:stop]]
            prefixes = [
                line[:end]
                for line, end in zip(lines[start:stop], ends, strict=True)
                if line.strip()
            ]
            if len(prefixes) >= _SHORTEST_RUN and _is_one_prefix(prefixes):
                for place, end in enumerate(ends, start):
                    lines[place] = lines[place][end:]
    return lines


def _runs(pattern: re.Pattern, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield begin and end of the lines that have a prefix one after another."""
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
    """Return where a prefix ends; a line that is the prefix alone may have lost its last blank."""
    found = pattern.match(line)
    return found.end() if found else len(line)


def _is_one_prefix(prefixes: Sequence[str]) -> bool:
    numbers = [int(digits) for digits in (re.sub(r"\D", "", one) for one in prefixes) if digits]
    if len(numbers) == len(prefixes) and max(map(len, prefixes)) < 14:
        return all(
            0 < later - first < 50 for first, later in zip(numbers, numbers[1:], strict=False)
        )
    return True


def is_noise(line: str) -> bool:
    """Tell whether a line is a prompt or a message of a tool."""
    return _NOISE.fullmatch(line[:_MOST].rstrip()) is not None


def group_in(line: str) -> str | None:
    """Return the group that a command in a paste, or a message about its state, names."""
    found = _OF_GROUP.search(line[:_MOST]) or _GROUP.search(line[:_MOST])
    return found and found[1]
