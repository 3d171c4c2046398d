"""The group that a command is about: its readings and its diagnosis."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from evenkeel.data.commands.options.files import chosen_key, live_group
from evenkeel.data.configuration import configuration
from evenkeel.data.diagnosis.answer import Answer, Context, diagnosed
from evenkeel.data.diagnosis.reading import Readings, readings_of
from evenkeel.data.group.document import Application
from evenkeel.data.scenarios.scenario.scenario import Settings
from evenkeel.data.sources.source import Readable


@dataclass(frozen=True, eq=False)
class ChosenGroup:
    """The readings of a group, and the settings of its diagnosis."""

    readings: Readings
    context: Context

    @classmethod
    def of(
        cls,
        options: argparse.Namespace,
        inputs: Sequence[Readable],
        settings: Settings = Settings(),
    ) -> Self | Application:
        """Return the group of `--group`, from `inputs` or from `--cluster`.

        Raises
        ------
        SnapshotError
            If the group is missing, or if no name is given for several groups.
        """
        chosen = configuration()
        if options.cluster is not None:
            readings = Readings(live_group(options))
        else:
            groups, key = chosen_key(options, inputs)
            application = groups.application(key)
            if application is not None:
                return application
            readings = readings_of(groups.parsed, key, chosen.command_line, has_notes=True)
        return cls(readings, Context.of(chosen, options.cluster, settings))

    def diagnosis(self) -> Answer:
        """Return the diagnosis of the group."""
        return diagnosed(self.readings, self.context)
