"""What every page needs before it draws: the list of pages."""
