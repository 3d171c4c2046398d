"""Scenarios of a group or of an application as lists of steps: forms, undo, copies, drafts, and the address that holds them."""
