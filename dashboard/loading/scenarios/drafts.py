"""Drafts of scenarios beside the lake."""

import msgspec

from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.data.configuration import configuration
from evenkeel.data.lake import drafts
from evenkeel.data.scenarios.scenario.draft import MOST_BYTES, Draft


def saved(draft: Draft, text: str) -> str | None:
    """Store a draft as its text, once, and return its id; None where it is too large to be kept.

    Raises
    ------
    SnapshotError
        When the lake cannot be written.
    """
    if len(msgspec.json.encode(draft)) > MOST_BYTES:
        return None
    return ALL.get((saved, text), lambda: drafts.save(configuration().lake, text))


def text(draft_id: str) -> str:
    """Return the text of a stored draft.

    Raises
    ------
    SnapshotError
        Where there is none, or no longer.
    """
    return drafts.read(configuration().lake, draft_id)
