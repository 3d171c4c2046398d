"""One file for each migration; a migration that was released is never changed."""
