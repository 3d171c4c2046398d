"""The database of shares: SQLite in a file or PostgreSQL, its tables, and how it comes to their latest form."""
