"""Four people and a watcher do anything in any order; the table keeps its promises (checked after every call)."""

from typing import Any

import attrs
from hypothesis import settings as profile
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from parlour_engine.rulesets import Ruleset
from parlour_server.protocol.messages import AskHistory, EndMatch, Entropy, Pause, Play, Ready, Say, TakeSeat
from parlour_server.protocol.values import Stopped
from parlour_server.table import Settings
from tests.server.table.client import Client
from tests.server.table.sitting import FAST, PEOPLE, RULESETS, CountedDeals, Sitting, by_chance, people

QUICK = attrs.evolve(FAST, unwatched=False, pause_ms=5000)
"""No waiting but after a deal: bots alone would otherwise play a whole match within one call."""
SEATS = st.integers(0, 3)
TABLES = st.sampled_from(
    [
        QUICK,
        Settings.of("casual"),
        Settings.of("casual", pad_windows=True),
        Settings.of("casual", floor_ms=0),
        Settings.of("brisk"),
        Settings.of("off"),
        attrs.evolve(Settings.of("brisk"), watching="late", reveal="deal"),
        attrs.evolve(QUICK, watching="never"),
    ]
)
REASONS = st.sampled_from(["storage", "frozen"])


class Parlour(RuleBasedStateMachine):
    """`lines` are the connections that are up, `cut` clients whose line dropped and who remember what they saw."""

    @initialize(
        seed=st.integers(0, 10_000),
        settings=TABLES,
        seated=st.sets(SEATS, min_size=1),
        ruleset=st.sampled_from(RULESETS),
        fair=st.booleans(),
    )
    def begin(self, seed: int, settings: Settings, seated: set[int], ruleset: Ruleset, fair: bool) -> None:
        source = CountedDeals(seed) if fair else None
        self.sitting = Sitting(people(*seated), settings, seed=seed, bots=by_chance(seed), ruleset=ruleset, fair=source)
        self.lines = [self.sitting.join(PEOPLE[seat]) for seat in sorted(seated)]
        self.lines.append(self.sitting.join("eve"))
        self.cut: list[Client] = []
        self.sitting.start()
        self.sitting.wait(2)

    def one(self, data: Any) -> Client | None:
        self.lines = [line for line in self.lines if self.sitting.table.here(line.viewer)]
        return data.draw(st.sampled_from(self.lines)) if self.lines else None

    def asked(self) -> list[Client]:
        """Whoever may answer; an ask lapses when a stand-in was faster, which the client hears as an event."""
        return [line for line in self.lines if line.ask is not None and self.sitting.table.here(line.viewer)]

    @rule(data=st.data())
    def answer(self, data: Any) -> None:
        asked = self.asked()
        if not asked:
            return
        client = data.draw(st.sampled_from(asked))
        errors = len(client.errors())
        self.sitting.play(client, data.draw(st.sampled_from(client.ask.moves)))
        assert client.errors()[errors:] in ([], ["stale"], ["too_late"], ["stopped"])

    @rule(moves=st.integers(1, 30))
    def go_on(self, moves: int) -> None:
        """Everybody answers what comes, so that deals get somewhere."""
        for _ in range(moves):
            asked = self.asked()
            if asked:
                assert asked[0].ask is not None
                self.sitting.play(asked[0], asked[0].ask.moves[-1])

    @rule(
        data=st.data(),
        ahead=st.integers(-4, 4),
        move=st.sampled_from(["win", "pass", "wash", "discard 5p", "nonsense", ""]),
    )
    def talk_nonsense(self, data: Any, ahead: int, move: str) -> None:
        client = self.one(data)
        if client is None:
            return
        sitting = self.sitting
        version = max(0, sitting.table.version + ahead)
        if client.ask is not None and version == client.ask.version and move in client.ask.moves:
            return
        sitting.table.tick(sitting.now)
        sitting.drain()
        before, errors = sitting.state(), len(client.errors())
        sitting.table.receive(client.viewer, Play(version, move, 5), sitting.now)
        assert sitting.state() == before
        sitting.drain()
        assert len(client.errors()) == errors + 1

    @rule(data=st.data(), deal=st.integers(0, 3))
    def be_ready(self, data: Any, deal: int) -> None:
        client = self.one(data)
        if client is not None:
            number = self.sitting.table._course.history.deal
            self.sitting.table.receive(client.viewer, Ready(max(0, number - 1 + deal)), self.sitting.now)
            self.sitting.drain()

    @rule(data=st.data(), seat=SEATS)
    def sit_down(self, data: Any, seat: int) -> None:
        client = self.one(data)
        if client is not None:
            self.sitting.table.receive(client.viewer, TakeSeat(seat), self.sitting.now)
            self.sitting.drain()

    @rule(data=st.data())
    def drop(self, data: Any) -> None:
        client = self.one(data)
        if client is not None:
            self.lines.remove(client)
            self.cut.append(client)
            self.sitting.drop(client)

    @rule(data=st.data(), remembers=st.booleans())
    def come_back(self, data: Any, remembers: bool) -> None:
        if self.cut:
            client = self.cut.pop(data.draw(st.integers(0, len(self.cut) - 1)))
            again = self.sitting.join(client.person, client=client if remembers else None)
            self.lines.append(again)

    @rule(person=st.sampled_from([*PEOPLE, "eve", "fay"]))
    def open_a_tab(self, person: str) -> None:
        if len(self.lines) < 8:
            self.lines.append(self.sitting.join(person))

    @rule(data=st.data())
    def leave(self, data: Any) -> None:
        client = self.one(data)
        if client is not None:
            self.lines.remove(client)
            self.sitting.leave(client)
            del self.sitting.clients[client.viewer]

    @rule(seconds=st.sampled_from([0.0, 0.001, 0.3, 0.6, 1.0, 5.0, 8.0, 21.0, 61.0]))
    def wait(self, seconds: float) -> None:
        if self.sitting.table.stopped is None:
            self.sitting.wait(seconds)

    @rule(data=st.data(), wanted=st.booleans(), end=st.booleans())
    def vote(self, data: Any, wanted: bool, end: bool) -> None:
        client = self.one(data)
        if client is not None:
            self.sitting.want(client, EndMatch(wanted) if end else Pause(wanted))

    @rule(data=st.data(), deal=st.none() | st.integers(0, 3), text=st.text(min_size=1, max_size=20))
    def say_and_look_back(self, data: Any, deal: int | None, text: str) -> None:
        client = self.one(data)
        if client is not None:
            before = self.sitting.state()
            self.sitting.want(client, Say(text))
            self.sitting.want(client, AskHistory(deal))
            assert self.sitting.state() == before

    @rule(data=st.data(), ahead=st.integers(-1, 2), nonce=st.sampled_from(["0" * 32, "f" * 32, "x" * 32]))
    def add_to_the_shuffle(self, data: Any, ahead: int, nonce: str) -> None:
        client = self.one(data)
        if client is not None:
            self.sitting.want(client, Entropy(max(0, self.sitting.table._course.history.deal + ahead), nonce))

    @rule(reason=REASONS)
    def stop(self, reason: Stopped) -> None:
        self.sitting.stop(reason)

    @rule()
    def go_on_again(self) -> None:
        for reason in ("storage", "frozen", "restart"):
            self.sitting.go_on(reason)

    @rule(data=st.data(), back=st.sets(st.integers(0, 7)))
    def crash(self, data: Any, back: set[int]) -> None:
        """The server dies: every line with it, and some come back at once."""
        lines, self.lines = [line for line in self.lines if self.sitting.table.here(line.viewer)], []
        self.sitting.crash()
        for number, line in enumerate(lines):
            if number in back:
                self.lines.append(self.sitting.join(line.person, client=line if data.draw(st.booleans()) else None))
            else:
                self.cut.append(line)

    @invariant()
    def every_line_is_up_to_date(self) -> None:
        if hasattr(self, "sitting"):
            for line in self.lines:
                if self.sitting.table.here(line.viewer):
                    assert line.version == self.sitting.table._shown.version(line.viewer)

    @invariant()
    def a_persons_tabs_never_share_a_seat(self) -> None:
        if hasattr(self, "sitting"):
            audience = self.sitting.table._audience
            chairs = [chair.seat for chair in audience.seated.values()]
            assert len(chairs) == len(set(chairs))
            for viewer, chair in audience.seated.items():
                assert chair.viewer == viewer
                assert chair.person is not None
                assert chair.person.id == audience.people[viewer]


TestParlour = Parlour.TestCase
TestParlour.settings = profile(max_examples=max(10, profile().max_examples // 2), stateful_step_count=40)
