"""A long history as few slots and runs as a picture can show."""
