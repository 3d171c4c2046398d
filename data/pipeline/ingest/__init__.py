"""From files to a batch of the lake, in Spark's tasks."""
