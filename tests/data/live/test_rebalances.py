"""Rebalances of a real broker: every scripted cause is told, none is invented, from its log, from
`__consumer_offsets` and from both.
"""

import json

import pytest
from confluent_kafka.admin import AdminClient, NewPartitions

from evenkeel.dashboard.rebalances.loading.logs import read_topic
from evenkeel.dashboard.shell import apart
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.data.commands.main import main
from evenkeel.data.lake.place import place_of
from evenkeel.data.live.offsets_topic import partition_of
from evenkeel.data.own_process import LimitError
from evenkeel.data.rebalances.by_cause import by_cause
from evenkeel.data.rebalances.checked import checked
from evenkeel.data.rebalances.history import History, HistoryRequest, read_history
from evenkeel.data.rebalances.live import read_cluster
from evenkeel.data.rebalances.store import stored_logs
from tests.brokers.java_consumers import JavaConsumers
from tests.brokers.topics import create_topic
from tests.waiting import until

_TOPIC, _CLASSIC, _MODERN = "rebalanced", "rebalanced-classic", "rebalanced-modern"
_SLOW, _UPGRADED = "rebalanced-slow", "rebalanced-upgraded"
_QUICK = {
    "session_timeout_ms": "6000",
    "heartbeat_interval_ms": "300",
    "metadata_max_age_ms": "300",
}
_MODERN_SETTINGS = {"group_protocol": "consumer", "metadata_max_age_ms": "300"}


@pytest.fixture(scope="module")
def scripted(broker):
    """A classic and a KIP-848 group to which things have happened; the classic one's members died,
    left, and one is static.
    """
    admin = AdminClient({"bootstrap.servers": broker.bootstrap(), "log_level": 0})
    create_topic(admin, _TOPIC, 4)
    with JavaConsumers(broker.bootstrap()) as consumers:
        for group, settings in ((_CLASSIC, _QUICK), (_MODERN, _MODERN_SETTINGS)):
            name = f"re-{group[-3:]}"
            for number, member in enumerate("abc"):
                static = {"group_instance_id": f"{name}-slot"} if member == "a" else {}
                consumers.start(f"{name}-{member}", _TOPIC, group_id=group, **settings, **static)
                until(
                    lambda name=name, number=number, member=member: (
                        consumers.generation(f"{name}-{member}") >= number + 1
                    )
                )
            was = consumers.generation(f"{name}-c")
            # A static member that is back within its session is no rebalance.
            consumers.stop(f"{name}-a")
            consumers.start(
                f"{name}-a", _TOPIC, group_id=group, **settings, group_instance_id=f"{name}-slot"
            )
            until(lambda name=name: consumers.generation(f"{name}-a") >= 1)
            assert consumers.generation(f"{name}-c") == was
            consumers.stop(f"{name}-c")
            until(lambda name=name, was=was: consumers.generation(f"{name}-b") >= was + 1)
        admin.create_partitions([NewPartitions(_TOPIC, 5)])[_TOPIC].result()
        for group in (_CLASSIC, _MODERN):
            name = f"re-{group[-3:]}"
            until(lambda name=name: consumers.generation(f"{name}-b") >= 5)
        consumers.die("re-sic-b")
        _work_for_too_long(consumers)
        _upgrade(consumers)
        until(lambda: consumers.generation("re-sic-a") >= 6)
        yield broker


def _work_for_too_long(consumers):
    """One of two members works on a batch for longer than its poll interval, then polls again."""
    settings = {"group_id": _SLOW, "max_poll_interval_ms": "3000", **_QUICK}
    for number, name in enumerate(("slow-a", "slow-b"), 1):
        consumers.start(name, _TOPIC, **settings)
        until(lambda name=name, number=number: consumers.generation(name) >= number)
    until(lambda: consumers.generation("slow-a") == consumers.generation("slow-b"))
    consumers.stall("slow-b")
    until(lambda: consumers.generation("slow-a") >= 3)
    consumers.go_on("slow-b")
    until(lambda: consumers.generation("slow-b") >= 4)


