"""The cache of all sessions: values by key under a number of bytes, and how a page waits for one, or does not."""
