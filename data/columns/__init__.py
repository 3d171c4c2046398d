"""The only place where names become row numbers and back. Imports no Spark and no pyarrow: `evenkeel assign` starts with it."""

from data.columns.applications.application_from_document import application_from_document
from data.columns.applications.application_from_tables import ApplicationTables, application_from_tables, application_keys
from data.columns.applications.task_names import TaskNames
from data.columns.applications.task_settings import task_settings
from data.columns.assumptions import assumed_paths
from data.columns.from_document import observed_from_document
from data.columns.from_tables import group_keys, observed_from_tables
from data.columns.group_rows import GroupKey
from data.columns.names import assignment_by_name, withheld_by_name
from data.columns.succession import succession
from data.columns.to_document import document_of

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
