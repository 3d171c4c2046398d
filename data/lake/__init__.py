"""Stored data: Parquet files, and manifests that name the Parquet files."""
