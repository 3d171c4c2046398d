"""The readings of an upload: how many, of when, and a later one."""
