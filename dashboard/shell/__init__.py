"""The list of pages, and the parts that every page needs before it draws."""
