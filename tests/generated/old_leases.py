"""Leases as a machine finds them that was started again long after their holder was killed."""

import os
from pathlib import Path


def make_old(folder: Path) -> None:
    """Date the leases below a folder of leases far back, and take out when this machine, as it was
    started last, renewed them.
    """
    for lease in folder.glob("*/*"):
        token, _, note = lease.read_bytes().partition(b"\n")
        lease.write_bytes(token.partition(b" ")[0] + b"\n" + note)
        os.utime(lease, (0, 0))
