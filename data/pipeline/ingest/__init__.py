"""From files to a batch of the lake, in tasks of Spark."""
