"""One file for each step; a released step is never changed."""
