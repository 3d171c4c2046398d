"""Freezing: what an author hands over becomes what is stored."""

from evenkeel.data.shares.payload import Payload, checked
from evenkeel.data.shares.redaction import check_author_texts, redacted
from evenkeel.data.shares.share import Frozen


def frozen_payload(frozen: Frozen) -> Payload:
    """Return what is stored of a scenario and its result: with stand-ins for the names that the author hides.

    Raises
    ------
    SnapshotError
        For another format than this Evenkeel writes, and for a title, note or author that holds a name to redact.
    """
    payload = checked(frozen.scenario, frozen.result)
    if not frozen.redact:
        return payload
    texts = {field: getattr(frozen, field) for field in ("title", "note", "author")}
    check_author_texts(texts, *payload, frozen.redact)
    return redacted(*payload, frozen.redact)
