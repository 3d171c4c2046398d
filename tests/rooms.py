"""Rooms: what one process of a parallel run does alone, because its tests share a broker, a browser, a Spark or a JVM; else a file is a room."""

from xdist.scheduler import LoadScopeScheduling

_DEAR = (
    ("tests/data/live/", "tests/data/clusters/", "tests/data/sources/test_cluster.py", "tests/dashboard/app_pages/test_groups.py", "tests/dashboard/app_pages/test_on_the_way.py"),
    ("tests/dashboard/browser/",),
    ("tests/data/commands/test_ingest.py",),
    ("tests/data/test_collecting.py",),
    ("tests/data/transforms/", "tests/data/test_pipeline.py", "tests/data/test_uploads.py", "tests/data/sources/test_spark_source.py"),
    ("tests/judge/",),
)
"""Beginnings of paths, the room that takes longest first: it is begun first, so that no process ends with it alone."""


def turn(nodeid: str) -> int:
    """Return when a test's room is begun; rooms that are files come last, in their own order."""
    return next((place for place, beginnings in enumerate(_DEAR) if nodeid.startswith(beginnings)), len(_DEAR))


class Rooms(LoadScopeScheduling):
    """Hands out rooms."""

    def _split_scope(self, nodeid: str) -> str:
        place = turn(nodeid)
        return str(place) if place < len(_DEAR) else nodeid.partition("::")[0]
