"""moto's server, which looks up once what it would look up for each request or each listed key:
half of its time.
"""

import logging
from functools import cache

from moto import backends
from moto.core import errors, serialize
from moto.server import main

if __name__ == "__main__":
    names = frozenset(backends.list_of_moto_modules())
    backends.list_of_moto_modules = lambda: names
    serialize.parse_to_aware_datetime = cache(serialize.parse_to_aware_datetime)
    # Each answer of an error made all errors of the service anew.
    errors.ErrorLookupFactory = cache(errors.ErrorLookupFactory)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    main()
