"""Evenkeel's formats as data sources of a Spark session: `evenkeel.spark.register(spark)`."""

from evenkeel.data.pipeline.data_sources import register

__all__ = ["register"]
