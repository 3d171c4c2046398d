"""What holds for a row, checked for whole columns at once; the same rules as `exact/offsets/row.py`."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.sources.console.exact.offsets.row import owner_parts
from evenkeel.data.sources.parsing.numbers import MAX_PARTITION


def checked_columns(column: dict[str, pa.Array]) -> tuple[np.ndarray, pa.RecordBatch]:
    """Return bool (rows,), the rows that are certain, and all rows as columns of OFFSETS."""
    sure = _known(column["topic"]) & (_values(column["partition"], MAX_PARTITION + 1) <= MAX_PARTITION)
    if "group_id" in column:
        sure &= _known(column["group_id"])
    for name in ("committed_offset", "end_offset", "leader_epoch"):
        if name in column:
            sure &= _values(column[name], 0) >= -1
            column[name] = _without_minus_one(column[name])
    sure &= _lag_agrees(*(column[name] for name in ("committed_offset", "end_offset", "listed_lag")))
    if "host" in column:
        sure &= _owner_in_place(*(column[name] for name in ("member_id", "host", "client_id")))
    if "owner" in column:
        column |= _owner_columns(column.pop("owner"))
    # Unsafe: rows out of range are already unsure, and the exact path reads them.
    column["partition"] = column["partition"].cast(pa.int32(), safe=False)
    return sure, pa.RecordBatch.from_pydict(column)


def _values(array: pa.Array, unknown: int) -> np.ndarray:
    return (array.fill_null(unknown) if array.null_count else array).to_numpy()


def _known(array: pa.Array) -> np.ndarray:
    return array.is_valid().to_numpy(zero_copy_only=False) if array.null_count else np.ones(len(array), bool)


def _without_minus_one(array: pa.Array) -> pa.Array:
    none = _values(array, 0) == -1
    return pc.if_else(pa.array(none), pa.scalar(None, array.type), array) if none.any() else array


def _lag_agrees(committed: pa.Array, end: pa.Array, lag: pa.Array) -> np.ndarray:
    agrees = _values(end, 0) - _values(committed, 0) == _values(lag, 0)
    return agrees | ~(_known(committed) & _known(end) & _known(lag))


def _owner_in_place(member_id: pa.Array, host: pa.Array, client_id: pa.Array) -> np.ndarray:
    slash = pc.starts_with(host, "/").fill_null(False).to_numpy(zero_copy_only=False)
    known = [_known(array) for array in (member_id, host, client_id)]
    return slash & known[0] & known[2] | ~(known[0] | known[1] | known[2])


def _owner_columns(owner: pa.Array) -> dict[str, pa.Array]:
    """Return member, client and host of OWNER, each distinct owner cut once."""
    encoded = owner.dictionary_encode()
    parts = [owner_parts(text) for text in encoded.dictionary.to_pylist()]
    client_id, host = (pa.array([part[at] for part in parts], pa.string()).take(encoded.indices) for at in (0, 1))
    return {"member_id": owner, "client_id": client_id, "host": host}
