"""ApplicationScenario: a scenario whose `group` is a streams document."""

from evenkeel.data.document import Application
from evenkeel.data.document.shape import Shape
from evenkeel.data.scenarios.application_edits import AnyApplicationEdit
from evenkeel.data.scenarios.edits.edit import Names
from evenkeel.data.scenarios.scenario.scenario import NO_EDITS, Java


class ApplicationSettings(Shape, frozen=True):
    """`assignors`: by name, all that serve the application's type where missing. Kafka's own settings stand in the streams document."""

    jdk: Java | None = None
    assignors: list[str] | None = None


class ApplicationStep(Shape, frozen=True):
    """What happens before one rebalance: its edits together."""

    name: str | None = None
    edits: list[AnyApplicationEdit] = []

    @property
    def edits_on(self) -> list[tuple[int, AnyApplicationEdit]]:
        """The edits that are not off, with their places."""
        return [(place, edit) for place, edit in enumerate(self.edits) if not edit.off]

    def title(self, names: Names) -> str:
        """Return the name, else what the edits say."""
        return self.name or ", ".join(edit.in_words(names) for _, edit in self.edits_on) or NO_EDITS


class ApplicationScenario(Shape, frozen=True):
    """One question about one application."""

    format: str
    group: Application
    name: str | None = None
    settings: ApplicationSettings = ApplicationSettings()
    steps: list[ApplicationStep] = []

    @property
    def step_names(self) -> list[str]:
        """Names of the steps; one without a name is `step 1`."""
        return [step.name or f"step {number}" for number, step in enumerate(self.steps, 1)]
