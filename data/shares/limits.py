"""What a share may be: its texts, its expiry, its size. Each refusal is one sentence."""

import unicodedata
from datetime import timedelta

from evenkeel.data.configuration.file import ShareSettings
from evenkeel.data.errors import SnapshotError
from evenkeel.data.shares.identity import is_id
from evenkeel.data.shares.share import Frozen
from evenkeel.data.words.formats import counted, listed

_MOST_CHARACTERS = {"title": 200, "author": 100, "note": 4000}
_ALLOWED = "\n\t"


def check_texts(frozen: Frozen) -> None:
    """Refuse texts that cannot be stored, and a `forked_from` that is no id.

    Raises
    ------
    SnapshotError
        Names the field.
    """
    for field, most in _MOST_CHARACTERS.items():
        _check_text(field, getattr(frozen, field), most)
    if frozen.forked_from is not None and not is_id(frozen.forked_from):
        raise SnapshotError("forked_from is no id of a share, expected 22 characters of base64url")


def check_expiry(keep: timedelta | None, settings: ShareSettings) -> None:
    """Refuse an expiry that the administrator does not offer.

    Raises
    ------
    SnapshotError
        Names those that are offered.
    """
    if keep not in settings.expiries:
        raise SnapshotError(f"the share expires {_when(keep)}, expected one of: {', '.join(map(_when, settings.expiries))}")


def check_size(byte_count: int, settings: ShareSettings) -> None:
    """Refuse a payload that is too large.

    Raises
    ------
    SnapshotError
        Names size and limit.
    """
    if byte_count > settings.size:
        raise SnapshotError(f"the share takes {byte_count / 1e6:,.1f} MB compressed, expected at most {settings.size / 1e6:,.1f} MB")


def check_count(made: int, settings: ShareSettings) -> None:
    """Refuse one share more than a browser may make in 24 hours.

    Raises
    ------
    SnapshotError
        Names the limit.
    """
    if made >= settings.per_day:
        raise SnapshotError(f"this browser has made {counted(made, 'share')} in 24 hours, expected at most {settings.per_day:,}")


def _check_text(field: str, text: str, most: int) -> None:
    if len(text) > most:
        raise SnapshotError(f"{field} has {len(text):,} characters, expected at most {most:,}")
    odd = {f"U+{ord(each):04X}" for each in text if unicodedata.category(each) in ("Cc", "Cs") and each not in _ALLOWED}
    if odd:
        raise SnapshotError(f"{field} holds {listed(sorted(odd))}, expected no control characters")


def _when(keep: timedelta | None) -> str:
    if keep is None:
        return "never"
    days, hours = keep / timedelta(days=1), keep / timedelta(hours=1)
    return f"after {days:g} day{'' if days == 1 else 's'}" if days >= 1 else f"after {hours:g} hour{'' if hours == 1 else 's'}"
