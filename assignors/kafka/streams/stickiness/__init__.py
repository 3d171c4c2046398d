"""What the sticky assignors remember of the last assignment, and how they search."""
