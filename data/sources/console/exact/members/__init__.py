"""Lines that `--members` prints."""
