"""Drafts of What-if that are too long for an address: each under a random id, never changed, deleted after a day."""

import re
import secrets
from datetime import datetime, timedelta

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.import_folder import changed_at, make_private
from evenkeel.data.lake.place import Place

KEPT = timedelta(days=1)

_FOLDER, _FILE = "drafts", "draft"
_ID = re.compile(r"[A-Za-z0-9_-]{22}")


def save(lake: Place, text: str) -> str:
    """Store a draft and return its random id.

    Raises
    ------
    SnapshotError
        When the lake cannot be written.
    """
    draft_id = secrets.token_urlsafe(16)
    home = lake / _FOLDER / draft_id
    make_private(home, lake)
    home.write(_FILE, text.encode(), lasts=False)
    return draft_id


def read(lake: Place, draft_id: str) -> str:
    """Return a draft.

    Raises
    ------
    SnapshotError
        Where there is none of this id, or no longer.
    """
    try:
        if not _ID.fullmatch(draft_id):
            raise FileNotFoundError(draft_id)
        return (lake / _FOLDER / draft_id).read(_FILE).decode()
    except (FileNotFoundError, UnicodeDecodeError):
        raise SnapshotError("No draft is kept under this address: drafts are deleted after a day.") from None


def delete_expired(lake: Place, now: datetime) -> int:
    """Delete the drafts that are a day old at `now`; return how many there were."""
    expired = [home for name in lake.names(_FOLDER) if now - changed_at(home := lake / _FOLDER / name) >= KEPT]
    for home in expired:
        home.delete_all()
    return len(expired)
