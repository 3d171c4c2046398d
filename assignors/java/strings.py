"""java.lang.String, as far as it shows in an answer: order and hash code, both by UTF-16 unit."""

from collections.abc import Sequence

import numpy as np

_BLOCK = 8192
_INVERSE_OF_31 = pow(31, -1, 1 << 32)


def sort_key(text: str) -> bytes:
    """Return a key that sorts as `String.compareTo`; Python sorts supplementary characters after U+E000..U+FFFF, Java before."""
    return text.encode("utf-16-be", "surrogatepass")


def sorted_rows(texts: Sequence[str]) -> np.ndarray:
    """Rows of `texts` in Java's order, int32; equal texts keep their order."""
    # ASCII sorts the same in Java and in Python.
    keys = texts if "".join(texts).isascii() else [sort_key(text) for text in texts]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int32)


def hashes(texts: Sequence[str]) -> np.ndarray:
    """`String.hashCode` of each text as uint32: `31 * hash + unit` over its UTF-16 units."""
    # In blocks: units and weights stay in the processor's cache.
    blocks = [_block_hashes(texts[start : start + _BLOCK]) for start in range(0, len(texts), _BLOCK)]
    return np.concatenate(blocks) if blocks else np.empty(0, dtype=np.uint32)


def _block_hashes(texts: Sequence[str]) -> np.ndarray:
    units = np.frombuffer("".join(texts).encode("utf-16-le", "surrogatepass"), dtype="<u2")
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    # A character beyond U+FFFF is two UTF-16 units, but len counts it once.
    if lengths.sum() != units.size:
        lengths = np.array([len(sort_key(text)) // 2 for text in texts])
    result = np.zeros(len(texts), dtype=np.uint32)
    filled = lengths > 0
    if filled.any():
        end = np.cumsum(lengths)[filled]
        # sum(unit[i] * 31 ** (end - 1 - i)) = 31 ** (end - 1) * sum(unit[i] * 31 ** -i): one row of weights serves every text.
        sums = np.add.reduceat(units * _powers(_INVERSE_OF_31, units.size), end - lengths[filled], dtype=np.uint32)
        result[filled] = sums * _powers(31, units.size)[end - 1]
    return result


def _powers(base: int, count: int) -> np.ndarray:
    powers = np.full(count, base, dtype=np.uint32)
    powers[0] = 1
    return np.multiply.accumulate(powers, out=powers)
