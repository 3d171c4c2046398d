"""A process that opens the store at an address, says so, and makes shares for ever; it sends the id
of each one that is made.
"""

from multiprocessing.connection import Connection

from evenkeel.data.configuration import Configuration
from evenkeel.data.configuration.settings import ShareSettings
from evenkeel.data.shares.database import database_url, engine_of, upgrade
from evenkeel.data.shares.shares import Shares
from tests.data.shares.frozen import frozen


def make(url: str, line: Connection) -> None:
    """Wait for a message before the store is opened, and before the first share is made."""
    engine = engine_of(database_url(Configuration(database_url=url)))
    line.send("waits")
    line.recv()
    upgrade(engine)
    line.send("open")
    line.recv()
    while True:
        line.send(Shares(engine, ShareSettings(per_day=10**9)).make(frozen(), None).share_id)
