"""Whether a lake can be written: what is asked of it, and that nothing of the question stays."""

import os
import resource
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from evenkeel.data.errors import PlaceError
from evenkeel.data.lake import probe
from evenkeel.data.lake.place import place_of

KILLED = """if True:
    import os, signal, sys
    from evenkeel.data.lake import probe
    from evenkeel.data.lake.place import Place, place_of

    Place.delete_all = lambda self: os.kill(os.getpid(), signal.SIGKILL)
    probe.check(place_of(sys.argv[1]))
"""


@pytest.fixture
def lake(tmp_path):
    return place_of(tmp_path / "lake")


def files(lake):
    return [path for path in lake.folder.rglob("*") if path.is_file()]


def test_many_checks_at_once_are_all_ok_and_leave_nothing(lake):
    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(probe.check, [lake] * 64))

    assert answers == [None] * 64
    assert list((lake.folder / "probes").iterdir()) == []


def test_a_check_of_object_storage_leaves_nothing_and_a_bucket_that_is_gone_is_named(bucket):
    probe.check(bucket / "lake")

    assert bucket.found() == []
    nowhere = place_of("s3://no-such-bucket/lake", dict(bucket.settings))
    with pytest.raises(
        PlaceError,
        match=r"^lake s3://no-such-bucket/lake: the service answers 404 Not Found: NoSuchBucket",
    ):
        probe.check(nowhere)


def test_what_a_killed_check_left_is_deleted_by_a_later_one_and_not_before_a_minute(lake):
    killed = subprocess.run([sys.executable, "-c", KILLED, str(lake)], check=False)
    (left,) = files(lake)

    probe.check(lake)
    young = files(lake)
    os.utime(left, (0, 0))
    probe.check(lake)

    assert (killed.returncode, young, files(lake)) == (-signal.SIGKILL, [left], [])


def test_a_file_system_that_takes_no_more_bytes_is_named(lake):
    probe.check(lake)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    try:
        with pytest.raises(PlaceError, match=f"^lake {lake}: File too large$"):
            probe.check(lake)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    probe.check(lake)
    assert files(lake) == []


def test_a_lake_that_was_deleted_is_not_made_again(lake):
    probe.check(lake)
    shutil.rmtree(lake.folder)

    for _ in range(2):
        with pytest.raises(
            PlaceError, match=f"^lake {lake}: the folder was deleted while this process ran$"
        ):
            probe.check(lake)
    lake.folder.mkdir()
    probe.check(lake)


def test_a_lake_that_was_there_at_the_start_and_is_not_at_the_first_check_was_deleted(lake):
    lake.folder.mkdir()
    probe.note(lake)
    lake.folder.rmdir()

    with pytest.raises(PlaceError, match="the folder was deleted while this process ran$"):
        probe.check(lake)


def test_a_lake_in_the_place_of_a_file_is_named(tmp_path):
    (tmp_path / "lake").write_text("")

    with pytest.raises(PlaceError, match=f"^lake {tmp_path}/lake: "):
        probe.check(place_of(tmp_path / "lake"))
