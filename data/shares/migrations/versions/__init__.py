"""One file for each migration; a released migration is never changed."""
