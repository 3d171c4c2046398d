"""What-if edits as methods, one for each edit of `data/scenarios`, with its arguments and
docstring.

`python -m evenkeel.edits > evenkeel/edits.pyi` writes these methods for editors and type checkers.
"""

import inspect
from collections.abc import Callable, Mapping
from textwrap import indent
from typing import Any, Self

from evenkeel.data.scenarios.application_edits import APPLICATION_EDITS
from evenkeel.data.scenarios.asked import asked_edit, description_of, signature_of
from evenkeel.data.scenarios.edits import EDITS


class _Edits:
    """Base of groups and applications. An edit returns a new object, and does not change the object
    itself.
    """

    def _edited(self, ask: Callable[[Any], Any]) -> Self:
        raise NotImplementedError


def _with_methods(name: str, edits: Mapping[str, type]) -> type[_Edits]:
    methods = {op: _method(op, edit) for op, edit in edits.items()}
    return type(name, (_Edits,), {"__module__": __name__, "__doc__": _Edits.__doc__} | methods)


def _method(op: str, edit: type) -> Callable:
    taken = signature_of(edit)

    def method(self, *args, **kwargs):
        try:
            bound = taken.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{op}() {error}") from None
        bound.apply_defaults()
        return self._edited(lambda who: asked_edit(edit, bound.arguments, who))

    method.__name__, method.__qualname__, method.__doc__ = op, op, description_of(edit)
    method.__signature__ = taken.replace(
        parameters=[
            inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY),
            *taken.parameters.values(),
        ],
        return_annotation=Self,
    )
    return method


GroupEdits = _with_methods("GroupEdits", EDITS)
ApplicationEdits = _with_methods("ApplicationEdits", APPLICATION_EDITS)


def stub() -> str:
    """Return the text of the stub file `evenkeel/edits.pyi`."""
    classes = (_stub_of(edits) for edits in (GroupEdits, ApplicationEdits))
    return "\n".join(["from typing import Any, Self", *classes])


def _stub_of(made: type) -> str:
    methods = [(name, method) for name, method in vars(made).items() if inspect.isfunction(method)]
    return f"\nclass {made.__name__}:" + "".join(
        _stub_method(name, method) for name, method in methods
    )


def _stub_method(name: str, method: Callable) -> str:
    signature = str(inspect.signature(method)).replace("self, /", "self").replace("typing.", "")
    return (
        "\n    def"
        f" {name}{signature}:\n"
        f"{indent(chr(34) * 3 + (method.__doc__ or '') + chr(34) * 3, ' ' * 8)}\n"
        "        ...\n"
    )


if __name__ == "__main__":
    print(stub(), end="")
