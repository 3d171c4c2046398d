"""The Spark session: its folder, its classes, its errors."""
