"""Everything that runs on Spark: ingest, collect, uploads, data sources. The only room that imports
pyspark.
"""
