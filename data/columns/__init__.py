"""The only place where names become row numbers and back. Imports no Spark and no pyarrow: `evenkeel assign` starts with it."""

from evenkeel.data.columns.applications.application_from_document import application_from_document
from evenkeel.data.columns.applications.application_from_tables import ApplicationTables, application_from_tables, application_keys
from evenkeel.data.columns.applications.task_names import TaskNames
from evenkeel.data.columns.applications.task_settings import task_settings
from evenkeel.data.columns.assumptions import assumed_paths
from evenkeel.data.columns.from_document import observed_from_document
from evenkeel.data.columns.from_tables import group_keys, observed_from_tables
from evenkeel.data.columns.group_rows import GroupKey
from evenkeel.data.columns.names import assignment_by_name, withheld_by_name
from evenkeel.data.columns.succession import succession
from evenkeel.data.columns.to_document import document_of

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
