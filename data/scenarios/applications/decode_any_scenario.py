"""Text becomes a scenario of a group or of an application, whichever its `group` is."""

from evenkeel.data.document import STREAMS_FORMAT, decode_application
from evenkeel.data.scenarios.application_edits import APPLICATION_EDITS
from evenkeel.data.scenarios.applications.application_scenario import ApplicationScenario, ApplicationSettings, ApplicationStep
from evenkeel.data.scenarios.scenario.decode_scenario import Raw, decode_scenario, decoded_group, is_of_application, raw_scenario
from evenkeel.data.scenarios.scenario.scenario import Scenario


class _RawApplication(Raw, forbid_unknown_fields=True):
    settings: ApplicationSettings | None = None
    steps: list[ApplicationStep] | None = None


def decode_any_scenario(text: bytes) -> Scenario | ApplicationScenario:
    """Read one scenario.

    Raises
    ------
    SnapshotError
        Where it breaks the contract: with the path, the value found and the value expected.
    """
    if not is_of_application(text):
        return decode_scenario(text)
    raw = raw_scenario(text, _RawApplication, APPLICATION_EDITS, STREAMS_FORMAT)
    application = decoded_group(raw.group, decode_application)
    return ApplicationScenario(raw.format, application, raw.name, raw.settings or ApplicationSettings(), raw.steps or [])
