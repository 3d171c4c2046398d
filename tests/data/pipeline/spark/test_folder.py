"""The folder of Spark's files: private, and gone with its process."""

import os
import subprocess
import sys

import pytest

_MAKE = (
    "import sys; from evenkeel.data.pipeline.session import spark_folder; print(spark_folder(),"
    " flush=True); sys.stdin.read()"
)


@pytest.fixture
def process(tmp_path):
    """Return a maker of processes that have a folder and wait: the process and its folder."""
    made = []

    def start():
        environment = os.environ | {"TMPDIR": str(tmp_path)}
        made.append(
            subprocess.Popen(
                [sys.executable, "-c", _MAKE],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        return made[-1], tmp_path / made[-1].stdout.readline().strip()

    yield start
    for one in made:
        one.communicate()


def test_a_killed_process_leaves_its_folder_to_the_next_one_which_deletes_no_other(process):
    killed, left = process()
    _, living = process()
    killed.kill()
    killed.wait()
    (left / "blocks").mkdir()
    before = left.is_dir()

    _, mine = process()

    assert (before, left.exists(), living.is_dir(), mine.is_dir()) == (True, False, True, True)
    assert oct(living.stat().st_mode & 0o777) == "0o700"


def test_a_process_that_ends_deletes_its_folder(process):
    one, folder = process()

    one.communicate()

    assert not folder.exists()


@pytest.mark.skipif(os.getuid() != 0, reason="makes a folder of another user")
@pytest.mark.timeout(30)
def test_a_folder_of_another_user_is_not_looked_into(process, tmp_path):
    other = tmp_path / "evenkeel-spark-other"
    other.mkdir()
    os.mkfifo(other / "lock")
    os.chown(other, 1, 1)

    _, mine = process()

    assert other.is_dir()
    assert mine.is_dir()
