"""Sentences that pages and commands share."""
