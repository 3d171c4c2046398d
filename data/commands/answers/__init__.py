"""Answers of commands: figures, tables and lines, as they are written."""
