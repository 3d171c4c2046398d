"""Where groups come from: each source reads bytes into the tables of `data/tables/schemas.py`; detection asks SOURCES in this order."""

from data.sources.console import group_names, listing
from data.sources.document import document
from data.sources.separated import text_table

SOURCES = (document, listing, text_table, group_names)
