"""Real Kafka Streams applications of three instances: what is read, replayed and predicted is what
they run.

`python -m tests.brokers.streams_predictions` waits for probing rebalances too.
"""

from typing import NamedTuple

import msgspec
import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.group.columns import ApplicationTables, application_from_tables
from evenkeel.data.group.document import decode_application
from evenkeel.data.live.application_replay import Roles, replay_application, roles_of
from evenkeel.data.live.reading.application import LiveApplication
from evenkeel.data.live.reading.documents import LiveGroup, live_groups
from evenkeel.data.live.reading.readiness import live_readiness
from evenkeel.data.live.reading.tables import parsed_groups
from evenkeel.data.readiness.answer import Ready
from evenkeel.data.readiness.groups import answered_live
from tests.brokers.applications import Applications
from tests.brokers.connecting import connected
from tests.brokers.streams_predictions.predicted import dies, roles_by_round, rounds_of
from tests.brokers.streams_predictions.real import RealApplication, make_sources

_KINDS = {"classic": "high-availability", "streams": "streams-group-sticky"}
_kinds = pytest.mark.parametrize("kind", _KINDS)


class Seen(NamedTuple):
    """An application of three instances, after one of them was killed, the group that it then is,
    and whether that can move.
    """

    before: LiveApplication
    after: LiveApplication
    group: LiveGroup
    ready: Ready


@pytest.fixture(scope="module")
def seen(broker):
    """By kind; both run at the same time, to wait once."""
    connection = connected(broker, "applications")
    make_sources(connection, 600)
    with Applications(broker.bootstrap()) as instances:
        made = {
            "classic": RealApplication(
                connection, instances, "counts-classic", 600, num_standby_replicas="1"
            ),
            "streams": RealApplication(
                connection, instances, "counts-streams", 600, group_protocol="streams"
            ),
        }
        for kind, application in made.items():
            application.start(f"{kind}-a", threads=2)
            application.start(f"{kind}-b")
        # All is counted before the last one joins: the end offsets of that moment are those of now.
        for kind, application in made.items():
            application.restored()
            application.start(f"{kind}-c")
        before = {kind: application.at_rest().live for kind, application in made.items()}
        for kind, application in made.items():
            application.end(
                f"{kind}-b", Applications.stop if kind == "classic" else Applications.leave
            )
        after = {kind: application.at_rest().live for kind, application in made.items()}
        groups = live_groups(
            connection,
            [one for one in connection.raw.listed() if one.group_id.startswith("counts-")],
        )
        names = [f"counts-{kind}" for kind in _KINDS]
        ready = answered_live(live_readiness(connection, names), {}, {})
        yield {
            kind: Seen(before[kind], after[kind], *one)
            for kind, *one in zip(_KINDS, groups, ready, strict=True)
        }
    connection.close()


def test_a_classic_application_cannot_become_a_consumer_group_and_a_streams_group_is_none(seen):
    judged = {kind: one.ready.judged for kind, one in seen.items()}

    assert {kind: (one.verdict.value, one.broker, one.refusal) for kind, one in judged.items()} == {
        "classic": ("blocked", "refuses", "user-data"),
        "streams": ("other", None, None),
    }


@_kinds
def test_the_document_has_every_task_with_its_partitions_and_whether_it_keeps_state(seen, kind):
    tasks = seen[kind].before.document.tasks

    assert {task.task_id: (task.stateful, task.input_partitions) for task in tasks} == {
        **{f"0_{number}": (True, {"counted": [number]}) for number in range(6)},
        **{
            f"1_{number}": (True, {f"counts-{kind}-again-repartition": [number]})
            for number in range(6)
        },
        **{f"2_{number}": (False, {"copied": [number]}) for number in range(4)},
    }


@_kinds
def test_the_end_offsets_are_those_of_the_stores_that_count_600_records(seen, kind):
    tasks = seen[kind].after.document.tasks

    # At least: a record that is processed again after a rebalance is counted again.
    assert all(
        sum(task.end_offset_sum for task in tasks if task.task_id.startswith(store)) >= 600
        for store in ("0_", "1_")
    )
    assert {task.end_offset_sum for task in tasks if not task.stateful} == {None}


@_kinds
def test_processes_have_their_threads_client_ids_and_standbys(seen, kind):
    document = seen[kind].before.document

    assert sorted((one.client_id, len(one.consumers), one.host) for one in document.processes) == [
        (f"{kind}-a", 2, "/127.0.0.1"),
        (f"{kind}-b", 1, "/127.0.0.1"),
        (f"{kind}-c", 1, "/127.0.0.1"),
    ]
    assert document.settings == {"num.standby.replicas": 1 if kind == "classic" else 0}


@_kinds
def test_the_batch_of_a_live_application_gives_its_document_back_beside_its_offsets(seen, kind):
    group = seen[kind].group

    parsed = parsed_groups("production", [(1, group)])

    tables = ApplicationTables(parsed.tasks, parsed.consumers, parsed.members, parsed.offsets)
    assert application_from_tables(tables, f"counts-{kind}") == group.application.document
    assert (parsed.members.num_rows, parsed.offsets.num_rows, parsed.line_count) == (
        1 + len(group.document.members),
        16,
        1,
    )
    assert (
        decode_application(msgspec.json.encode(group.application.document))
        == group.application.document
    )


@_kinds
def test_snapshot_writes_the_streams_document_with_the_settings_that_agree(
    broker, seen, kind, tmp_path, monkeypatch, capsys
):
    (tmp_path / "evenkeel.toml").write_text(
        f'[clusters.local]\n"bootstrap.servers" = "{broker.bootstrap()}"\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))

    assert main(["snapshot", "--cluster", "local", "--group", f"counts-{kind}"]) == 0

    written = decode_application(capsys.readouterr().out)
    assert (written.type, written.settings, len(written.tasks)) == (
        kind,
        seen[kind].after.document.settings,
        16,
    )


@pytest.mark.parametrize("moment", ["before", "after"])
def test_kafka_agrees_with_the_replay_of_what_the_threads_sent(seen, moment):
    replayed = replay_application(getattr(seen["classic"], moment))

    assert replayed.agrees, (replayed, getattr(seen["classic"], moment))


def test_a_group_that_the_broker_assigns_has_no_replay(seen):
    assert replay_application(seen["streams"].before) is None


@_kinds
def test_a_killed_instance_leaves_what_was_predicted(seen, kind):
    edited = dies(seen[kind].before.document, f"{kind}-b")

    rounds = rounds_of(edited, _KINDS[kind], {})

    assert rounds.is_balanced
    assert by_thread(roles_by_round(edited, rounds)[-1]) == by_thread(
        roles_of(seen[kind].after.document)
    ), seen[kind]


def by_thread(roles: dict[str, Roles]) -> dict[str, tuple[list[str], list[str]]]:
    return {
        member: (sorted(one.active), sorted(one.standby)) for member, one in sorted(roles.items())
    }
