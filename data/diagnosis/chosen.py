"""The readings of the one group that a command names."""

import argparse
from collections.abc import Sequence

from evenkeel.data.commands.options.files import chosen_key, live_group
from evenkeel.data.configuration import configuration
from evenkeel.data.diagnosis.reading import Readings, readings_of
from evenkeel.data.group.document import Application
from evenkeel.data.sources.source import Readable


def chosen_readings(
    options: argparse.Namespace, inputs: Sequence[Readable]
) -> Readings | Application:
    """Return the readings of the group of `inputs`, or of `--cluster`, that `--group` names.

    Raises
    ------
    SnapshotError
        If it is not there, or not the only one.
    """
    if options.cluster is not None:
        return Readings(live_group(options))
    groups, key = chosen_key(options, inputs)
    application = groups.application(key)
    if application is not None:
        return application
    return readings_of(groups.parsed, key, configuration().command_line, has_notes=True)
