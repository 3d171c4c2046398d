"""Files that are not text, by their first bytes: refused with advice."""

from evenkeel.data.errors import SnapshotError

EXPECTED = "expected a listing of kafka-consumer-groups.sh or kafka-topics.sh, CSV or a group document"

_UNPACK = "unpack it first"
_NOT_TEXT = "copy the text itself"
_MAGIC = {
    b"\x1f\x8b": ("gzip data", _UNPACK),
    b"PK\x03\x04": ("a zip archive or an Office document", f"{_UNPACK}, or save the sheet as CSV"),
    b"BZh": ("bzip2 data", _UNPACK),
    b"\xfd7zXZ\x00": ("xz data", _UNPACK),
    b"\x28\xb5\x2f\xfd": ("zstd data", _UNPACK),
    b"PAR1": ("a Parquet file", "write it as CSV"),
    b"\x89PNG": ("a PNG picture", _NOT_TEXT),
    b"\xff\xd8\xff": ("a JPEG picture", _NOT_TEXT),
    b"GIF8": ("a GIF picture", _NOT_TEXT),
    b"%PDF-": ("a PDF document", _NOT_TEXT),
    b"SQLite format 3\x00": ("an SQLite database", "write its table as CSV"),
    b"\x7fELF": ("a program", _NOT_TEXT),
}
_SEEN = 65_536


def check_is_text(file: str, data: bytes):
    """Let text pass.

    Raises
    ------
    SnapshotError
        For an empty file, a known format that is not text, and UTF-16 without a byte order mark.
    """
    if not data:
        raise SnapshotError(f"{file}: empty file, {EXPECTED}")
    for magic, (what, remedy) in _MAGIC.items():
        if data.startswith(magic):
            raise SnapshotError(f"{file}: {what}, {EXPECTED}; {remedy}")
    start = data[:_SEEN]
    # ASCII text in UTF-16 has a NUL in every second byte.
    if b"\x00" in (start[:1], start[1:2]) and start.count(b"\x00") > len(start) // 4:
        raise SnapshotError(f"{file}: looks like UTF-16 without a byte order mark, {EXPECTED}; save it as UTF-8")
