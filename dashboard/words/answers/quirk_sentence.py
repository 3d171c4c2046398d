"""A quirk's sentence with the names that the page shows, members in the page's order."""

import numpy as np

from assignors.errors import AssignorError
from assignors.explain.quirk import Quirk
from dashboard.view import View
from data.words import quirks


def sentence(view: View, assignor: str, quirk: Quirk, error: AssignorError | None = None) -> str:
    """Return what strikes, whom, and its number; `error`: what stands in the place of the answer."""
    members = [view.names[member] for member in view.order[np.isin(view.order, quirk.member)]]
    topics = [view.comparison.group.topic_name[topic] for topic in np.unique(quirk.topic)]
    return quirks.sentence(assignor, quirk.name, members, topics, error)
