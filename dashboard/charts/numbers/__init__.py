"""What figures draw: fits, loads, and who holds which tile."""
