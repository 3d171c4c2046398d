"""Upgrade: Alembic brings a database, an empty one too, to the tables that this program knows."""

import threading
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Engine

from evenkeel.data.errors import SnapshotError
from evenkeel.data.shares.database.engine import writing
from evenkeel.data.shares.database.turns import take_turn

_MIGRATIONS = Path(__file__).parent / "migrations"
_ONE = threading.Lock()
"""Alembic keeps what it works on in a variable of its module."""


def upgrade(engine: Engine) -> None:
    """Run the migrations that the database has not had, in one transaction. Of several programs that start at once one does it.

    Raises
    ------
    SnapshotError
        For a database of a newer Evenkeel, by its revision.
    """
    config = Config(attributes={})
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    with _ONE, writing(engine, alone=True) as connection:
        take_turn(connection, "migrations")
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            known = ScriptDirectory.from_config(config).get_current_head()
            raise SnapshotError(f"the store of shares is of a newer Evenkeel: {error}; this one knows revision {known}") from error
