"""Why an answer is one valid outcome of several: unknown inputs decide it."""

import re
from collections.abc import Mapping, Sequence

from evenkeel.assignors.explain.facts import NO_FACTS, Facts
from evenkeel.assignors.explain.unknown_inputs import MEMBER_ORDER, MEMBER_RACKS, REPLICA_RACKS
from evenkeel.assignors.figures.comparison import Row
from evenkeel.dashboard.view import View
from evenkeel.dashboard.words.input.assumptions import in_words, topic_name
from evenkeel.data.columns import assumed_paths
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.words.formats import listed

ONE_VALID_OUTCOME = "one valid outcome"

_TOPIC = re.compile(r"topics\[([0-9]{1,9})\](?:\.partitions\[[^\]]*\])?\.(\w+)")
_OF_TOPICS = {
    "topic_id": "topic ids decide and are unknown ({}): ids made from the names replace them",
    "lag": "lag decides and is unknown ({}): 0 replaces it",
    "partitions": "the number of partitions is assumed to be the highest number in the input, plus one ({})",
}
_UNKNOWN = {
    MEMBER_ORDER: "the coordinator's order of the members decides and is not in this input",
    MEMBER_RACKS: "racks of the members are not in this input; each member counts as one without a rack",
    REPLICA_RACKS: "racks of the replicas are not in this input; each replica counts as one without a rack",
}


def reasons(view: View, facts: Mapping[str, Facts]) -> dict[str, tuple[str, ...]]:
    """Return the reasons for each answer, each once; none where known inputs decide the answer."""
    answers = [row for row in view.comparison.rows[1:] if row.assignment]
    return {row.name: _of_row(view.observed, row, facts.get(row.name, NO_FACTS)) for row in answers}


def outcome_line(why: Mapping[str, Sequence[str]]) -> str:
    """Return which answers are one valid outcome of several; empty where known inputs decide all."""
    names = [name for name, found in why.items() if found]
    if not names:
        return ""
    which = "every answer" if len(names) == len(why) and len(names) > 1 else listed(names, len(names))
    return f"One valid outcome of several: {which}. Unknown inputs decide; the caveats name them."


def _of_row(observed: ObservedGroup, row: Row, facts: Facts) -> tuple[str, ...]:
    found: dict[str, list[str]] = {}
    for path in assumed_paths(observed, row.assignment):
        place = _TOPIC.fullmatch(path)
        if place and place[2] in _OF_TOPICS:
            found.setdefault(_OF_TOPICS[place[2]], []).append(topic_name(observed, place[1]))
        else:
            found.setdefault(in_words(observed, path), [])
    said = [words.format(listed(dict.fromkeys(topics))) if topics else words for words, topics in found.items()]
    return (*said, *(_UNKNOWN[unknown] for unknown in facts.unknown))
