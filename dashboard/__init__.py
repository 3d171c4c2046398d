"""Pages for operators: they choose, format and draw. All numbers are computed in data and
assignors.
"""

# Imported before any module loads pyarrow: `data` prevents pyarrow from loading pandas. This saves
# 40 MB on a server without visitors.
import evenkeel.data  # noqa: F401
