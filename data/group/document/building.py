"""A group document from Python values.

group_document({"orders": 12}, {"a": ["orders"]}, lag={("orders", 0): 500})
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document.shape import FORMAT, MAX_PARTITIONS, Document, decode

Lag = Mapping[tuple[str, int] | str, Any]


def group_document(
    topics: Mapping[str, int],
    members: Mapping[str, Iterable[str]] | Iterable[str],
    owned: Mapping[str, Any] | None = None,
    lag: Lag | None = None,
    **facts: Any,
) -> Document:
    """Return a group document; missing facts are unknown.

    Parameters
    ----------
    topics : mapping of str to int
        Number of partitions of each topic.
    members : mapping of str to topic names, or list of member names
        Topics to which each member subscribes. In a list, every member subscribes to all topics.
    owned : mapping of str to partition numbers by topic, or to (topic, partition) pairs
        Partitions that each member owns. A member that is not in the mapping owns nothing. None if
        the owners are unknown.
    lag : mapping of (topic, partition) or of topic to records
        Lag of the partition; for a topic, lag of each of its partitions. None if unknown.
    facts : str
        Other keys of the group document: `group_id`, `type`, `state`, `assignor` and so on.

    Raises
    ------
    SnapshotError
        If a value has a wrong form.
    """
    sizes = {
        name: _whole(size)
        for name, size in _mapping(topics, "topics", "topic names to numbers of partitions").items()
    }
    lags = _lags(
        _mapping({} if lag is None else lag, "lag", "(topic, partition) to records"), sizes
    )
    subscribed = _subscribed(members, sizes)
    held = (
        None
        if owned is None
        else {
            each: _held(some, each)
            for each, some in _mapping(owned, "owned", "member ids to topics").items()
        }
    )
    stranger = next((each for each in held or () if each not in subscribed), None)
    if stranger is not None:
        raise SnapshotError(
            f'owned: no member "{stranger}", expected one of'
            f" {', '.join(map(str, subscribed)) or 'none'}"
        )
    document = {
        "format": FORMAT,
        **{key: value for key, value in facts.items() if value is not None},
        "topics": [
            {"name": name, "partitions": _partitions(name, size, lags)}
            for name, size in sizes.items()
        ],
        "members": [
            {"member_id": each, "subscribed": names}
            | ({} if held is None else {"owned": held.get(each, {})})
            for each, names in subscribed.items()
        ],
    }
    return decode(encoded(document, "group"))


def encoded(value: Any, subject: str) -> bytes:
    """Return a value as JSON; it may contain numpy numbers.

    Raises
    ------
    SnapshotError
        If JSON cannot represent the value.
    """
    try:
        return msgspec.json.encode(value, enc_hook=_number)
    except (
        TypeError,
        ValueError,
        OverflowError,
        RecursionError,
        NotImplementedError,
        msgspec.MsgspecError,
    ) as error:
        raise SnapshotError(f"{subject}: {error}, expected values that JSON has") from None


def _number(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"found {type(value).__name__}")


def _mapping(value: Any, key: str, expected: str) -> dict:
    if not isinstance(value, Mapping):
        raise SnapshotError(
            f"{key}: found {type(value).__name__}, expected a mapping of {expected}"
        )
    return dict(value)


def _subscribed(members: Any, topics: Iterable[str]) -> dict[str, list[str]]:
    if isinstance(members, Mapping):
        return {
            each: _names(topics_of, f'members["{each}"]', "names of topics")
            for each, topics_of in members.items()
        }
    names = _names(members, "members", "member ids, or a mapping of them to topics")
    subscribed: dict[str, list[str]] = {}
    for name in names:
        if not isinstance(name, str):
            raise SnapshotError(f"members: found {type(name).__name__}, expected a name")
        if name in subscribed:
            raise SnapshotError(f'members: "{name}" twice, expected each member once')
        subscribed[name] = list(topics)
    return subscribed


def _names(values: Any, key: str, expected: str) -> list:
    return [values] if isinstance(values, str) else _list(values, key, expected)


def _list(values: Any, key: str, expected: str) -> list:
    if not isinstance(values, Iterable) or isinstance(values, str | bytes):
        raise SnapshotError(f"{key}: found {type(values).__name__}, expected {expected}")
    return list(values)


def _held(some: Any, member: str) -> dict[str, list[int]]:
    if isinstance(some, Mapping):
        return {
            topic: _list(numbers, f'owned["{member}"]["{topic}"]', "partition numbers")
            for topic, numbers in some.items()
        }
    held: dict[str, list[int]] = {}
    for pair in _list(
        some, f'owned["{member}"]', "topics with partitions, or pairs of topic and partition"
    ):
        topic, number = _pair(pair, f'owned["{member}"]')
        held.setdefault(topic, []).append(number)
    return held


def _pair(pair: Any, key: str) -> tuple[str, int]:
    if not isinstance(pair, tuple | list) or len(pair) != 2 or not isinstance(pair[0], str):
        raise SnapshotError(f"{key}: found {pair!r}, expected a pair of topic and partition")
    return pair[0], _whole(pair[1])


def _whole(value: Any) -> Any:
    """Return a numpy integer as a Python integer; other values are returned unchanged."""
    return (
        value.__index__()
        if hasattr(value, "__index__")
        and hasattr(value, "dtype")
        and not getattr(value, "shape", ())
        else value
    )


def _lags(given: dict, sizes: Mapping[str, Any]) -> dict[str, dict[int, Any]]:
    lags: dict[str, dict[int, Any]] = {}
    for place, value in given.items():
        if isinstance(place, str):
            numbers = _list(value, f'lag["{place}"]', "one lag for each partition")
            _require_topic(place, sizes)
            if len(numbers) != _size(place, sizes[place]):
                raise SnapshotError(
                    f'lag["{place}"]: {len(numbers):,} lags, expected {sizes[place]}, one for each'
                    " partition"
                )
            lags.setdefault(place, {}).update(enumerate(numbers))
            continue
        topic, number = _pair(place, "lag")
        _require_topic(topic, sizes)
        if not isinstance(number, int) or not 0 <= number < _size(topic, sizes[topic]):
            raise SnapshotError(
                f'lag: found partition {number!r}, but topic "{topic}" has {sizes[topic]}'
                " partitions, counted from 0"
            )
        lags.setdefault(topic, {})[number] = value
    return lags


def _require_topic(topic: str, sizes: Mapping[str, Any]) -> None:
    if topic not in sizes:
        raise SnapshotError(
            f'lag: no topic "{topic}", expected one of {", ".join(map(str, sizes)) or "none"}'
        )


def _partitions(name: str, size: Any, lags: Mapping[str, Mapping[int, Any]]) -> Any:
    if name not in lags:
        return size
    return [{"lag": lags[name].get(number)} for number in range(_size(name, size))]


def _size(name: str, size: Any) -> int:
    """Return a valid number of partitions; SnapshotError if it is invalid."""
    if not isinstance(size, int) or not 0 <= size <= MAX_PARTITIONS:
        raise SnapshotError(
            f'topics["{name}"]: found {size!r}, expected a number of partitions, at most'
            f" {MAX_PARTITIONS:,}"
        )
    return size
