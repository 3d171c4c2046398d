"""What only Compare shows."""
