"""Pages from templates: every text is text of strangers, and no text turns the direction of what stands around it."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from evenkeel.dashboard import scripts
from evenkeel.dashboard.words.names import visible


def rendered(name: str, **values: object) -> str:
    """Return a page of this package; the template escapes all that it is given."""
    return _TEMPLATES.get_template(name).render(values)


def _shown(value: object) -> object:
    return visible(value) if type(value) is str else value


_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    finalize=_shown,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters["source"] = lambda script: Markup(scripts.source(str(script)))
