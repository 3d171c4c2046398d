"""Drafts of What-if beside the lake."""

import msgspec

from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.data.configuration import configuration
from evenkeel.data.lake import drafts
from evenkeel.data.scenarios.scenario.draft import MOST_BYTES, Draft, draft_of, text_of


def saved(draft: Draft) -> str | None:
    """Store a draft, once, and return its id; None where it is too large to be kept.

    Raises
    ------
    SnapshotError
        When the lake cannot be written.
    """
    if len(msgspec.json.encode(draft)) > MOST_BYTES:
        return None
    text = text_of(draft)
    return ALL.get((saved, text), lambda: drafts.save(configuration().lake, text))


def draft(draft_id: str) -> Draft:
    """Return a stored draft.

    Raises
    ------
    SnapshotError
        Where there is none, or no longer.
    """
    return draft_of(drafts.read(configuration().lake, draft_id))
