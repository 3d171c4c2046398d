"""A lake combined with a temporary lake, which contains the past of one group."""

from dataclasses import dataclass, field
from tempfile import TemporaryDirectory

from evenkeel.data.lake.place import Place


@dataclass(frozen=True)
class LayeredPlace(Place):
    """A lake combined with the lake `below`. Readers see the batches of both lakes. New objects are
    never written to `below`.

    `folder_below`: the temporary folder of `below`. It is deleted when no reader uses this place.
    """

    below: Place = Place("/")
    folder_below: TemporaryDirectory | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return self.url

    def __reduce__(self) -> tuple:
        # A copy in another process must not delete the folder.
        return type(self), (self.url, self.settings, self.below)

    @property
    def layers(self) -> tuple[Place, ...]:
        return Place(self.url, self.settings), self.below

    def home_of(self, key: str) -> Place:
        return self.below if self.below.holds(key) else self.layers[0]

    def read(self, key: str) -> bytes:
        return self.home_of(key).read(key)


def layered(lake: Place, folder: TemporaryDirectory) -> LayeredPlace:
    """Return `lake` combined with the lake in `folder`."""
    return LayeredPlace(lake.url, lake.settings, Place(folder.name), folder)
