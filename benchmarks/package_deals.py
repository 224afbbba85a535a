"""The same deals kept with the `eventsourcing` package, for `bench_log` where that package is installed."""

from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event


class Deals(Aggregate):
    """A table's deals, as one aggregate."""

    @event("Recorded")
    def record(self, body: str, actor: str, device: str, key: str) -> None:
        """What our log stores with a deal as well."""
        self.last = body


def application(settings: dict[str, str]) -> Application[UUID]:
    """An application of the package on the database that is measured."""
    return Application(env=settings)
