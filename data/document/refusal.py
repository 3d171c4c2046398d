"""Why a group document is refused: msgspec's complaint with the whole path, the value found and the value expected."""

import re

import msgspec

from data.document.shape import FORMAT, Document, GroupType, Held, JoinedWith, Leader, LeaderClient, Member, Partition, Topic

_COMPLAINT = re.compile(r"(?P<what>.*?)(?: - at `(?P<path>.*)`)?", re.DOTALL)
_FIELD = re.compile(r"Object (?P<fault>missing required|contains unknown) field `(?P<name>.*)`", re.DOTALL)
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_OBJECTS = {"": Document, "topics": Topic, "partitions": Partition, "members": Member, "joined_with": JoinedWith, "leader": Leader}
_LONGEST_VALUE = 60


def refusal(text: bytes | str, error: Exception) -> str:
    """Return one line: path, value found, value expected."""
    try:
        root = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return f"not JSON: {error}"
    if not isinstance(root, dict):
        return f"$: found {_shown(root)}, expected the object of a group document"
    if "format" not in root:
        return f'$.format: missing, expected "{FORMAT}"'
    if root["format"] != FORMAT:
        return f'$.format: found {_shown(root["format"])}, expected "{FORMAT}"'
    return _line(root, _COMPLAINT.fullmatch(str(error)))


def _line(root: dict, complaint: re.Match) -> str:
    path, found, owner = _place(root, complaint["path"] or "$")
    what = complaint["what"]
    field = _FIELD.fullmatch(what)
    if field and field["fault"] == "missing required":
        return f"{path}.{field['name']}: missing, expected a value"
    if field:
        return f"{path}.{field['name']}: unknown key, expected one of {', '.join(_OBJECTS[owner].__struct_fields__)}"
    if what.startswith("Invalid enum value"):
        choices = LeaderClient if owner == "client" else GroupType
        return f"{path}: found {_shown(found)}, expected one of {', '.join(choices.__args__)}"
    expected = what.removeprefix("Expected ").split(", got")[0].replace("`", "").replace(" | ", " or ")
    return f"{path}: found {_shown(found)}, expected {expected}"


def _place(value, masked: str):
    """Walk to the value at a path.

    msgspec masks keys of maps as `[...]`: the key is the first one whose partitions do not fit.
    """
    path, owner = "$", ""
    for name, index in _STEP.findall(masked):
        if index == "...":
            name = next((key for key, numbers in value.items() if not _fits({key: numbers})), "...")
        value, path, owner = (
            (value[int(index)], f"{path}[{index}]", owner) if index.isdigit() else (value.get(name), f"{path}.{name}", name)
        )
    return path, value, owner


def _fits(held) -> bool:
    try:
        msgspec.convert(held, Held)
    except msgspec.ValidationError:
        return False
    return True


def _shown(value) -> str:
    shown = msgspec.json.encode(value).decode()
    return shown if len(shown) <= _LONGEST_VALUE else f"{shown[:_LONGEST_VALUE]}…"
