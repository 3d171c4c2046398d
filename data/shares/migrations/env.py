"""What Alembic runs for an upgrade: the migrations, in the transaction that the caller has
begun.
"""

from alembic import context

from evenkeel.data.shares.database import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
