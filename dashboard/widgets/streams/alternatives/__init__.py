"""What would be otherwise: with other settings, and under the other assignors."""
