"""The group or application of a scenario becomes a batch of its own, as an upload does, so that every page can open it."""

import hashlib
import secrets

import msgspec

from evenkeel.data import clock
from evenkeel.data.document import Application, Document
from evenkeel.data.lake import one_process
from evenkeel.data.lake.import_folder import private_place
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import Place
from evenkeel.data.sources.reading import read


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
