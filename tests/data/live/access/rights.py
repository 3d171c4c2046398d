"""User evenkeel of a guarded broker: which rights it has, and what the commands show it."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
)

from evenkeel.data.commands.main import main
from tests.brokers.broker import Brokers
from tests.brokers.settings import USERS
from tests.waiting import until

Right = tuple[ResourceType, str]
"""What may be described."""

CLUSTER, GROUPS, TOPICS, ORDERS = (
    (ResourceType.BROKER, "kafka-cluster"),
    (ResourceType.GROUP, "*"),
    (ResourceType.TOPIC, "*"),
    (ResourceType.TOPIC, "orders"),
)
NO_TOPIC = "TOPIC_AUTHORIZATION_FAILED: the right DESCRIBE on a topic is missing"
NO_GROUP = "GROUP_AUTHORIZATION_FAILED: the right DESCRIBE on the group is missing"

_ANY = AclBindingFilter(
    ResourceType.ANY,
    None,
    ResourcePatternType.ANY,
    None,
    None,
    AclOperation.ANY,
    AclPermissionType.ANY,
)


class Ran(NamedTuple):
    """Exit code, output and complaints of a command, the latter two by line."""

    code: int
    output: list[str]
    complaints: list[str]


def commands_of_user(
    broker: Brokers, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> Callable[..., tuple[Ran, Ran]]:
    """Return a function (right, ...) -> what `evenkeel groups` and `evenkeel snapshot` do for user
    evenkeel who has these alone.
    """
    monkeypatch.setenv("EVENKEEL_TEST_PASSWORD", USERS["evenkeel"])
    monkeypatch.setenv("EVENKEEL_CONFIG", str(folder / "evenkeel.toml"))
    settings = (
        f'"bootstrap.servers" = "{broker.bootstrap("SASL")}"\n"security.protocol" ='
        ' "SASL_PLAINTEXT"\n"sasl.mechanism" = "PLAIN"'
    )
    (folder / "evenkeel.toml").write_text(
        f'[clusters.local]\n{settings}\n"sasl.username" = "evenkeel"\n"sasl.password" = {{env ='
        ' "EVENKEEL_TEST_PASSWORD"}\n'
    )

    def run(*rights: Right) -> tuple[Ran, Ran]:
        _grant(AdminClient({"bootstrap.servers": broker.bootstrap(), "log_level": 0}), rights)
        return _ran(capsys, "groups", "--json"), _ran(capsys, "snapshot")

    return run


def lags(lines: Iterable[str]) -> dict[str, tuple[int | None, int | None, str | None]]:
    """Return lag, number of unknown lags and problem of each group that `evenkeel groups` lists."""
    return {
        row["group_id"]: (row["lag"], row["unknown_lag_count"], row["problem"])
        for row in map(json.loads, lines)
    }


def partitions(lines: Iterable[str], *columns: str) -> dict[str, dict[str, Any]]:
    """Return what `evenkeel snapshot` says of each group's topics: these columns of their
    partitions, or how many there are.
    """
    return {
        one["group_id"]: {
            topic["name"]: topic["partitions"]
            if isinstance(topic["partitions"], int)
            else [tuple(part.get(column) for column in columns) for part in topic["partitions"]]
            for topic in one["topics"]
        }
        for one in map(json.loads, lines)
    }


def allow_reading(broker: Brokers, topic: str) -> None:
    """Give user evenkeel the right READ on a topic, beside what it has."""
    admin = AdminClient({"bootstrap.servers": broker.bootstrap(), "log_level": 0})
    right = (
        ResourceType.TOPIC,
        topic,
        ResourcePatternType.LITERAL,
        "User:evenkeel",
        "*",
        AclOperation.READ,
        AclPermissionType.ALLOW,
    )
    for made in admin.create_acls([AclBinding(*right)]).values():
        made.result()
    until(
        lambda: any(
            one.operation == AclOperation.READ for one in admin.describe_acls(_ANY).result()
        )
    )


def _grant(admin: AdminClient, rights: Iterable[Right]) -> None:
    for gone in admin.delete_acls([_ANY]).values():
        gone.result()
    made = [
        AclBinding(
            kind,
            name,
            ResourcePatternType.LITERAL,
            "User:evenkeel",
            "*",
            AclOperation.DESCRIBE,
            AclPermissionType.ALLOW,
        )
        for kind, name in rights
    ]
    for one in admin.create_acls(made).values():
        one.result()
    until(
        lambda: (
            {(one.restype, one.name) for one in admin.describe_acls(_ANY).result()} == set(rights)
        )
    )


def _ran(capsys: pytest.CaptureFixture, command: str, *more: str) -> Ran:
    code = main([command, "--cluster", "local", *more])
    said = capsys.readouterr()
    return Ran(code, said.out.splitlines(), said.err.splitlines())
