"""Arrow schemas as Spark's."""

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType


def spark_schema(schema: pa.Schema) -> StructType:
    """Return the Spark schema with the columns of an Arrow schema."""
    return from_arrow_schema(schema)
