"""Facts that a person or a broker provides: settings, client versions, and the next assignor."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.protocol import CONSUMER
from evenkeel.assignors.readiness.facts import (
    SETTINGS,
    Broker,
)
from evenkeel.data.errors import SnapshotError

UNIFORM, RANGE = "uniform", "range"
REMOTE = {UNIFORM: "uniform", RANGE: "broker-range"}
"""The broker's assignors by Kafka's name. The value is the name in `ASSIGNORS`."""

_CLASSES = {"UniformAssignor": UNIFORM, "RangeAssignor": RANGE}


@dataclass(frozen=True)
class Environment:
    """Facts that a group does not show: broker settings, client versions, and the assignor.

    `remote`: the assignor that members will request with group.remote.assignor.
    """

    broker: Broker = Broker()
    versions: Mapping[str, str] = field(default_factory=dict)
    remote: str | None = None

    @property
    def assignor(self) -> str:
        """The broker's assignor after the move, by Kafka's name."""
        return self.remote or next(iter(self.broker.assignors or ()), UNIFORM)


def broker_of(settings: Mapping[str, str | None]) -> Broker:
    """Read broker settings by Kafka's names; a missing setting is unknown.

    Raises
    ------
    SnapshotError
        If readiness does not use a setting, or a value is invalid.
    """
    stranger = next((key for key in settings if key not in SETTINGS), None)
    if stranger is not None:
        raise SnapshotError(
            f"broker settings: found {stranger}, expected one of {', '.join(SETTINGS)}"
        )
    version, listed, policy, size, assignors, session, heartbeat = (
        settings.get(key) for key in SETTINGS
    )
    protocols = None if listed is None else {part.strip().lower() for part in listed.split(",")}
    feature = _whole("group.version", version)
    is_off = (feature is not None and feature < 1) or (
        protocols is not None and CONSUMER not in protocols
    )
    is_known = is_off or None not in (version, listed)
    words = None
    if assignors is not None:
        words = tuple(_word_of(word) for word in assignors.split(",") if word.strip())
    return Broker(
        is_on=not is_off if is_known else None,
        policy=policy,
        max_size=_whole(SETTINGS[3], size),
        assignors=words,
        session_timeout_ms=_whole(SETTINGS[5], session),
        heartbeat_interval_ms=_whole(SETTINGS[6], heartbeat),
    )


def _whole(key: str, text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal()):
        raise SnapshotError(f"{key}: found {text!r}, expected a whole number")
    return int(text)


def _word_of(name: str) -> str:
    """Return the short name of an assignor; brokers may use the name of its Java class."""
    return _CLASSES.get(name.strip().rpartition(".")[2], name.strip())


def require_remote(name: str | None, broker: Broker) -> None:
    """Refuse an assignor that the brokers do not have.

    If a member requests it, the broker answers with UNSUPPORTED_ASSIGNOR.
    """
    known = tuple(word for word in broker.assignors or REMOTE if word in REMOTE)
    if name is not None and name not in known:
        raise SnapshotError(f"remote assignor: found {name}, expected one of {', '.join(known)}")


def require_versions(versions: Mapping[str, str]) -> None:
    """Refuse unknown clients, and versions that are not numbers."""
    for name, release in versions.items():
        if name not in CLIENTS:
            raise SnapshotError(f"client: found {name}, expected one of {', '.join(CLIENTS)}")
        if not release.split(".")[0].isdecimal():
            raise SnapshotError(f"client {name}: found release {release!r}, expected such as 4.0.1")
