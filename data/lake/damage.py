"""Damage: why a Parquet file of a lake cannot be read, as one sentence that names the file and tells a broken file from a broken service.

    with named_damage(lake, ["OFFSETS/b-1/0.parquet"], "batch b-1"):
        rows = dataset.to_table()
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pyarrow as pa
import pyarrow.parquet as pq

from evenkeel.data.errors import DamageError, PlaceError
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.objects.service import obstore
from evenkeel.data.lake.objects.service_errors import in_words
from evenkeel.data.lake.place import Place

_PASSED = "it could not be read a moment ago and can be read now; try again"


@contextmanager
def named_damage(home: Place, files: Sequence[str], one: Manifest | None = None) -> Iterator[None]:
    """Name the first of some files of a batch that cannot be read; `one`: the batch, whose kind tells what to do.

    Raises
    ------
    DamageError
        For a file that is missing, cut off or no Parquet.
    PlaceError
        Where the folder or the service refuses, or refused a moment ago: nothing is wrong with the file then.
    """
    try:
        yield
    except (pa.ArrowException, OSError, obstore().exceptions.BaseError) as error:
        for file in files:
            if damage := _damage(home, file):
                raise DamageError(f"{home / file}: {damage}, expected {_expected(one)}") from error
        # Arrow's own errors of whole files are about their columns; the others are of a service that answers again.
        if isinstance(error, pa.ArrowException):
            raise DamageError(f"{home / files[0]}: {in_words(error)}, expected {_expected(one)}") from error
        raise PlaceError(str(home / files[0]) if files else str(home), _PASSED) from error


def _damage(home: Place, file: str) -> str | None:
    """Return what is wrong with a file, None where it can be read; a service that refuses is no damage, and raises PlaceError."""
    try:
        pq.ParquetFile(pa.BufferReader(home.read(file))).read()
    except FileNotFoundError:
        return "no such file"
    except (OSError, pa.ArrowException):
        return "the file is cut off or damaged"
    return None


def _expected(one: Manifest | None) -> str:
    """Return what should be there, and what to do where it is not."""
    if one is None:
        return "a Parquet file"
    again = f"the other snapshots of cluster {one.cluster} can be read" if one.cluster else "ingest its files again"
    return f"a Parquet file of batch {one.batch}; {again}"
