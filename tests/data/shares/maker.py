"""A program that opens the store at an address, says so, and makes shares for ever; it prints the
id of each one that is made.
"""

import sys

from evenkeel.data.configuration import Configuration
from evenkeel.data.configuration.file import ShareSettings
from evenkeel.data.shares.database import database_url, engine_of, upgrade
from evenkeel.data.shares.shares import Shares
from tests.data.shares.frozen import frozen

engine = engine_of(database_url(Configuration(database_url=sys.argv[1])))
print("waits", flush=True)
sys.stdin.readline()
upgrade(engine)
print("open", flush=True)
sys.stdin.readline()
while True:
    print(Shares(engine, ShareSettings(per_day=10**9)).make(frozen(), None).share_id, flush=True)
