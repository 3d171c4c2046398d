"""The page Moves: which partitions change owner."""

SHOWN = ("owner_changes",)
