"""Redaction: names in a share become stand-ins, the same everywhere; a preview lists every name."""

from evenkeel.data.shares.redaction.redaction import (
    SHORTEST,
    Row,
    check_author_texts,
    preview,
    redacted,
)
from evenkeel.data.shares.redaction.shapes import KINDS

__all__ = ["KINDS", "SHORTEST", "Row", "check_author_texts", "preview", "redacted"]
