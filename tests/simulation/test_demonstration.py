"""The table of bots that is always there to be watched: over a whole match of it and beyond, on virtual time."""

from parlour_server import hall
from parlour_server.protocol import lobby
from parlour_server.protocol.messages import ToClient
from parlour_server.settings import Bots, Listen, Settings, Tables
from tests.simulation.house import House
from tests.simulation.network import Weather
from tests.simulation.person import Manners, Person
from tests.simulation.plan import Plan
from tests.simulation.world import World

CALM = Manners(lapse=0.0, wrong=0.0, twice=0.0, slow=0.2, restless=1e-6)
PLAN = Plan(
    seed=1,
    seconds=1500.0,
    weather=Weather(0.0, 0.0, split=0.0),
    settings=Settings(listen=Listen(port=8000), tables=Tables(floor_ms=0), bots=Bots(0, 0)),
    wishes=[],
    manners=[CALM, CALM],
    commit=(0.0, 0.0),
    demonstration=True,
)


class Show(World):
    """One person watches the demonstration; another comes once that has become another table."""

    def __init__(self) -> None:
        super().__init__(PLAN)
        self.later = self.people.pop()
        self.shown: list[str] = []
        """The links that the house has named, in order."""
        self.at: dict[str, float] = {}
        """When what happened first."""
        self.told: list[ToClient] = []
        """What the person heard who came later."""

    def heard(self, person: Person, message: ToClient, frame: bytes, written: int) -> None:
        super().heard(person, message, frame, written)
        if person is self.later:
            self.told.append(message)
            if isinstance(message, lobby.Welcome):
                person.say(lobby.ListTables())

    def _step(self, house: House) -> None:
        super()._step(house)
        shown = house.hall.demonstration
        if shown is not None and shown not in self.shown:
            self.shown.append(shown)
            self.links[:] = [shown]
            if len(self.shown) == 2:
                self._happened("another")
                self.agenda.after(1.0, self.later.come)
        first = house.hall.tables.get(self.shown[0]) if self.shown else None
        if first is None and self.shown:
            self._happened("closed")
        elif first is not None and first.over:
            self._happened("over")

    def _happened(self, what: str) -> None:
        self.at.setdefault(what, self.agenda.now)


def test_a_demonstration_that_is_over_is_followed_by_another_at_once() -> None:
    show = Show()
    report = show.run()
    over, another, closed = show.at["over"], show.at["another"], show.at["closed"]
    assert over <= another <= over + hall._LOOK
    assert another + hall._AFTERWARDS <= closed <= another + hall._AFTERWARDS + 1, "who watched it sees how it ended"
    assert report.records, "and its record is kept"
    welcome = next(message for message in show.told if isinstance(message, lobby.Welcome))
    assert welcome.demonstration == show.shown[1] != show.shown[0]
    listed = next(message for message in show.told if isinstance(message, lobby.Tables))
    lines = {line.table: line for line in listed.tables}
    assert (lines[show.shown[1]].demonstration, lines[show.shown[1]].over) == (True, False)
