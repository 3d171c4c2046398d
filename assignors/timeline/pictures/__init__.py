"""A long history, reduced to as few slots and runs as a picture can show."""
