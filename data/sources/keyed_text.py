"""Finds values in a text: JSON, printed objects of programming languages, and YAML.

A truncated or invalid value is used up to the last complete object of its last list.
"""

import json
import re
from collections.abc import Container, Iterator
from typing import Any, NamedTuple

import yaml  # type: ignore[import-untyped]

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.clean import is_noise
from evenkeel.data.sources.synonyms import ASSIGNED, column_of, plain

MOST_LEVELS = 64


class Value(NamedTuple):
    """A value in a text. `line`: its first line. `cut`: the first line that is uncertain, None if
    the value is complete.
    """

    line: int
    line_count: int
    content: Any
    cut: int | None = None


_HERE = re.compile(
    r"[ \t\ufeff]*(?:[A-Za-z][\w .]{0,40}[:=][ \t]*)?"
    r"(?=\{\s*(?:[\"'}]|$|[A-Za-z_]\w{0,40}: )|\[\s*(?:[\[{]|$))",
    re.MULTILINE,
)
_START = re.compile(f"^{_HERE.pattern}", re.MULTILINE)
_NAMES = re.compile(r"(?:[\"']([^\"'\\\n]{1,40})[\"']|\b([A-Za-z_]\w{0,40}))\s*:(?!\w)")


def start_of(text: str, at: int = 0) -> int | None:
    """Return the start of the first value at or after `at`, None if there is no value. A value
    starts exactly at `at`, or at the start of a later line, possibly after a name.
    """
    match = _HERE.match(text, at) or _START.search(text, at)
    return match and match.end()


def names_in(text: str) -> set[str]:
    """Return the names of keys in a text, also in JSON inside strings: each name as written, and as
    `plain` returns it.
    """
    pairs = _NAMES.findall(text.replace('\\"', '"'))
    names = {quoted or bare for quoted, bare in pairs}
    return names | {*map(plain, names)}


