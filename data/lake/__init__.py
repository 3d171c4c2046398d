"""What is stored: Parquet files, and the manifests that name them."""
