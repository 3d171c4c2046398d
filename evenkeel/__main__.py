"""`python -m evenkeel` and `evenkeel`: the command line, with the one command that needs the dashboard."""

import sys

from evenkeel.data.commands import main as command_line

_ABOVE = {"serve": ("open the dashboard: the pages of this machine in a browser", "evenkeel.serve")}


def main() -> int:
    """Run one command and return its exit code, as `evenkeel.data.commands.main.main` does."""
    return command_line.main(above=_ABOVE)


if __name__ == "__main__":
    sys.exit(main())
