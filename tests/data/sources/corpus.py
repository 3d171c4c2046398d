"""Files of tests/data/corpus, parsed."""

from pathlib import Path

from evenkeel.data.sources.console.listing import parse
from evenkeel.data.sources.detection import as_utf8

CORPUS = Path(__file__).parents[1] / "corpus"


def corpus(file, **context):
    """Return what a file of the corpus gives."""
    return parse(as_utf8(file, (CORPUS / file).read_bytes()), file, **context)


def rows_of(table, *columns):
    """Return rows as tuples of these columns."""
    return list(zip(*(table[column].to_pylist() for column in columns), strict=False))


def said(table, row=0):
    """Return a row without nulls and without where it stood."""
    return {
        name: value
        for name, value in table.slice(row, 1).to_pylist()[0].items()
        if value is not None and not name.startswith("source_")
    }
