"""Evidence of stored slots."""

import pyarrow.parquet as pq

from evenkeel.data.episodes.stored import Stored
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.place import place_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble


def test_slots_of_an_older_release_have_no_last_stable_offsets_and_are_read(tmp_path):
    place = place_of(tmp_path / "lake")
    write_lake(place, plan_with_trouble(groups=3, partitions=4, members=2, days=0.05))
    for file in place.folder.glob("OFFSETS/*/*.parquet"):
        rows = pq.read_table(file).drop_columns("stable_offset")
        pq.write_table(rows, file)

    stored = Stored(place, CLUSTER, instants(place, CLUSTER))
    evidence = dict(stored.evidence_of(()))

    assert sorted(evidence) == stored.groups
    assert all((each.stable_end == -1).all() for each in evidence.values())
    assert all((each.series.end_offset >= 0).all() for each in evidence.values())
