"""From names to row numbers, and from row numbers to names. Only this package converts them. The
package imports neither Spark nor pyarrow, so that `evenkeel assign` starts quickly.
"""

from evenkeel.data.group.columns.application_document import (
    TaskNames,
    application_from_document,
    task_settings,
)
from evenkeel.data.group.columns.application_from_tables import (
    ApplicationTables,
    application_from_tables,
    application_keys,
)
from evenkeel.data.group.columns.from_tables import GroupKey, group_keys, observed_from_tables
from evenkeel.data.group.columns.group_document import document_of, observed_from_document
from evenkeel.data.group.columns.observed import assumed_paths, succession
from evenkeel.data.group.columns.rows import assignment_by_name, withheld_by_name

__all__ = [
    "ApplicationTables",
    "GroupKey",
    "TaskNames",
    "application_from_document",
    "application_from_tables",
    "application_keys",
    "assignment_by_name",
    "assumed_paths",
    "document_of",
    "group_keys",
    "observed_from_document",
    "observed_from_tables",
    "succession",
    "task_settings",
    "withheld_by_name",
]
