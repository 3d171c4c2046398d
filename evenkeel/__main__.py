"""`python -m evenkeel`: the command line."""

import sys

from evenkeel.data.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
