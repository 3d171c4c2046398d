"""Where groups come from. Each source reads bytes into the tables of `data/tables/schemas.py`; SOURCES lists them in the order in which they are asked whether a file is theirs."""

from data.sources.console import group_names, listing
from data.sources.document import document
from data.sources.separated import text_table

SOURCES = (document, listing, text_table, group_names)
