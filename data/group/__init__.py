"""A group with names: documents, tables, and arrays."""
