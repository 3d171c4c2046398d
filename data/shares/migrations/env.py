"""Alembic's script: runs the migrations in the caller's transaction."""

from alembic import context

from evenkeel.data.shares.database import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
