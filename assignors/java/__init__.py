"""Java collections with an iteration order on which assignments depend."""
