"""Rooms: what one process of a parallel run does alone, because its tests share a broker, a
browser, a Spark or a JVM; else a file is a room.
"""

from xdist.scheduler import LoadScopeScheduling

_DEAR = (
    (
        "tests/data/live/",
        "tests/data/pipeline/collect/test_data_source.py",
        "tests/data/pipeline/collect/test_slots.py",
        "tests/dashboard/app_pages/test_groups.py",
        "tests/dashboard/app_pages/test_lag_in_use.py",
        "tests/deploy/test_groups.py",
        "tests/dashboard/app_pages/test_on_the_way.py",
        "tests/dashboard/app_pages/test_readiness.py",
        "tests/test_distribution.py",
    ),
    (
        "tests/dashboard/browser/test_charts.py",
        "tests/dashboard/browser/test_keyboard.py",
        "tests/dashboard/browser/test_look.py",
    ),
    ("tests/dashboard/browser/",),
    ("tests/data/commands/test_ingest.py",),
    ("tests/data/pipeline/collect/test_collect.py",),
    (
        "tests/data/tables/transforms/",
        "tests/data/pipeline/collect/test_lake_away.py",
        "tests/data/pipeline/collect/test_unread.py",
        "tests/data/pipeline/ingest/",
        "tests/data/pipeline/spark/",
        "tests/data/pipeline/test_uploads.py",
        "tests/data/pipeline/test_history.py",
        "tests/data/pipeline/test_data_sources.py",
    ),
    ("tests/judge/",),
)
"""Beginnings of paths, the room that takes longest first: it is begun first, so that no process
ends with it alone.
"""


def turn(nodeid: str) -> int:
    """Return when a test's room is begun; rooms that are files come last, in their own order."""
    return next(
        (place for place, beginnings in enumerate(_DEAR) if nodeid.startswith(beginnings)),
        len(_DEAR),
    )


class Rooms(LoadScopeScheduling):
    """Hands out rooms."""

    def _split_scope(self, nodeid: str) -> str:
        place = turn(nodeid)
        return str(place) if place < len(_DEAR) else nodeid.partition("::")[0]