def _upgrade(consumers):
    """A member of the consumer protocol joins a classic group."""
    consumers.start("up-a", _TOPIC, group_id=_UPGRADED, **_QUICK)
    until(lambda: consumers.generation("up-a") >= 1)
    consumers.start("up-b", _TOPIC, group_id=_UPGRADED, **_MODERN_SETTINGS)
    until(lambda: consumers.generation("up-b") >= 2)


@pytest.fixture
def cluster(scripted, tmp_path, monkeypatch):
    (tmp_path / "evenkeel.toml").write_text(
        f'[clusters.local]\n"bootstrap.servers" = "{scripted.bootstrap()}"\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    return scripted


def output(broker):
    return broker.nodes[0].folder / "output.log"


def told(found: History, group: str) -> list[tuple]:
    """Cause, client or instance, members of each rebalance of a group."""
    return [
        (one.cause, one.triggers[0].member and one.triggers[0].member.name, one.members)
        for one in found.events
        if one.group == group
    ]


def test_a_real_log_tells_every_scripted_cause_of_a_classic_group_and_no_other(scripted):
    found = read_history(HistoryRequest(_CLASSIC), [output(scripted)])

    assert told(found, _CLASSIC) == [
        ("member_joined", "re-sic-slot", 1),
        ("member_joined", "re-sic-b", 2),
        ("member_joined", "re-sic-c", 3),
        ("member_left", "re-sic-c", 2),
        ("metadata_changed", "re-sic-slot", 2),
        ("session_timeout", "re-sic-b", 1),
    ]
    assert all(one.alternatives == () for one in found.events)
    assert all(one.duration_ms is not None and one.completed for one in found.events)


def test_a_real_log_tells_every_scripted_cause_of_a_kip_848_group_and_no_other(scripted):
    found = read_history(HistoryRequest(_MODERN), [output(scripted)])

    assert [(one.cause, one.members) for one in found.events] == [
        ("member_joined", 1),
        ("member_joined", 2),
        ("member_joined", 3),
        ("member_left", 2),
        ("metadata_changed", 2),
    ]


def test_a_real_log_tells_a_poll_timeout_and_the_topic_permits_it(cluster):
    logged, stored = (
        read_history(HistoryRequest(_SLOW), [output(cluster)]),
        read_cluster("local", HistoryRequest(_SLOW)),
    )

    assert told(logged, _SLOW) == [
        ("member_joined", "slow-a", 1),
        ("member_joined", "slow-b", 2),
        ("poll_timeout", "slow-b", 1),
        ("member_joined", "slow-b", 2),
    ]
    assert logged.events[2].alternatives == ()
    assert "poll_timeout" in (stored.events[2].cause, *stored.events[2].alternatives)
    # The log says no timeout, the records do: silent for 3 s and what it was late.
    (saved,) = [
        row.saves
        for row in by_cause(read_cluster("local", HistoryRequest(_SLOW), [output(cluster)]).events)
        if row.saves
    ]
    assert (saved.name, saved.value, saved.is_assumed) == ("max.poll.interval.ms", 60_000, False)


def test_a_real_conversion_to_the_consumer_protocol_is_told_by_the_log_and_by_the_topic(cluster):
    for found in (
        read_history(HistoryRequest(_UPGRADED), [output(cluster)]),
        read_cluster("local", HistoryRequest(_UPGRADED)),
    ):
        first, converted = found.events[:2]

        assert (first.cause, first.protocol) == ("member_joined", "classic")
        assert (converted.cause, converted.conversion, converted.protocol) == (
            "protocol_converted",
            "classic_to_consumer",
            "consumer",
        )
        assert converted.alternatives == ()


def test_the_topic_itself_tells_the_same_with_moves_by_the_names_of_topics(cluster):
    found = read_cluster("local", HistoryRequest(_MODERN))

    assert [one.cause for one in found.events] == [
        "member_joined",
        "member_joined",
        "member_joined",
        "member_left",
        "metadata_changed",
    ]
    assert [trigger.member.client_id for one in found.events[:4] for trigger in one.triggers] == [
        "re-ern-a",
        "re-ern-b",
        "re-ern-c",
        "re-ern-c",
    ]
    assert found.events[0].moved == [
        (f"{_TOPIC}-{number}", None, "re-ern-a") for number in range(4)
    ]
    assert all(one.stable is not None for one in found.events)
    assert found.events[-1].moved[0][0] == f"{_TOPIC}-4"


def test_log_and_topic_together_are_one_rebalance_each_and_kafka_agrees_with_every_generation(
    cluster,
):
    found = read_cluster(
        "local", HistoryRequest(_CLASSIC), [output(cluster)], keeps_generations=True
    )

    assert [(one.source, one.start is not None, one.moved is not None) for one in found.events] == [
        ("both", True, True)
    ] * 6
    assert [one.agrees for one in checked(found.generations)] == [True] * 6


def test_the_command_reads_one_partition_of_the_topic_and_joins_no_group(cluster, capsys):
    admin = AdminClient({"bootstrap.servers": cluster.bootstrap(), "log_level": 0})
    before = {one.group_id for one in admin.list_consumer_groups().result().valid}

    assert main(["rebalances", "--cluster", "local", "--group", _CLASSIC, "--json"]) == 0

    *found, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert [one["generation"] for one in found] == [1, 2, 3, 4, 5, 6]
    assert {
        one.partition(":")[0].split("@")[0] for event in found for one in event["evidence"]
    } == {f"__consumer_offsets-{partition_of(_CLASSIC, 4)}"}
    assert summary["complete_since"][_CLASSIC] == found[0]["joined"]
    assert {one.group_id for one in admin.list_consumer_groups().result().valid} == before


def test_the_partition_of_a_group_is_that_of_javas_hash():
    # "polygenelubricants".hashCode() is the minimum of an int, whose absolute value Kafka takes as
    # 0.
    assert [partition_of(name, 50) for name in ("", "a", "pay", "polygenelubricants")] == [
        0,
        47,
        10,
        0,
    ]


@pytest.fixture
def lake(cluster, tmp_path, monkeypatch):
    """An empty lake beside the cluster; nothing is kept of before."""
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
    ALL.clear()
    yield place_of(tmp_path / "lake")
    ALL.clear()


def test_a_page_reads_the_topic_in_a_process_of_its_own_once_a_minute(lake):
    log = read_topic("local")

    told_to_page = stored_logs(lake, log)
    assert [one.cause for one in told_to_page.events if one.group == _MODERN][3:] == [
        "member_left",
        "metadata_changed",
    ]
    assert (told_to_page.about.cluster, told_to_page.about.files) == (
        "local",
        ("__consumer_offsets",),
    )
    assert read_topic("local") == log


def test_a_page_that_reads_the_topic_too_long_names_limit_and_command_and_stores_nothing(
    lake, cluster, tmp_path
):
    with (tmp_path / "evenkeel.toml").open("a") as file:
        file.write('[limits]\ntime = "0.1s"\n')

    with pytest.raises(
        LimitError,
        match=(
            r"reading __consumer_offsets takes longer than .* evenkeel rebalances --cluster local"
            r" --group"
        ),
    ):
        read_topic("local")

    assert lake.found() == []


def test_the_process_that_reads_the_topic_ends_when_its_page_is_gone(lake, monkeypatch):
    class GoneError(Exception):
        """What Streamlit raises in a page whose session is closed."""

    begun = []
    monkeypatch.setattr(
        apart,
        "OwnProcess",
        lambda *given, _made=apart.OwnProcess: begun.append(_made(*given)) or begun[-1],
    )
    monkeypatch.setattr(
        apart, "look_up", lambda: (_ for _ in ()).throw(GoneError) if begun else None
    )

    with pytest.raises(GoneError):
        read_topic("local")

    assert begun[0]._process.poll() is not None
    assert lake.found() == []
