"""The steps from an empty database to today's tables, as Alembic runs them."""
