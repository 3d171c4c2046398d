"""Edits of a Streams application: time passes, a process dies, comes back, or is added."""
