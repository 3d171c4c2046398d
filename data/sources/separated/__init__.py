"""Cells between commas, semicolons or tabs: header, one line, whole columns."""
