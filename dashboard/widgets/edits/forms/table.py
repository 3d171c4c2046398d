"""All forms, by the edit that they make. One more edit: one more line here, and its sentence in `data/scenarios/scenario/step_words.py`."""

from collections.abc import Callable
from typing import Any, NamedTuple

from evenkeel.dashboard.widgets.edits.forms.choices import Choices
from evenkeel.dashboard.widgets.edits.forms.fields import Field

Values = dict[str, Any]

_MEMBERS = Field("member_ids", "Members", "members")
_TOPIC = Field("topic", "Topic", "topic")
_SEED = Field("seed", "Seed of the new ids", "whole", 0, "New ids are random in real life and decide ties. Another seed draws other ids.")
_RE2 = "An expression of RE2, as KIP-848 members subscribe with."
_STATIC = "Each gets its short name as group.instance.id."


class Form(NamedTuple):
    """`made`: the values of the fields as arguments of edits; `read`: the arguments of an edit as values of the fields.

    `is_live`: what one field says changes another one, before the form is sent.
    """

    title: str
    icon: str
    fields: tuple[Field, ...]
    made: Callable[[Values, Choices], list[Values]] = lambda values, choices: [values]
    read: Callable[[Values], Values] = lambda given: given
    is_live: bool = False


def _static(values: Values, choices: Choices) -> list[Values]:
    return [{"member_id": each, "instance_id": choices.members.get(each, each)} for each in values["member_ids"]]


def _rates(values: Values, choices: Choices) -> list[Values]:
    """Return an edit with the rates that are given; those that are not come from the history, or from the edit that is changed."""
    rates, given = values.get("rates"), {key: {"*": values[key]} for key in ("in_rate", "capacity") if values[key] is not None}
    kept = rates if isinstance(rates, dict) else {"window_seconds": rates}
    return [{"seconds": values["seconds"]} | kept | given]


def _of_rates(given: Values) -> Values:
    rates = {key: given[key] for key in ("in_rate", "capacity")}
    kept = rates | {"measured": given["measured"]} if given.get("measured") else None
    return given | {key: rate["*"] if set(rate) == {"*"} else None for key, rate in rates.items()} | {"rates": kept}


ROLLING, TIME_PASSES = "rolling_restart", "advance"

ROLLING_FORM = Form(
    "Rolling restart",
    "cached",
    (
        Field("order", "In the order of", "choice", options=(("group", "the group"), ("host", "hosts"), ("rack", "racks"))),
        Field("at_once", "Members at once", "whole", 1, least=1),
        Field("all_static", "Make all members static first (KIP-345)", "yes"),
        _SEED,
    ),
)
"""Makes one step for each restart."""

FORMS = {
    "remove_members": Form("Members stop", "person_remove", (_MEMBERS,)),
    "add_members": Form(
        "Members join",
        "person_add",
        (
            Field("count", "How many", "whole", 1, least=1),
            Field("like", "Like", "member", "", "The new ones have its client id, subscription and rack."),
            Field("subscribed", "Topics, if others", "topics"),
            Field("subscribed_regex", "Topics that match", "text", None, _RE2),
            Field("rack", "Rack, if another", "rack"),
            Field("instance_ids", "group.instance.id of each, one a line", "lines", None, "Without them the new members are dynamic."),
            _SEED,
        ),
    ),
    "restart_members": Form(
        "Members restart",
        "restart_alt",
        (
            _MEMBERS,
            Field("together", "Leave and join in one rebalance", "yes", False, "Where both fall into one join phase."),
            _SEED,
        ),
    ),
    "set_instance_id": Form(
        "Members become static",
        "push_pin",
        (_MEMBERS._replace(help=_STATIC),),
        _static,
        lambda given: {"member_ids": [given["member_id"]]},
    ),
    "set_subscription": Form(
        "Members subscribe otherwise",
        "checklist",
        (_MEMBERS, Field("topics", "Topics", "topics"), Field("regex", "Topics that match", "text", None, _RE2)),
    ),
    "set_rack": Form("Members move to another rack", "dns", (_MEMBERS, Field("rack", "Rack", "rack"))),
    "set_partition_count": Form(
        "Topic grows",
        "add_column_right",
        (Field("grown", "Topic", "grown"),),
        lambda values, choices: [values["grown"]],
        lambda given: {"grown": {key: given[key] for key in ("topic", "count")}},
        is_live=True,
    ),
    "add_topic": Form("Topic appears", "add_box", (Field("name", "Name", "text"), Field("partitions", "Partitions", "whole", 6, least=1))),
    "remove_topic": Form("Topic is deleted", "delete", (Field("name", "Topic", "topic"),)),
    "set_lag": Form(
        "Lag of a partition",
        "bar_chart",
        (_TOPIC, Field("partition", "Partition", "whole", 0), Field("lag", "Lag in records", "whole", 100_000)),
    ),
    "scale_lag": Form("Lag of a topic", "stacked_bar_chart", (_TOPIC, Field("factor", "Times", "number", 2.0))),
    TIME_PASSES: Form(
        "Time passes",
        "schedule",
        (
            Field("seconds", "Seconds", "number", 3_600.0, least=1),
            Field("in_rate", "Records/s into each partition", "number", 100.0),
            Field("capacity", "Records/s that each member can read", "number", 1_000.0),
        ),
        _rates,
        _of_rates,
    ),
}
"""In the order of the menu: what operators ask first comes first."""

_BY_HISTORY = FORMS[TIME_PASSES]._replace(
    fields=(
        FORMS[TIME_PASSES].fields[0],
        Field("rates", "Rates of the history", "rates", None, "They are written into the step: it stays as it is while the history grows."),
        Field("in_rate", "Records/s into each partition", "measured", None, "Empty: what came into each partition."),
        Field("capacity", "Records/s that each member can read", "measured", None, "Empty: what each member read while it was behind."),
    )
)


def form_of(op: str, choices: Choices, given: Values) -> Form:
    """Return the form of an edit; time passes at the rates of the history where there is one, or where the edit has some."""
    has_rates = choices.stretches or given.get("measured")
    return _BY_HISTORY if op == TIME_PASSES and has_rates else FORMS.get(op, ROLLING_FORM)


def menu_labels() -> dict[str, str]:
    """Return what a menu shows for each form, by op."""
    return {op: label_of(form) for op, form in FORMS.items()}


def label_of(form: Form) -> str:
    """Return what a menu shows for a form."""
    return f":material/{form.icon}: {form.title}"
