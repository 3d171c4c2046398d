"""The group or application of a scenario becomes a batch of its own, as an upload does, so that every page can open it."""

import hashlib
import secrets

import msgspec

from data import clock
from data.document import Application, Document
from data.lake import one_process
from data.lake.import_folder import private_place
from data.lake.manifest import Manifest, SourceFile
from data.lake.place import Place
from data.sources.reading import read


def stored(group: Document | Application, name: str, lake: Place) -> str:
    """Store what a scenario starts from as a batch of one file, without Spark, and return the batch's random id.

    Raises
    ------
    SnapshotError
        When the lake cannot be written.
    """
    text = msgspec.json.encode(group)
    parsed = read([(name, text)])
    batch = secrets.token_urlsafe(16)
    source = SourceFile(name, hashlib.sha256(text).hexdigest(), len(text))
    one = Manifest(batch=batch, ingested_at=clock.now(), taken_at=group.taken_at, formats=(group.format,), sources=(source,))
    with private_place(lake, batch) as home:
        one_process.store(parsed, one, home)
    return batch
