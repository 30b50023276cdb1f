"""What a seed stands for: how many people, how bad the lines and the disk are, and when the server is killed."""

from random import Random

from attrs import evolve, field, frozen

from parlour_server.protocol import lobby
from parlour_server.protocol.values import Clocks
from parlour_server.settings import Bots, Listen, Settings, Tables
from tests.simulation.disk import Speed
from tests.simulation.network import Weather
from tests.simulation.person import Manners, Person, SteadyPerson


@frozen
class Plan:
    """Times are seconds from the beginning."""

    seed: int
    seconds: float
    weather: Weather
    settings: Settings
    wishes: list[lobby.CreateTable]
    """The tables that the first people make."""
    manners: list[Manners]
    """Of each of them."""
    commit: tuple[float, float] = (0.0005, 0.01)
    full: list[tuple[float, float]] = field(factory=list)
    """When the disk is full, and for how long."""
    crashes: list[float] = field(factory=list)
    away: tuple[float, ...] = (0.05, 0.5, 4.0)
    """How long the server may be gone after a crash."""
    demonstration: bool = False
    steady: bool = False
    """Nothing but the crashes is left to chance, and four people play a whole match."""

    @property
    def kind(self) -> type[Person]:
        """Who lives in this world."""
        return SteadyPerson if self.steady else Person

    def speed(self, begun: float, *, good: bool = False) -> Speed:
        """The disk's, by the world's clock; a good one is never full."""
        full = () if good else tuple([(begun + at, begun + at + long) for at, long in self.full])
        return Speed(self.commit, (0.0, 0.0) if self.steady else (0.0005, 0.02), full)

    @staticmethod
    def of(seed: int) -> "Plan":
        """The plan of a seed."""
        chance = Random(f"plan {seed}")
        tables = chance.choice((1, 1, 1, 2))
        people = tables + chance.randrange(1, 5)
        clocks: Clocks = chance.choice(("off", "casual", "brisk", "brisk"))
        seconds = chance.choice((20.0, 40.0, 120.0))
        return Plan(
            seed=seed,
            seconds=seconds,
            weather=chance.choice(
                (
                    Weather(0.0, 0.0, split=0.0),
                    Weather(0.001, 0.05),
                    Weather(0.01, 1.5, split=0.5),
                    Weather(0.0, 0.2, window=chance.choice((512, 4096)), split=0.3),
                )
            ),
            settings=Settings(
                listen=Listen(port=8000),
                tables=Tables(floor_ms=chance.choice((0, 600)), idle_seconds=chance.choice((90, 1800))),
                bots=Bots(*chance.choice(((0, 0), (500, 1300)))),
            ),
            wishes=[_wish(chance, clocks) for _ in range(tables)],
            manners=[_manners(chance, clocks) for _ in range(people)],
            commit=chance.choice(((0.0, 0.0), (0.0005, 0.01), (0.001, 0.3))),
            full=[(chance.uniform(0, seconds), chance.choice((1.0, 15.0))) for _ in range(chance.choice((0, 0, 0, 1)))],
            crashes=[chance.uniform(0, seconds) for _ in range(chance.choice((0, 0, 1, 1, 3)))],
            demonstration=chance.random() < 0.03,
        )

    @staticmethod
    def of_match(seed: int, crashes: int) -> "Plan":
        """Four steady people play a match of four deals or more, while the server is killed so often."""
        chance = Random(f"match {seed}")
        clocks: Clocks = chance.choice(("off", "brisk"))
        wish = lobby.CreateTable(
            ruleset=chance.choice(("lrc", "classical")), clocks=clocks, rounds=1, start="together", floor_ms=0
        )
        manners = Manners(slow=0.2, eager=1.0)
        seconds = 60.0
        return Plan(
            seed=seed,
            seconds=seconds,
            weather=Weather(0.0, 0.0, split=0.0),
            settings=Settings(listen=Listen(port=8000), tables=Tables(floor_ms=0)),
            wishes=[wish],
            manners=[manners] * 4,
            commit=(0.0, 0.0),
            crashes=sorted([chance.uniform(3.0, 55.0) for _ in range(crashes)]),
            steady=True,
        )

    @staticmethod
    def of_whole_match(seed: int, crashes: int) -> "Plan":
        """A steady person and three bots that take no time play a match of one round to its end."""
        plan = Plan.of_match(seed, crashes)
        bots = evolve(plan.wishes[0], bots=["steady"] * 3, start="now")
        return evolve(
            plan,
            seconds=180.0,
            settings=evolve(plan.settings, bots=Bots(0, 0)),
            wishes=[bots],
            manners=plan.manners[:1],
            # The shortest match takes eight seconds, and something happens between two kills.
            crashes=[2.5 + 1.6 * number + at / 100 for number, at in enumerate(plan.crashes)],
            away=(0.05, 0.5),
        )

    @staticmethod
    def of_visitors(watchers: int) -> "Plan":
        """Three tables, so many watchers, and two kills; nobody leaves, and every line is good."""
        wishes = [lobby.CreateTable(clocks="off", bots=["random"] * 3, floor_ms=100) for _ in range(3)]
        calm = Manners(lapse=0.0, wrong=0.0, twice=0.0, slow=0.2, restless=1e-6)
        return Plan(
            seed=watchers,
            seconds=60.0,
            weather=Weather(0.001, 0.02),
            settings=Settings(listen=Listen(port=8000)),
            wishes=wishes,
            manners=[calm] * (3 + watchers),
            crashes=[20.0, 40.0],
        )

    def without_crashes(self) -> "Plan":
        """The same, but for those."""
        return evolve(self, crashes=[])


def _wish(chance: Random, clocks: Clocks) -> lobby.CreateTable:
    return lobby.CreateTable(
        ruleset=chance.choice(("lrc", "lrc", "classical")),
        clocks=clocks,
        bots=[chance.choice(("random", "random", "steady")) for _ in range(3)],
        pad_windows=chance.random() < 0.2,
        public=chance.random() < 0.5,
        start=chance.choice(("now", "now", "together")),
        watching=chance.choice(("live", "live", "late", "never")),
        reveal=chance.choice(("deal", "match")),
        floor_ms=chance.choice((None, 0, 600)),
    )


def _manners(chance: Random, clocks: Clocks) -> Manners:
    return Manners(
        lapse=chance.choice((0.0, 0.0, 0.05, 0.3)) if clocks != "off" else 0.0,
        wrong=chance.choice((0.0, 0.05, 0.2)),
        twice=chance.choice((0.0, 0.05)),
        slow=chance.choice((0.05, 0.5, 5.0)),
        restless=chance.choice((0.02, 0.1, 0.1, 1.0)),
        hostile=chance.random() < 0.2,
        eager=chance.choice((0.0, 0.5, 1.0)),
        text=chance.random() < 0.2,
    )
