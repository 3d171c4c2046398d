"""Redaction of a share: replaces each name by the same stand-in everywhere; previews all names."""

from evenkeel.data.shares.redaction.redaction import (
    SHORTEST,
    Row,
    check_author_texts,
    preview,
    redacted,
)
from evenkeel.data.shares.redaction.shapes import KINDS

__all__ = ["KINDS", "SHORTEST", "Row", "check_author_texts", "preview", "redacted"]
