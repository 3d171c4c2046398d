"""Reads the columns of a JSON object: from synonyms, from keys that depend on other keys, and from
nested objects such as `client: {id, host}`.
"""

import re
from collections.abc import Mapping
from typing import Any

from evenkeel.data.sources.facts import NoNumber, assignment_in, time_of, whole
from evenkeel.data.sources.metrics import Sample
from evenkeel.data.sources.separated.values import state_of, word
from evenkeel.data.sources.synonyms import ASSIGNED, column_of, columns_of, plain

_NAMED = ("group_id", "topic", "partition", "client_id", "member_id")


def member_in(row: Mapping[str, Any]) -> bool:
    """Return whether the columns contain a member id, instance id or client id."""
    return any(
        word(row.get(name)) is not None for name in ("member_id", "instance_id", "client_id")
    )


def own_columns(value: Mapping[str, Any], scope: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of an object itself, without enclosing objects."""
    flat: dict[str, Any] = {}
    for key, inside in value.items():
        if isinstance(inside, dict):
            flat |= _named_by(key, inside)
        elif not isinstance(inside, list):
            flat[key] = inside
    names = list(flat)
    own = {column: flat[names[place]] for column, place in columns_of(names).items()}
    own |= _by_other_keys(value, flat, own)
    if isinstance(own.get("partition"), str) and not own["partition"].isdigit():
        del own["partition"]
    if (sizes := size_in(own.get("assigned"))) is not None:
        own["sizes"] = sizes
    if own.get("member_id") is not None and _is_host(value.get("owner"), own):
        own["host"] = own.pop("member_id")
    if own.get("member_id") == "":
        del own["member_id"]
    return own


def _is_host(owner: Any, own: Mapping[str, Any]) -> bool:
    """Return whether `owner` is a host: an address, or any name in Burrow's answer on a client."""
    if not isinstance(owner, str) or own["member_id"] != owner or "client_id" not in own:
        return False
    is_of_client = owner.startswith(str(own["client_id"]))
    return bool(_ADDRESS.match(owner)) or "host" not in own and not is_of_client


_ADDRESS = re.compile(r"/|\d+\.\d+\.\d+\.\d+$|[0-9a-f]*:[0-9a-f:]+$")


def _named_by(key: str, inside: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a nested object whose keys have a meaning only together with the
    object's own key, as in `client: {id, host}`. Burrow's `end: {offset}` is a commit.
    """
    column = column_of(key)
    names = {plain(str(name)): name for name in inside}
    if plain(key) == "end" and "offset" in names:
        return {"committed_offset": inside[names["offset"]]}
    if column not in _NAMED or any(isinstance(part, dict | list) for part in inside.values()):
        if column == "group_id" and "id" in inside:
            nested = {}
            for name, part in inside.items():
                nested |= _named_by(name, part) if isinstance(part, dict) else {name: part}
            return {**nested, "group_id": nested.pop("id")}
        return {}
    identity = inside.get(names.get("id", names.get("name")))
    taken = {names.get("id"), names.get("name"), "topic_id"}
    rest = {name: part for name, part in inside.items() if name not in taken}
    return rest | ({} if identity is None else {str(column): identity})


def _by_other_keys(
    value: Mapping[str, Any], flat: Mapping[str, Any], own: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the columns of keys whose meaning depends on other keys: id, name and status."""
    keys = {plain(str(key)) for key in value}
    by_key = {plain(str(key)): part for key, part in flat.items()}
    columns: dict[str, Any] = {}
    about_group = keys & {"state", "protocoltype", "protocol", "partitionassignor", "offsets"}
    identity = by_key.get("id")
    if identity is not None and "client_id" in own and "member_id" not in own:
        columns["member_id"] = identity
    elif identity is not None and about_group and "group_id" not in own:
        columns["group_id"] = identity
    name = by_key.get("name")
    if name is not None and "group_id" not in own and about_group and "partition" not in own:
        columns["group_id"] = name
    elif name is not None and "topic" not in own and keys & {*ASSIGNED}:
        columns["topic"] = name
    status = by_key.get("status")
    if "group_state" not in own and state_of(status) not in (None, "Unknown"):
        columns["group_state"] = status
    if (sizes := size_in(by_key.get("partitioncount"))) is not None:
        columns["sizes"] = sizes
    if by_key.get("error"):
        columns["error"] = by_key["error"]
    if {"ts", "time"} <= keys:
        # In statistics of librdkafka, `ts` counts from the machine's boot.
        columns["taken_at"] = by_key.get("time")
    if "timestamp" in by_key and "partition" in own and "@timestamp" not in flat:
        columns["taken_at"] = None
    return columns


def size_in(value: Any) -> int | None:
    """Return a partition count, None if the value is not a whole number."""
    try:
        return None if isinstance(value, bool) else whole(value)
    except NoNumber:
        return None


def ring(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the newest commit in Burrow's ring of offsets, None if the object has no ring."""
    ring = value.get("offsets")
    if not isinstance(ring, list):
        return None
    last = [entry for entry in ring if isinstance(entry, dict) and "offset" in entry][-1:]
    return {"committed_offset": last[0]["offset"] if last else None}


_BY_PLACE = {
    "partitionoffsets": "committed_offset",
    "partitionlatestoffsets": "end_offset",
    "owners": "member_id",
}


def rows_by_place(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each partition, from lists in partition order, as in CMAK's JSON."""
    lists = {
        _BY_PLACE[name]: inside
        for key, inside in value.items()
        if (name := plain(str(key))) in _BY_PLACE and isinstance(inside, list)
    }
    offsets = lists.get("committed_offset", [])
    if not offsets or any(isinstance(offset, dict | list) for offset in offsets):
        return []
    if len({*map(len, lists.values())}) > 1:
        # If the lists have different lengths, only the commits can be matched to partitions.
        lists = {"committed_offset": offsets}
    return [
        {"partition": place} | {column: inside[place] for column, inside in lists.items()}
        for place in range(len(offsets))
    ]


def frame_fields(value: Mapping[str, Any]) -> list[Sample]:
    """Return the last sample of each labelled field in a Grafana data frame."""
    schema, data = value.get("schema"), value.get("data")
    if not isinstance(schema, dict) or not isinstance(data, dict):
        return []
    fields, values = schema.get("fields"), data.get("values")
    if not isinstance(fields, list) or not isinstance(values, list):
        return []
    columns = [
        (field, column)
        for field, column in zip(fields, values, strict=False)
        if isinstance(field, dict) and isinstance(column, list) and column
    ]
    times = [column[-1] for field, column in columns if field.get("type") == "time"]
    return [
        Sample(_family(field), field["labels"], str(column[-1]), time_of(next(iter(times), None)))
        for field, column in columns
        if isinstance(field.get("labels"), dict) and field.get("type") != "time"
    ]


def _family(field: Mapping[str, Any]) -> str:
    """Return the family of a field; Grafana names a field `Value` if its query has no name."""
    name = field["labels"].get("__name__") or field.get("name")
    return "lag" if name in (None, "Value") else str(name)


def held(value: Mapping[str, Any]) -> dict[str, list[int]] | None:
    """Return a member's partitions by topic if one key contains all of them. Return None if
    they are in nested objects or missing; an empty list gives {}.
    """
    for key, inside in value.items():
        if column_of(str(key)) != "assigned":
            continue
        if isinstance(inside, str):
            return assignment_in(inside)
        if isinstance(inside, list) and not inside:
            return {}
        if isinstance(inside, list) and all(isinstance(name, str) for name in inside):
            names = [name.rpartition("-") for name in inside]
            return assignment_in(";".join(f"{topic}:{number}" for topic, _, number in names))
        if isinstance(inside, dict) and all(_is_numbers(part) for part in inside.values()):
            return {str(topic): list(map(int, numbers)) for topic, numbers in inside.items()}
    return None


def assigned_numbers(value: Mapping[str, Any]) -> list[int] | None:
    """Return an object's list of partition numbers, None if it has no such list."""
    for key, inside in value.items():
        if column_of(str(key)) == "assigned" and _is_numbers(inside):
            return list(map(int, inside))
    return None


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(str(number).isdigit() for number in value)
