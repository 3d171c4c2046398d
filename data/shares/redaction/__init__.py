"""Redaction: names of a share become stand-ins, the same one everywhere; a preview lists every name that leaves."""

from evenkeel.data.shares.redaction.kinds import KINDS
from evenkeel.data.shares.redaction.preview import Row, preview
from evenkeel.data.shares.redaction.redaction import check_author_texts, redacted

__all__ = ["KINDS", "Row", "check_author_texts", "preview", "redacted"]
