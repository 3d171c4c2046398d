"""Convert supported files, or groups of a live cluster, to group documents and streams documents,
one line for each group.
"""

import argparse
import sys
from collections.abc import Iterable

import msgspec

from evenkeel.data.commands.options.columns import add_columns, context_of
from evenkeel.data.commands.options.files import (
    Groups,
    add_cluster,
    add_paths,
    inputs_of,
    named_groups,
    split_paths,
    wanted_groups,
)
from evenkeel.data.commands.options.scenarios import scenario_in
from evenkeel.data.commands.text import json_line
from evenkeel.data.configuration import configuration
from evenkeel.data.group.columns import GroupKey, document_of, observed_from_document
from evenkeel.data.group.document import Application, Document
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario
from evenkeel.data.scenarios.size import require_group

EXAMPLES = """\
examples:
  kafka-consumer-groups.sh --bootstrap-server broker:9092 --describe --all-groups |
    evenkeel snapshot -
  evenkeel snapshot offsets.txt members.txt topics.txt > payments.json
  evenkeel snapshot listings/ --group payments refunds
  evenkeel snapshot --cluster production --group payments > payments.json
  evenkeel snapshot export.csv --columns group_id="Consumer Grp"
  evenkeel snapshot scenario.json    the group that the scenario starts from
  kafka-streams-groups.sh --bootstrap-server broker:9092 --describe --members --verbose \\
    --all-groups | evenkeel snapshot -
"""


def add_arguments(parser: argparse.ArgumentParser):
    """Declare the command's options."""
    add_paths(parser)
    add_cluster(parser)
    add_columns(parser)
    parser.add_argument(
        "--group",
        metavar="G",
        nargs="+",
        action="extend",
        default=[],
        help="only these groups; one name is also used for listings without a group id",
    )


def run(options: argparse.Namespace) -> int:
    """Write the documents to standard output."""
    split_paths(options, "group")
    for document in _documents(options):
        sys.stdout.write(
            json_line(
                _with_required_keys(document) if isinstance(document, Application) else document
            )
        )
    return 0


def _documents(options: argparse.Namespace) -> Iterable[Document | Application | dict]:
    if options.cluster is not None:
        groups = named_groups(options.cluster, options.group, options.paths)
        from evenkeel.data.live.application_replay import with_found_settings

        return [
            with_found_settings(group.application).document if group.application else group.document
            for group in groups
        ]
    inputs = inputs_of(options.paths)
    scenario = scenario_in(inputs)
    if isinstance(scenario, ApplicationScenario):
        return [scenario.group]
    if scenario is not None:
        require_group(configuration().command_line, scenario.group, "$.group")
        return [document_of(observed_from_document(scenario.group))]
    groups = wanted_groups(options.paths, options.group, context_of(options), inputs)
    return (_document(groups, key) for key in groups.keys)


def _document(groups: Groups, key: GroupKey) -> dict:
    application = groups.application(key)
    return (
        document_of(groups.observed(key))
        if application is None
        else _with_required_keys(application)
    )


def _with_required_keys(application: Application) -> dict:
    return {
        "format": application.format,
        "application_id": None,
        "assumed": [],
        "tasks": [],
        "processes": [],
    } | msgspec.to_builtins(application)
