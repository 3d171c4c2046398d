"""What a terminal, a mail or a log of jobs puts around a text: control sequences, a prefix of every
line, and lines that are no data.
"""

import re
from collections.abc import Sequence

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
    """Return lines without what every line of a paste begins with: `> `, numbers that count up,
    times of a log of jobs, names of a container.
    """
    lines = list(lines)
    filled = [line for line in lines if line.strip()]
    for pattern in _PREFIXES:
        if len(filled) < _SHORTEST_RUN:
            return lines
        cuts = [pattern.match(line) or _short(pattern, line) for line in filled]
        if all(cuts) and _is_one_prefix([found[0] for found in cuts if found]):
            lines = [line[_end(pattern, line) :] for line in lines]
            filled = [line for line in lines if line.strip()]
    return lines


def _short(pattern: re.Pattern, line: str) -> re.Match | None:
    """A line that has the prefix alone, whose last blank an editor took away."""
    return pattern.fullmatch(line + " ")


def _end(pattern: re.Pattern, line: str) -> int:
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
