"""The figure of the Timeline: panels below each other on one axis of time."""
