"""Fields that the schemas of several tables share."""

import pyarrow as pa

TIME = pa.timestamp("us", tz="UTC")
OWNED = pa.list_(pa.struct([("topic", pa.string()), ("partitions", pa.list_(pa.int32()))]))

INSTANT = [("taken_at", TIME), ("cluster", pa.string())]
SOURCE = [("source_format", pa.string()), ("source_file", pa.string()), ("source_line", pa.int64())]
