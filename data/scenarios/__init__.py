"""Scenarios of the page What-if: a group, its edits, assumptions, and each assignor's answer."""
