"""A whole world of one seed: a server, its network, its disk, its people, and what befalls them."""

from random import Random
from typing import Final

from attrs import frozen

from parlour_server.protocol.messages import ToClient
from tests.simulation.agenda import Agenda
from tests.simulation.client import Client
from tests.simulation.disk import Disk
from tests.simulation.examiner import Broken, Examiner
from tests.simulation.house import House, hear_log, one_chance
from tests.simulation.person import Person
from tests.simulation.plan import Plan

MOST_STEPS: Final = 400_000
"""A world that takes more than this is in a loop that no time passes in."""
LAST_WORDS: Final = 150.0
"""Seconds in which everything has to come to its end, longer than any time limit of a line."""


@frozen
class Report:
    """How a world went; `mark` is the fingerprint of every byte that arrived anywhere and of every row."""

    seed: int
    mark: str
    events: int
    deals: int
    messages: int
    steps: int
    losses: int
    crashes: int
    commits: int
    failures: int
    records: tuple[str, ...]
    """The matches that are over, as they are kept."""


class World:
    """`World(Plan.of(seed)).run()`. Raises Broken, ServerFault or whatever a client could not fold."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.agenda = Agenda()
        self.links: list[str] = []
        self.examiner = Examiner()
        self.disk = Disk(plan.speed(self.agenda.now))
        self.house: House | None = None
        self.crashes = 0
        self._chance = Random(f"world {plan.seed}")
        self._lines = 0
        self._steps = 0
        self._to_crash = sorted([self.agenda.now + at for at in plan.crashes], reverse=True)
        self._look = self.agenda.now
        """When the lines are looked at next."""
        self._further = 0
        """Steps that the server still takes before it crashes."""
        self.people = [self._person(number) for number in range(len(plan.manners))]

    def _person(self, number: int) -> Person:
        plan = self.plan
        wish = plan.wishes[number] if number < len(plan.wishes) else None
        chance = Random(f"person {plan.seed} {number}")
        return plan.kind(self, number, chance, plan.manners[number], wish, plan.steady or chance.random() < 0.8)

    # --- what people ask of it ---

    def dial(self, client: Client) -> None:
        """Open a line; where nobody listens it is refused."""
        self._lines += 1
        chance = Random(f"line {self.plan.seed} {self._lines}")
        if self.house is None or not self.house.dial(client, chance, self.plan.weather, self._lines):
            self.agenda.after(0.01, client.lost)

    def heard(self, person: Person, message: ToClient, frame: bytes, written: int) -> None:
        """A message has come to somebody."""
        self.examiner.heard(person, message, frame, lambda table: self.disk.version(table, written))

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
                records = tuple(self.disk.records())
            finally:
                if self.house is not None:
                    self.house.kill()
                self.disk.close()
        found = self.examiner
        return Report(
            seed=plan.seed,
            mark=found.mark.hexdigest(),
            events=found.events,
            deals=found.deals,
            messages=found.messages,
            steps=self._steps,
            losses=sum(person.losses for person in self.people),
            crashes=self.crashes,
            commits=self.disk.commits,
            failures=self.disk.failures,
            records=records,
        )

    def _open(self) -> None:
        chance = Random(f"server {self.plan.seed} {self.crashes}")
        self.house = House(
            self.agenda,
            self.plan.settings,
            chance,
            self.disk,
            self.examiner.recorded,
            demonstration=self.plan.demonstration,
            steps=self._steps,
        )

    def _until(self, end: float) -> None:
        """Let time pass."""
        while True:
            house = self.house
            server, outside = None if house is None else house.loop.due(), self.agenda.due()
            if house is not None and server is not None and server <= end and (outside is None or server <= outside):
                self.agenda.now = max(self.agenda.now, server)
                self._step(house)
            elif outside is not None and outside <= end:
                self.agenda.step()
            else:
                self.agenda.now = end
                return

    def _step(self, house: House) -> None:
        resumed = house.resumed is not None
        house.step()
        self._steps = house.loop.steps
        if not resumed and house.resumed is not None:
            self.examiner.resumed(house.resumed)
        self.examiner.examine(house.tables())
        self.examiner.stands(house.tables(), house.store.troubled)
        if self.agenda.now >= self._look:
            self._look = self.agenda.now + 1.0
            self.examiner.listen(house.lines(), self.agenda.now)
        if self._steps > MOST_STEPS:
            raise Broken("the world goes on and on without time passing")
        if self._to_crash and self._to_crash[-1] <= self.agenda.now:
            if not self._further:
                self._further = self._chance.choice((1, 2, 5, 20, 100))
            self._further -= 1
            if not self._further:
                self._crash(house)

    def _crash(self, house: House) -> None:
        """Between two callbacks the process is gone; after a while there is another."""
        self._to_crash.pop()
        self.crashes += 1
        house.kill()
        self.house = None
        self.examiner.crashed(self.disk)
        self.agenda.after(self._chance.choice(self.plan.away), self._open)

    def _close(self) -> None:
        """The people go, then the house: nothing is left of either."""
        self._to_crash.clear()
        self.disk.speed = self.plan.speed(self.agenda.now, good=True)
        self._until(self.agenda.now + (0.0 if self.house is not None and self.house.open else 10.0))
        house = self.house
        assert house is not None
        for person in self.people:
            person.retired = True
        house.leave()
        self._until(self.agenda.now + LAST_WORDS)
        house.examine_end()
