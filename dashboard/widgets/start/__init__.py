"""What only the start page shows."""
