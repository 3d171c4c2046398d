"""`advance`: time passes after a rebalance: processes restore copies, and changelogs grow."""

from typing import Annotated, ClassVar

import msgspec

from evenkeel.assignors.rounds.restoring import restore
from evenkeel.data.group.columns.application_rates import document_after, restoring_rates
from evenkeel.data.group.document import Application
from evenkeel.data.group.document.application import Rate
from evenkeel.data.scenarios.application_edits.application_edit import (
    ApplicationEdit,
    ApplicationState,
)
from evenkeel.data.scenarios.edits.edit import EditPlace, Field, Form, Names
from evenkeel.data.text.formats import passing

OTHERS = "*"
"""All processes or tasks that the edit does not name."""

_MOST_SECONDS = 366 * 86_400


class PassTime(ApplicationEdit, frozen=True, kw_only=True, tag="advance"):
    """Constant rates, in records/s: `restore_rates` by process, `end_offset_rates` by task.

    Missing rates are taken from the document. If the restore rate of a process, or the growth of
    one of its copies that is behind, is still unknown, all tasks of the process count as caught up.
    """

    form: ClassVar = Form(
        5,
        "Time passes",
        "schedule",
        (Field("minutes", "Minutes", "number", 10.0, least=0.1, most=500_000.0),),
        lambda values, names: [{"seconds": 60 * values["minutes"]}],
        lambda given: {"minutes": given["seconds"] / 60},
    )

    seconds: Annotated[float, msgspec.Meta(gt=0, le=_MOST_SECONDS)]
    restore_rates: dict[str, Rate] | None = None
    end_offset_rates: dict[str, Rate] | None = None

    def in_words(self, names: Names) -> str:
        return passing(self.seconds)

    def apply(self, state: ApplicationState, at: EditPlace) -> ApplicationState:
        if state.last is None:
            raise at.refusal(
                "seconds",
                "time passes after a rebalance, expected a step before this one, and no other edit"
                " of this step before it",
            )
        document = self._with_rates(state.document, at)
        restored = restore(
            state.last.application, state.last.answer, self.seconds, restoring_rates(document)
        )
        return state._replace(
            document=document_after(document, restored.application, state.last.answer),
            last=state.last._replace(application=restored.application),
            assumed=tuple(dict.fromkeys((*state.assumed, "restore_rates")))
            if restored.is_assumed
            else state.assumed,
        )

    def _with_rates(self, document: Application, at: EditPlace) -> Application:
        processes = [process.process_id for process in document.processes or ()]
        tasks = [task.task_id for task in document.tasks or ()]
        return msgspec.structs.replace(
            document,
            restore_rates=_rates(
                document.restore_rates,
                self.restore_rates,
                processes,
                at,
                "restore_rates",
                "process",
            ),
            end_offset_rates=_rates(
                document.end_offset_rates,
                self.end_offset_rates,
                tasks,
                at,
                "end_offset_rates",
                "task",
            ),
        )


def _rates(
    known: dict[str, float] | None,
    given: dict[str, float] | None,
    names: list[str],
    at: EditPlace,
    key: str,
    kind: str,
) -> dict[str, float] | None:
    if not given:
        return known
    unknown = next((name for name in given if name != OTHERS and name not in names), None)
    if unknown is not None:
        raise at.refusal(key, f'no {kind} "{unknown}"')
    others = dict.fromkeys(names, given[OTHERS]) if OTHERS in given else known or {}
    return others | {name: rate for name, rate in given.items() if name != OTHERS}
