"""Python workers of an embedded Spark. The modules of the tasks are imported once, before workers
are forked.
"""

import gc
import sys
from importlib import import_module

# Spark puts its own archives first. Modules in archives are compiled at every start, and every
# worker lists tens of thousands of archive entries (0.3 s).
sys.path[:] = [place for place in sys.path if not place.endswith((".zip", ".jar"))]

from pyspark.daemon import manager

from evenkeel.data.configuration.handover import take_over

_IMPORTED = (
    "obstore.store",
    "pyarrow.dataset",
    "pyspark.worker",
    "evenkeel.data.pipeline.ingest.on_spark",
    "evenkeel.data.pipeline.ingest.batch",
)

if __name__ == "__main__":
    take_over()
    for module in _IMPORTED:
        import_module(module)
    # A garbage collection in a worker would copy the memory that it shares with other workers.
    gc.freeze()
    manager()
