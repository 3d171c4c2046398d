"""Data sources of a Spark session for Evenkeel's formats: `evenkeel.spark.register(spark)`."""

from evenkeel.data.pipeline.data_sources import register

__all__ = ["register"]
