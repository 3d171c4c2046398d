"""The figure of the Timeline: panels above each other, with one axis of time."""
