"""Tables of Kafka Streams applications; null means absent or unknown, as in every table."""

import pyarrow as pa

from evenkeel.data.tables.field_lists import INSTANT, OWNED, SOURCE

_TASK_IDS = pa.list_(pa.string())
_RACKS = pa.list_(pa.list_(pa.string()))
_RATES = pa.list_(pa.struct([("name", pa.string()), ("rate", pa.float64())]))

TASKS = pa.schema(
    INSTANT
    + [
        ("group_id", pa.string()),
        pa.field("task_id", pa.string(), nullable=False),
        ("task_order", pa.int32()),
        ("stateful", pa.bool_()),
        ("end_offset_sum", pa.int64()),
        ("source_racks", _RACKS),
        ("changelog_racks", _RACKS),
        ("input_partitions", OWNED),
    ]
    + SOURCE
)
"""One row for each task of a Kafka Streams application that a source describes, with the columns of the streams document.

Tasks that only consumers name have no row."""

CONSUMERS = pa.schema(
    INSTANT
    + [
        ("group_id", pa.string()),
        ("group_type", pa.string()),
        ("member_id", pa.string()),
        ("member_order", pa.int32()),
        ("list_order", pa.int64()),
        ("process_id", pa.string()),
        ("client_id", pa.string()),
        ("host", pa.string()),
        ("rack", pa.string()),
        ("client_tags", pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())]))),
        *((name, _TASK_IDS) for name in ("owned", "standby", "warmup", "current_active", "current_standby", "current_warmup")),
        ("task_offset_sums", pa.list_(pa.struct([("task_id", pa.string()), ("offset_sum", pa.int64())]))),
        ("settings", pa.string()),
        ("restore_rates", _RATES),
        ("end_offset_rates", _RATES),
        ("assumed", pa.list_(pa.string())),
    ]
    + SOURCE
)
"""One row for each consumer of a Kafka Streams application; the consumers of a process share its id, client id, host, rack and tags.

`member_order`: place in the document. `list_order`: place in the coordinator's list. `owned`, `standby`, `warmup`: tasks that are input of
the next rebalance. `current_…`: tasks that run now. Null where not printed.
A row with null `member_id` is the head of a streams document: `settings` as JSON, rates in records per second, `assumed`."""
