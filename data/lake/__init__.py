"""The stored data: Parquet files, and the manifests that name them."""
