"""Migrations from an empty database to the present tables, for Alembic."""
