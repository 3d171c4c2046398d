"""Lines of the Timeline."""
