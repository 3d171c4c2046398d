"""The list of pages, and what every page needs before it draws."""
