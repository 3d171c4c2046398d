"""Lines that give no row: notes and rejected lines, on their way into tables."""

from dataclasses import dataclass, field, replace

from evenkeel.data.tables import schemas
from evenkeel.data.tables.columns_table import rows_table
from evenkeel.data.tables.parsed import EMPTY, Parsed
from evenkeel.data.tables.schemas import MAX_TEXT


@dataclass
class OtherLines:
    """What a source found beside rows, in the order of the input; `formats`: what was recognised, for people."""

    rejected: list[dict] = field(default_factory=list)
    notes: list[dict] = field(default_factory=list)
    note_count: int = 0
    formats: dict[str, None] = field(default_factory=dict)

    def note(self, number: int, line: bytes, format: str | None, kind: str) -> None:
        """Count a note and keep what it says."""
        self.note_count += 1
        self.notes.append({"source_line": number, "source_format": format, "text": _text(line), "reason": kind})

    def reject(self, number: int, line: bytes, format: str | None, reason: str) -> None:
        """Keep a line that is neither row nor note."""
        self.rejected.append({"source_line": number, "source_format": format, "text": _text(line), "reason": reason})

    def parsed(self, file: str) -> Parsed:
        """Return these lines as tables without rows."""
        return replace(
            EMPTY,
            rejected=rows_table(self.rejected, schemas.REJECTED, {"source_file": file}),
            notes=rows_table(self.notes, schemas.NOTES, {"source_file": file}),
            line_count=self.note_count + len(self.rejected),
            note_count=self.note_count,
            formats=tuple(self.formats),
        )


def _text(line: bytes) -> str:
    # A character takes at most four bytes in UTF-8.
    return line[: 4 * MAX_TEXT].decode("utf-8", "replace")[:MAX_TEXT].removesuffix("\r")
