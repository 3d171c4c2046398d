"""How object storage answers: an object as a file, and its refusals in one line."""
