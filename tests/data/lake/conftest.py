"""A place of each kind: a folder, and a bucket of the tests' S3 service."""

import pytest

from data.lake.place import place_of


@pytest.fixture(params=["folder", "s3"])
def place(request, tmp_path):
    """An empty place, once a folder that is not there yet, once a bucket."""
    return place_of(tmp_path / "lake") if request.param == "folder" else request.getfixturevalue("bucket")
