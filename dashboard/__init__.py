"""Pages for operators: they choose, format and draw. All numbers are computed in data and
assignors.
"""

# Before a module loads pyarrow: `data` keeps pandas away from it, 40 MB of a server that nobody has
# visited yet.
import evenkeel.data  # noqa: F401
