"""Sentences about the answer of an assignor."""
