"""One group over time, as arrays: time lag, verdicts, and who owned what
when.
"""

SHOWN = (
    "draws",
    "now",
    "stuck",
    "time_lag",
    "verdicts",
)
