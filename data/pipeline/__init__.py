"""Everything that runs on Spark: ingest, collect, uploads, data sources. No other folder imports
pyspark.
"""
