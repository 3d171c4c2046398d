"""A place of each kind: a folder, and a bucket of the tests' S3 service."""

import pytest

from evenkeel.data.lake import service
from evenkeel.data.lake.place import place_of


@pytest.fixture(params=["folder", "s3"])
def place(request, tmp_path):
    """An empty place, once a folder that is not there yet, once a bucket."""
    return (
        place_of(tmp_path / "lake")
        if request.param == "folder"
        else request.getfixturevalue("bucket")
    )


@pytest.fixture
def sleepy(s3, monkeypatch):
    """The service, which is asked once, and a lake in it; it is awake again at the end."""
    monkeypatch.setitem(service._RETRIES, "max_retries", 0)
    yield s3, s3.bucket() / "lake"
    s3.wake_up()
