"""What the Streams page lists: tiles, rounds, assignors, settings."""
