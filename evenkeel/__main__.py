"""The command line, `python -m evenkeel` or `evenkeel`.

The command `serve` is added here, because only this command needs the dashboard.
"""

import gc
import os
import sys

# Must be set before numpy is loaded. Else OpenBLAS starts a thread per core. Only large matrix
# products use these threads, and each thread spins for a while.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from evenkeel.data.commands import main as command_line  # noqa: E402

_ABOVE = {"serve": ("open the dashboard: the pages of this machine in a browser", "evenkeel.serve")}
_COLLECT_EVERY = 50_000
"""Number of new objects between two garbage collections. Objects that are created while modules
load are no garbage, so fewer collections are enough.
"""


def main() -> int:
    """Run one command and return its exit code."""
    gc.set_threshold(_COLLECT_EVERY)
    code = command_line.main(above=_ABOVE)
    # Skips the final garbage collection when Python exits.
    gc.freeze()
    return code


if __name__ == "__main__":
    sys.exit(main())
