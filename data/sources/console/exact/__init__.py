"""The exact path: reads printed listings line by line."""
