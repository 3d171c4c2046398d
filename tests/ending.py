"""Processes end with the test process that started them, however it ends."""

import shutil

WITH_US = ("setpriv", "--pdeathsig", "KILL") if shutil.which("setpriv") else ()
"""Runs a command that Linux kills when the thread that started it ends: a killed test process can
stop nothing itself.
"""
