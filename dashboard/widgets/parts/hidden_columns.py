"""The line below a table that names the columns that a narrow window hides: JavaScript and style for the component of each table."""

from pathlib import Path

_CSS = ".hidden-columns { margin: 0; padding: 4px 8px; font-size: 12px; color: var(--muted); }\n.hidden-columns:empty { display: none; }\n"
_HTML = '<p class="hidden-columns" role="note"></p>\n'
_JS = Path(__file__).with_suffix(".js").read_text()


def files(folder: Path) -> dict[str, str]:
    """Return HTML, CSS and JavaScript of the table in a folder, whose script calls `tellHidden(table)` when it has drawn."""
    html, css, js = ((folder / f"table.{kind}").read_text() for kind in ("html", "css", "js"))
    return {"html": html + _HTML, "css": css + _CSS, "js": _JS + js}
