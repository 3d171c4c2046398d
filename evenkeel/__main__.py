"""`python -m evenkeel` and `evenkeel`: the command line, with the one command that needs the
dashboard.
"""

import gc
import os
import sys

# Before numpy is loaded: it would start a thread for each core, which large matrix products alone
# use, and each thread spins for a while.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from evenkeel.data.commands import main as command_line  # noqa: E402

_ABOVE = {"serve": ("open the dashboard: the pages of this machine in a browser", "evenkeel.serve")}
_COLLECT_EVERY = 50_000
"""Objects made between two searches for garbage: what modules make while they are loaded is none.
"""


def main() -> int:
    """Run one command and return its exit code, as `evenkeel.data.commands.main.main` does."""
    gc.set_threshold(_COLLECT_EVERY)
    code = command_line.main(above=_ABOVE)
    # Python ends without a last search through everything that is loaded.
    gc.freeze()
    return code


if __name__ == "__main__":
    sys.exit(main())
