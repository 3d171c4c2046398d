"""Where groups come from. Each source reads bytes into the tables of `data/schemas.py`; SOURCES lists them in the order in which they are asked whether a file is theirs."""

from data.sources import delimited, document, group_names, listing

SOURCES = (document, listing, delimited, group_names)
