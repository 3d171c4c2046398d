"""The page Moves: which partitions change owner."""
