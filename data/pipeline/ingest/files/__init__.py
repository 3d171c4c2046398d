"""Inputs: where they are, which task reads which bytes of them, and what they held by hash."""
