"""A scenario carried out for programs: the lines of `evenkeel replay`, and the command."""

SHOWN = ("answer",)
