"""Pages for operators: choose, format, draw; what is computed comes from data and assignors."""

# Before a module loads pyarrow: `data` keeps pandas away from it, 40 MB of a server that nobody has
# visited yet.
import evenkeel.data  # noqa: F401
