"""What changes owner: tiles beside the matrix of pairs, and the list of partitions."""
