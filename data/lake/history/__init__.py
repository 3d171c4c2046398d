"""Groups at many instants, read from the lake without Spark."""
