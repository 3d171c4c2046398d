"""What only Moves shows."""
