"""Data of shares: freezing, opening, owners."""
