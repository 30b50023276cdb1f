"""A whole world of one seed: a server, its network, its people and what befalls them."""

from random import Random
from typing import Final

from attrs import field, frozen

from parlour_server.protocol import lobby
from parlour_server.protocol.messages import ToClient
from parlour_server.protocol.values import Clocks
from parlour_server.settings import Bots, Listen, Settings, Tables
from tests.simulation.agenda import Agenda
from tests.simulation.client import Client
from tests.simulation.examiner import Broken, Examiner
from tests.simulation.house import House, hear_log, one_chance
from tests.simulation.network import Weather
from tests.simulation.person import Manners, Person

MOST_STEPS: Final = 400_000
"""A world that takes more than this is in a loop that no time passes in."""


@frozen
class Plan:
    """What a seed stands for."""

    seed: int
    seconds: float
    tables: int
    people: int
    weather: Weather
    settings: Settings
    wishes: list[lobby.CreateTable]
    manners: list[Manners] = field(factory=list)

    @staticmethod
    def of(seed: int) -> "Plan":
        """The plan of a seed."""
        chance = Random(f"plan {seed}")
        tables = chance.choice((1, 1, 1, 2))
        people = tables + chance.randrange(1, 5)
        weather = chance.choice(
            (
                Weather(0.0, 0.0, split=0.0),
                Weather(0.001, 0.05),
                Weather(0.01, 1.5, split=0.5),
                Weather(0.0, 0.2, window=chance.choice((512, 4096)), split=0.3),
            )
        )
        clocks: Clocks = chance.choice(("off", "casual", "brisk", "brisk"))
        wishes = [
            lobby.CreateTable(
                ruleset=chance.choice(("lrc", "lrc", "classical")),
                clocks=clocks,
                bots=[chance.choice(("random", "random", "steady")) for _ in range(3)],
                pad_windows=chance.random() < 0.2,
                public=chance.random() < 0.5,
                floor_ms=chance.choice((None, 0, 600)),
            )
            for _ in range(tables)
        ]
        manners = [
            Manners(
                lapse=chance.choice((0.0, 0.0, 0.05, 0.3)) if clocks != "off" else 0.0,
                wrong=chance.choice((0.0, 0.05, 0.2)),
                twice=chance.choice((0.0, 0.05)),
                slow=chance.choice((0.05, 0.5, 5.0)),
                restless=chance.choice((0.02, 0.1, 0.1, 1.0)),
                hostile=chance.random() < 0.2,
                eager=chance.choice((0.0, 0.5, 1.0)),
                text=chance.random() < 0.2,
            )
            for _ in range(people)
        ]
        settings = Settings(
            listen=Listen(port=8000),
            tables=Tables(floor_ms=chance.choice((0, 600)), idle_seconds=chance.choice((90, 1800))),
            bots=Bots(*chance.choice(((0, 0), (500, 1300)))),
        )
        return Plan(seed, chance.choice((20.0, 40.0, 120.0)), tables, people, weather, settings, wishes, manners)


@frozen
class Report:
    """How a world went."""

    seed: int
    mark: str
    events: int
    deals: int
    messages: int
    steps: int
    losses: int
    seconds: float


class World:
    """`World(Plan.of(seed)).run()`. Raises Broken, ServerFault or whatever a client could not fold."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.agenda = Agenda()
        self.links: list[str] = []
        self.examiner = Examiner()
        self.house: House | None = None
        self.steps = 0
        self._chance = Random(f"world {plan.seed}")
        self._lines = 0
        self.people = [self._person(number) for number in range(plan.people)]

    def _person(self, number: int) -> Person:
        plan = self.plan
        wish = plan.wishes[number] if number < plan.tables else None
        chance = Random(f"person {plan.seed} {number}")
        return Person(self, number, chance, plan.manners[number], wish, sits=chance.random() < 0.8)

    # --- what people ask of it ---

    def dial(self, client: Client) -> None:
        """Open a line; where nobody listens it is refused."""
        self._lines += 1
        chance = Random(f"line {self.plan.seed} {self._lines}")
        if self.house is None or not self.house.dial(client, chance, self.plan.weather, self._lines):
            self.agenda.after(0.01, client.lost)

    def heard(self, person: Person, message: ToClient, frame: bytes, written: int) -> None:
        """A message has come to somebody."""
        self.examiner.heard(person, message, frame)

    def folded(self, person: Person) -> None:
        """Somebody knows more."""
        self.examiner.folded(person)

    # --- its course ---

    def run(self) -> Report:
        """From the opening of the house to its closing."""
        plan = self.plan
        with one_chance(plan.seed):
            hear_log(lambda: self.house)
            try:
                self._open()
                for person in self.people:
                    self.agenda.after(self._chance.uniform(0.0, 2.0), person.come)
                self._until(self.agenda.now + plan.seconds)
                self._close()
            finally:
                if self.house is not None:
                    self.house.kill()
        report = self.examiner
        return Report(
            seed=plan.seed,
            mark=report.mark.hexdigest(),
            events=report.events,
            deals=report.deals,
            messages=report.messages,
            steps=self.steps,
            losses=sum(person.losses for person in self.people),
            seconds=plan.seconds,
        )

    def _open(self) -> None:
        chance = Random(f"server {self.plan.seed}")
        self.house = House(self.agenda, self.plan.settings, chance, self.examiner.recorded)

    def _until(self, end: float) -> None:
        """Let time pass."""
        house = self.house
        assert house is not None
        while True:
            server, outside = house.loop.due(), self.agenda.due()
            if server is not None and server <= end and (outside is None or server <= outside):
                self.agenda.now = max(self.agenda.now, server)
                house.step()
                self.steps += 1
                self.examiner.examine(house.tables())
                if self.steps > MOST_STEPS:
                    raise Broken("the world goes on and on without time passing")
            elif outside is not None and outside <= end:
                self.agenda.step()
            else:
                self.agenda.now = end
                return

    def _close(self) -> None:
        """The people go, then the house: nothing is left of either."""
        house = self.house
        assert house is not None
        for person in self.people:
            person.retired = True
        house.leave()
        self._until(self.agenda.now + 120.0)
        house.examine_end()
