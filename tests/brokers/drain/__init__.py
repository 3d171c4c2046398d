"""When a group is drained: predicted from its first seconds, and seen, on a real broker."""
