"""`set_settings`: the leader (classic group) or the brokers (streams group) use other settings."""

from typing import Any, ClassVar

import msgspec

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import task_settings
from evenkeel.data.scenarios.application_edits.application_edit import (
    ApplicationEdit,
    ApplicationState,
)
from evenkeel.data.scenarios.edits.edit import EditPlace, Field, Form, Names

_OFFERED = tuple(
    (name, name)
    for name in (
        "max.warmup.replicas",
        "acceptable.recovery.lag",
        "num.standby.replicas",
        "probing.rebalance.interval.ms",
    )
)
"""Settings in the form: name and label."""


class SetSettings(ApplicationEdit, frozen=True, kw_only=True, tag="set_settings"):
    """Settings have Kafka's dotted names; the value null means Kafka's default."""

    form: ClassVar = Form(
        4, "A setting changes", "tune", (Field("settings", "Setting", "setting", options=_OFFERED),)
    )

    settings: dict[str, Any]

    def in_words(self, names: Names) -> str:
        values = (
            f"{name} = {'default' if value is None else value}"
            for name, value in self.settings.items()
        )
        return ", ".join(values) or "no setting changes"

    def apply(self, state: ApplicationState, at: EditPlace) -> ApplicationState:
        for assignor in TASK_ASSIGNORS.values():
            try:
                assignor(**task_settings(assignor, self.settings, "$"))
            except (SnapshotError, ValueError) as error:
                raise at.refusal("settings", str(error).removeprefix("$: ")) from None
        known = {
            name: value
            for name, value in (state.document.settings or {}).items()
            if name not in self.settings
        }
        settings = known | {
            name: value for name, value in self.settings.items() if value is not None
        }
        return state._replace(document=msgspec.structs.replace(state.document, settings=settings))
