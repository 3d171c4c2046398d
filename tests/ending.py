"""Processes end with the test process that started them, however it ends."""

import shutil

_PROGRAM = shutil.which("setpriv")
WITH_US = (_PROGRAM, "--pdeathsig", "KILL") if _PROGRAM else ()
"""Runs a command that Linux kills when the thread that started it ends: a killed test process can
stop nothing itself.
"""
