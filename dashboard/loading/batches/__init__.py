"""What the lake has of uploads and stored batches: their groups, moments and rejected lines."""
