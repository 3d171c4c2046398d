"""A lake with another place below it."""

import gc
import pickle
from tempfile import TemporaryDirectory

from evenkeel.data.lake.layers import layered
from evenkeel.data.lake.place import place_of


def test_a_copy_in_another_process_does_not_delete_the_folder_below(tmp_path):
    lake = layered(place_of(tmp_path / "lake"), TemporaryDirectory(dir=tmp_path))
    lake.below.write("a/b", b"1")

    copy = pickle.loads(pickle.dumps(lake))
    assert (copy, copy.read("a/b")) == (lake, b"1")
    del copy
    gc.collect()

    assert lake.read("a/b") == b"1"