def json_in(text: str) -> Any:
    """Return the JSON object or list in a string, None for every other string."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def encodable(value: Any, level: int = 0) -> Any:
    """Return a value with `?` for each unpaired surrogate. JSON can contain unpaired surrogates,
    UTF-8 cannot.
    """
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if level > MOST_LEVELS:
        return value
    if isinstance(value, list):
        return [encodable(inner, level + 1) for inner in value]
    if isinstance(value, dict):
        return {
            encodable(name, level + 1): encodable(inner, level + 1) for name, inner in value.items()
        }
    return value


def values_in(text: str, file: str, first_line: int) -> Iterator[Value]:
    """Yield all JSON values of a text. If the text is YAML, yield one value with all its documents.

    Raises
    ------
    SnapshotError
        If a value is invalid and no part of it is certain.
    """
    at = start_of(text)
    if at is None:
        yield from _yaml_values(text, file, first_line)
        return
    line, counted = first_line, 0
    first_key = _FIRST_KEY.match(text[:at])
    if first_key:
        begin, openers = first_key.end(), _openers(text, first_key.end())
        line += text.count("\n", 0, begin)
        value, stop = _without_start(openers + text[begin:], file, line)
        yield value
        counted = begin + max(stop - len(openers), 0)
        line += value.line_count - 1
        at = start_of(text, counted)
    while at is not None:
        content, stop, broken = _decoded(text, at, file)
        line += text.count("\n", counted, at)
        cut = None if broken is None else line + text.count("\n", at, broken)
        yield Value(line, text.count("\n", at, stop) + 1, content, cut)
        line, counted = line + text.count("\n", at, stop), stop
        rest = re.match(r"[ \t,]*(?=[{\[])", text[stop : stop + 100])
        at = stop + rest.end() if rest else start_of(text, stop)


def _decoded(text: str, at: int, file: str) -> tuple[Any, int, int | None]:
    """Return a value, its end, and the position of its first fault, None if it has no fault."""
    try:
        return *_DECODER.raw_decode(text, at), None
    except (ValueError, RecursionError) as error:
        value = _PrintedValue(text, at).read() if isinstance(error, ValueError) else None
        if value is None:
            raise SnapshotError(f"{file}: begins like JSON but is not JSON: {error}") from None
        return value


_DECODER = json.JSONDecoder()

# A value whose start is missing.


_FIRST_KEY = re.compile(r'[^\n{\[]*\n?[ \t]*(?="[\w.-]{1,40}"\s*:\s*[^\s,])')


def _openers(text: str, at: int) -> str:
    """Return the opening brackets that a text lacks."""
    depth, openers = 0, ""
    for token in _TOKEN.finditer(text, at):
        if token[0] in "{[":
            depth += 1
        elif token[0] in _CLOSES and depth:
            depth -= 1
        elif token[0] in _CLOSES:
            openers = ('{"":' if openers and token[0] == "}" else _CLOSES[token[0]]) + openers
    return openers


def _without_start(text: str, file: str, line: int) -> tuple[Value, int]:
    """Return a value whose start is missing, and its end. If its first object is a row, the object
    is dropped, because it may be incomplete.
    """
    content, stop, _ = _decoded(text, 0, file)
    inside = content
    if isinstance(content, dict) and _is_about_a_row(content, ("partition",)):
        content = None
    while isinstance(inside, list) or isinstance(inside, dict) and "" in inside:
        if isinstance(inside, list) and inside and _is_about_a_row(inside[0]):
            del inside[0]
            break
        inside = (inside or [None])[0] if isinstance(inside, list) else inside[""]
    return Value(line, text.count("\n", 0, stop) + 1, content, line), stop


# A value that is not valid JSON.

_TOKEN = re.compile(
    r"(?P<blank>\s+|//[^\n]*)|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<mark>[{}\[\],:])|(?P<word>[^\s{}\[\],:\"']+)"
)
_WORDS = {
    "true": True,
    "True": True,
    "false": False,
    "False": False,
    **dict.fromkeys(("null", "None", "undefined", "nil", "NaN"), None),
}
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,99})(\.\d{1,99})?([eE][+-]?\d{1,3})?n?")
"""A number of JSON or an integer of JavaScript; longer numbers are not read."""
_CLOSES = {"}": "{", "]": "["}
_ITEM, _COLON, _VALUE, _END = "an item", "a colon", "a value", "the end of an item"
_FOLLOWS = {":": _VALUE, ",": _ITEM}
_OF_A_MEMBER = {*ASSIGNED} - {"partitions"}
_ABOUT_A_ROW = {"partition", "topic", "group_id", "member_id", "client_id"}


class _PrintedValue:
    """Reads a value as programming languages print it, with single quotes, bare keys and trailing
    commas. Containers are filled during reading, so a truncated value contains everything before
    the cut.
    """

    def __init__(self, text: str, at: int):
        self._text, self._at = text, at
        self._root: list[Any] = []
        self._open: list[Any] = [self._root]
        self._keys: list[Any] = [None]
        self._begins: list[int] = [at]
        self._key: str | None = None
        self._next = _ITEM

    def read(self) -> tuple[Any, int, int | None] | None:
        """Return the value, the position of its end, and the position of its first fault. Return
        None if no part of the value is certain.
        """
        while len(self._open) <= MOST_LEVELS:
            token = _TOKEN.match(self._text, self._at)
            if token is None or not (token["blank"] or self._take(token)):
                break
            self._at = token.end()
            if len(self._open) == 1 and self._root:
                return self._root[0], self._at, None
        return self._certain()

    def _take(self, token: re.Match) -> bool:
        """Read a token, and return whether it is allowed here."""
        text = token[0]
        if text in _FOLLOWS:
            before, self._next = self._next, _FOLLOWS[text]
            return before == {":": _COLON, ",": _END}[text]
        if text in _CLOSES:
            return self._leave(dict if text == "}" else list)
        is_key = self._next == _ITEM and isinstance(self._open[-1], dict)
        if text in "{[":
            return not is_key and self._enter({} if text == "{" else [])
        if is_key:
            self._key, self._next = _unquoted(text) if token["text"] else text, _COLON
            return bool(token["text"]) or text.isidentifier() or text.isdigit()
        if token["text"]:
            return self._add(_unquoted(text))
        if text in _WORDS:
            return self._add(_WORDS[text])
        is_number = _NUMBER.fullmatch(text) is not None
        return is_number and self._add(json.loads(text.removesuffix("n")))

    def _add(self, value: Any) -> bool:
        inside = self._open[-1]
        if self._next != (_ITEM if isinstance(inside, list) else _VALUE):
            return False
        if isinstance(inside, list):
            inside.append(value)
        else:
            inside[self._key] = value
        self._next = _END
        return True

    def _enter(self, container: Any) -> bool:
        if not self._add(container):
            return False
        self._open.append(container)
        self._keys.append(self._key)
        self._begins.append(self._at)
        self._next = _ITEM
        return True

    def _leave(self, kind: type) -> bool:
        if not isinstance(self._open[-1], kind) or self._next not in (_ITEM, _END):
            return False
        for stack in (self._open, self._keys, self._begins):
            stack.pop()
        self._next = _END
        return True

    def _certain(self) -> tuple[Any, int, int | None] | None:
        """Return the value without its last, possibly truncated object."""
        for level in range(len(self._open) - 1, 0, -1):
            inside, is_last = self._open[level], level == len(self._open) - 1
            if not isinstance(inside, list) and _is_about_a_row(inside, ("partition",)):
                continue
            if plain(str(self._keys[level])) in _OF_A_MEMBER:
                continue
            self._drop_last(inside, is_last)
            if _has_rows(inside):
                cut = self._at if is_last else self._begins[level + 1]
                return self._root[0], len(self._text.rstrip()), cut
        return None

    @staticmethod
    def _drop_last(inside: Any, is_last: bool) -> None:
        """Drop the unfinished last item of a container. In the innermost container, a last number
        or text may be truncated too.
        """
        if not inside:
            return
        key = -1 if isinstance(inside, list) else next(reversed(inside))
        if not (is_last and isinstance(inside[key], dict | list)):
            del inside[key]


def _has_rows(value: Any) -> bool:
    """Return whether a container has a list with complete objects about rows."""
    if isinstance(value, dict):
        return any(map(_has_rows, value.values()))
    return isinstance(value, list) and any(map(_is_about_a_row, value))


def _is_about_a_row(value: Any, columns: Container[str | None] = _ABOUT_A_ROW) -> bool:
    if not isinstance(value, dict):
        return False
    return "metric" in value or any(column_of(str(name)) in columns for name in value)


def _unquoted(text: str) -> str:
    if text[0] == "'":
        inside = text[1:-1].replace("\\'", "'")
        text = '"' + re.sub(r'(?<!\\)"', r"\"", inside) + '"'
    try:
        return json.loads(text, strict=False)
    except ValueError:
        return text[1:-1]


# YAML.


_KEY_LINE = re.compile(r"\s*(?:- )*(?:['\"]?[\w.@/-]+['\"]?:(?: .*)?|\{\s*[A-Za-z_].*\},?)")
_YAML_LINE = re.compile(r"\s*(?:-(?: .*)?|---|\.\.\.|#.*|\{.*|\[.*|[\]}],?)?|\s+\S.*")


def is_yaml(text: str) -> bool:
    """Return whether most lines of a text are YAML keys and items, with a partition among the
    keys.
    """
    lines = [line for line in text.split("\n")[:-1] or [text] if line.strip()]
    lines = [line for line in lines if not is_noise(line)]
    keys = [line for line in lines if _KEY_LINE.fullmatch(line.rstrip())]
    share = sum(map(_is_of_yaml, lines))
    names = {
        column_of(name) for line in lines for name in re.findall(r"([\w.-]+)['\"]?:(?!\S)", line)
    }
    return (
        (len(lines) > 2 or any("{" in line for line in lines))
        and share >= 0.9 * len(lines)
        and 3 * len(keys) >= len(lines)
        and "partition" in names
    )


def _is_of_yaml(line: str) -> bool:
    return bool(_KEY_LINE.fullmatch(line.rstrip()) or _YAML_LINE.fullmatch(line))


def _yaml_values(text: str, file: str, first_line: int) -> Iterator[Value]:
    if re.search(r"(^|\s)[&*!][A-Za-z]|<<:", text):
        raise SnapshotError(f"{file}: YAML with an anchor, a tag or a merge, expected plain YAML")
    lines = [line if _is_of_yaml(line) and not is_noise(line) else "" for line in text.split("\n")]
    size = text.count("\n") + (not text.endswith("\n"))
    try:
        documents = list(yaml.safe_load_all("\n".join(lines)))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise SnapshotError(f"{file}: begins like YAML but is not YAML: {error}") from None
    yield Value(first_line, size, documents if len(documents) > 1 else documents[0])
