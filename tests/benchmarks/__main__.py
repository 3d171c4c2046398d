"""`make bench`: every table of tests/benchmarks/records.md, one after the other, each in a process
of its own, since one of them keeps to one core and another measures what its processes need.
"""

import os
import subprocess
import sys

for table in (
    "assignors.beside_peers",
    "assignors.kernels",
    "assignors.end_to_end",
    "best",
    "ingest",
    "deployed",
):
    subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks.{table}"],
        env=os.environ | {"PYTHONPATH": "deploy/python"},
        check=True,
    )
