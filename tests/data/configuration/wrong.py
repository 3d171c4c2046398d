"""Every setting of the configuration, wrong in every way, with a canary as its value: derived from
the types, so that a new setting has its cases.
"""

from collections.abc import Iterator
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin

import msgspec

from evenkeel.data.configuration import file
from evenkeel.data.configuration.clusters import _NOT_NEEDED, _OURS, _WORDS

CANARY, NUMBER = "canary-7f3a", 918_273_645_546
_CLUSTER = {"bootstrap.servers": "127.0.0.1:1"}
_PLUGIN = {"jars": ["/nowhere/a.jar"], "class": "com.example.Ours"}
_PROVIDER = {
    "client_id": "a",
    "client_secret": {"env": "B"},
    "server_metadata_url": "https://id.example.com",
}
_LOGIN = {
    "address": "https://evenkeel.example.com",
    "cookie_secret": {"env": "A"},
    "providers": {"ours": _PROVIDER},
}
_RIGHT = {"claim": "groups", "values": ["a"], "can": ["see"]}
_NAMES = {
    "clusters": {"production": _CLUSTER},
    "plugins": {"ours": _PLUGIN},
    "login": _LOGIN,
    "rights": [_RIGHT],
}
"""What must be there for another setting to be looked at."""

VALUES = (
    CANARY,
    f"{CANARY}\n",
    f"{CANARY}://{CANARY}:{CANARY}@{CANARY}/?{CANARY}#{CANARY}",
    f"s3://{CANARY}:{CANARY}@bucket/lake",
    NUMBER,
    NUMBER / 10,
    [CANARY],
    [[NUMBER]],
    {"x": CANARY},
    {"x": {"y": [CANARY]}},
    {"env": CANARY},
    {"file": f"/nowhere/{CANARY}"},
    {"file": f"{CANARY}\0"},
    {"env": CANARY, "file": CANARY},
    {"env": [CANARY]},
    [{"env": CANARY}],
)


class Wrong(NamedTuple):
    """One wrong configuration: the setting, and the tables of the file."""

    setting: str
    tables: dict[str, Any]


def wrong() -> Iterator[Wrong]:
    """Yield each setting, and an unknown key of each table, with each value."""
    for path in _paths():
        for value in VALUES:
            yield Wrong(".".join(map(str, path)), _with(path, value))


def texts() -> Iterator[Wrong]:
    """Yield files that are no TOML right behind a secret."""
    line = f'[lake]\nsecret_key = "{CANARY}"'
    behind = (
        " x",
        "\nsecret_key = 1",
        "\n[lake]",
        "\n[lake.secret_key]",
        "\n= 1",
        "\n[",
        "\n\0",
        "\n" + "x=[" * 3000,
        "\nx = " + "9" * 5000,
        "\n\udcff",
    )
    for rest in behind:
        yield Wrong(repr(rest[:20]), line + rest)
    for whole in (
        f'secret_key = "{CANARY}',
        f"secret_key = '''{CANARY}",
        f"secret_key {CANARY}",
        f"secret_key = {CANARY}",
        f'secret_key = "\\{CANARY}"',
    ):
        yield Wrong(repr(whole[:20]), f"[lake]\n{whole}")


def _paths() -> Iterator[tuple[Any, ...]]:
    yield from _of(file._File)
    names = {*_WORDS, *_NOT_NEEDED, *_OURS, "sasl.oauthbearer.config", "unknown"}
    yield from (("clusters", "production", name) for name in sorted(names))
    yield ("plugins", "ours", "settings", "login")


def _of(kind: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield (*above, "unknown")
    for field in msgspec.structs.fields(kind):
        path = (*above, field.encode_name)
        yield path
        parts = get_args(field.type)
        if get_origin(field.type) in (dict, tuple) and _is_table(
            of := parts[get_origin(field.type) is dict]
        ):
            here = "ours" if get_origin(field.type) is dict else 0
            yield (*path, here)
            yield from _of(of, (*path, here))
        for kind in filter(_is_table, parts if NoneType in parts else [field.type]):
            yield from _of(kind, path)


def _is_table(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _with(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    tables = msgspec.json.decode(msgspec.json.encode(_NAMES))
    place = tables
    for name in path[:-1]:
        place = place[name] if isinstance(place, list) else place.setdefault(name, {})
    place[path[-1]] = value
    return tables
