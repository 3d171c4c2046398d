"""The only place where names become row numbers and back. Imports no Spark and no pyarrow: `evenkeel assign` starts with it."""

from data.columns.document import observed_from_document

__all__ = ["observed_from_document"]
