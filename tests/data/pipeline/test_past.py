"""The past of a cluster in a store is copied in tasks of Spark."""

from datetime import timedelta

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.past import copy_past
from evenkeel.data.prometheus.copy import CopyCounts, Range
from tests.generated.scraped import GAP, MINUTES, scraped
from tests.generated.written_slots import DAY
from tests.services.stores import answers_of, serving

END = DAY + timedelta(hours=6, minutes=30)


def test_hours_are_copied_in_tasks_and_a_range_without_offsets_is_named(
    spark, tmp_path, monkeypatch
):
    lake, slots = place_of(tmp_path / "lake"), MINUTES - len(GAP)
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    with serving(answers_of(scraped(END))) as served:
        (tmp_path / "evenkeel.toml").write_text(
            '[clusters.c]\n"bootstrap.servers" = "b:9092"\n'
            f'[clusters.c.history]\nprometheus = "{served.url}"\n'
        )
        over = Range(END - timedelta(minutes=MINUTES), END + timedelta(seconds=1))
        assert copy_past(spark, lake, "c", over) == CopyCounts(slots=slots, rows=2 * slots, gaps=1)

        with pytest.raises(SnapshotError, match="no offset of a group of c from 2026-11-09T00:00"):
            copy_past(spark, lake, "c", Range(DAY - timedelta(days=1), DAY - timedelta(hours=23)))
