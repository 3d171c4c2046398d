"""A live cluster as a Spark data source, batch and streaming, on a real broker."""

import time

import pytest
from confluent_kafka.admin import AdminClient

from evenkeel.data.pipeline.data_sources import register
from tests.brokers.commits import commit
from tests.brokers.topics import create_topic

_GROUPS = {"billing": 3, "shipping": 8}


@pytest.fixture
def cluster(spark, broker, tmp_path):
    """Options that name a cluster with the topic `parcels` (2 empty partitions) and two groups
    without members, committed at 3 and 8.
    """
    path = tmp_path / "evenkeel.toml"
    path.write_text(f'[clusters.local]\n"bootstrap.servers" = "{broker.bootstrap()}"\n')
    admin = AdminClient({"bootstrap.servers": broker.bootstrap()})
    create_topic(admin, "parcels", 2)
    for group_id, offset in _GROUPS.items():
        commit(admin, group_id, {("parcels", 0): offset})
    register(spark)
    yield {"cluster": "local", "groups": "\n".join(_GROUPS), "configuration": str(path)}
    for done in (
        *admin.delete_consumer_groups(list(_GROUPS)).values(),
        *admin.delete_topics(["parcels"]).values(),
    ):
        done.result()


def test_a_batch_gives_the_table_that_is_asked_for(spark, cluster):
    offsets = spark.read.format("evenkeel-cluster").options(**cluster, table="OFFSETS").load()

    rows = offsets.select(
        "cluster", "group_id", "topic", "partition", "committed_offset", "end_offset"
    ).collect()

    assert sorted(tuple(row) for row in rows if row.partition == 0) == [
        ("local", group_id, "parcels", 0, offset, 0) for group_id, offset in _GROUPS.items()
    ]


def test_an_unknown_table_is_refused_by_name(spark, cluster):
    with pytest.raises(Exception, match="option table is 'NOTHING', expected one of OFFSETS"):
        spark.read.format("evenkeel-cluster").options(**cluster, table="NOTHING").load()


def test_a_stream_gives_each_group_once_in_a_slot(spark, cluster, tmp_path):
    found = []
    frame = spark.readStream.format("evenkeel-cluster").options(**cluster, every="2").load()
    query = (
        frame.writeStream.foreachBatch(lambda rows, _: found.extend(rows.collect()))
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .start()
    )
    while len({row.slot for row in found if row.line}) < 2:
        assert query.isActive, query.exception()
        time.sleep(0.2)
    query.stop()

    seen = [(row.slot, row.group_id) for row in found if row.line]
    assert len(seen) == len(set(seen))
    assert {group_id for _, group_id in seen} == set(_GROUPS)
