"""Why an assignor has no answer at a moment of a group's history."""

from collections.abc import Sequence

from evenkeel.data.lake.place import Place
from evenkeel.data.scenarios.answers import comparison_of
from evenkeel.data.scenarios.stored_groups import group_at


def why_no_answer(lake: Place, moment: str, group_id: str, names: Sequence[str]) -> dict[str, str]:
    """Return what each of these assignors throws, by name; those that answer at this moment are left out.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    rows = comparison_of(group_at(lake, moment, group_id)).rows
    return {row.name: f"{row.error.java_class}: {row.error}" for row in rows if row.error and row.name in names}
