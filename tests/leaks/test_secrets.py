"""Seeds, tokens, links, identities, addresses: where they may be, and nowhere else."""

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import pytest

from parlour_server.admin.desk import Desk, Wrong
from parlour_server.admin.rulings import Rulings
from parlour_server.metrics import Metrics
from parlour_server.premises import Premises
from parlour_server.protocol import events, lobby, messages
from parlour_server.protocol.messages import Ask, FromClient, Play
from parlour_server.table.journal import Happened, Sealed, WallLaid
from tests.leaks.stage import Someone, Stage

PASSWORD = "correct horse battery"


def _forms(secret: str) -> list[bytes]:
    """The ways in which a secret in hex could be told."""
    raw = bytes.fromhex(secret)
    return [secret.encode(), raw, b64encode(raw).rstrip(b"="), urlsafe_b64encode(raw).rstrip(b"=")]


def _answer(someone: Someone, ask: Ask) -> None:
    chance = someone.stage.agenda_chance
    wins = [move for move in ask.moves if move == "win"]
    someone.after(chance.uniform(0.0, 0.4), Play(ask.version, wins[0] if wins else chance.choice(ask.moves)))


class _Session:
    """Four people of a private table and one of a public table, a watcher, somebody in the lobby; deals with real
    shuffles, people who come back, an account, a crash, everything that may be asked."""

    def __init__(self, stage: Stage, *, reveal: Any) -> None:
        self.stage = stage
        stage.agenda_chance = Random(4)
        self.everybody = {name: Someone(stage, name) for name in ("ann", "bob", "cat", "dan", "eve", "lou", "pub")}
        stage.wait(0.5)
        ann = self.everybody["ann"].come(
            lobby.CreateTable(clocks="off", floor_ms=0, start="together", bots=["steady"] * 3, reveal=reveal, rounds=1)
        )
        stage.wait(0.5)
        link = ann.table
        assert link is not None
        self.private = link
        self.everybody["pub"].come(lobby.CreateTable(clocks="brisk", public=True, reveal=reveal))
        free = [seat for seat in range(4) if seat != ann.you]
        for name, seat in zip(("bob", "cat", "dan"), free, strict=True):
            self.everybody[name].come(messages.Join(link), messages.TakeSeat(seat))
        self.everybody["eve"].come(messages.Join(link))
        self.everybody["lou"].come(lobby.Register("lou lou", PASSWORD))
        stage.wait(2.0)
        for someone in self.everybody.values():
            someone.answer = _answer
        ann.say(messages.Start())
        stage.agenda.after(0.1, self._look)

    def _look(self) -> None:
        for someone in self.everybody.values():
            if someone.client is None or someone.client.over:
                continue
            for message in someone.said[-6:]:
                told = message.events if isinstance(message, messages.Events) else []
                for event in told:
                    if isinstance(event, events.Settled):
                        someone.say(messages.Ready(event.deal))
                    if isinstance(event, events.ShuffleCommitted):
                        someone.say(messages.Entropy(event.deal, Random(event.deal).randbytes(16).hex()))
            asks: list[FromClient] = [
                lobby.ListTables(),
                lobby.ListMatches(mine=False),
                lobby.ListMatches(),
                lobby.AskStatistics(),
                messages.AskHistory(),
                messages.Why(),
                messages.Say("well played"),
                messages.Join("no-such-table"),
                messages.Play(1, "win"),
                messages.Hello(messages.PROTOCOL, someone.token),
                lobby.LogIn("lou lou", "wrong password"),
                lobby.Rename(f"{someone.name} {len(someone.said)}"),
            ]
            someone.say(self.stage.agenda_chance.choice(asks))
        self.stage.agenda.after(0.4, self._look)

    def live(self, seconds: float) -> None:
        """Let them play, with a crash in the middle."""
        stage = self.stage
        stage.wait(seconds / 2)
        stage.kill()
        stage.open()
        stage.wait(1.0)
        for someone in self.everybody.values():
            back = [messages.Join(someone.table, someone.version)] if someone.table is not None else []
            someone.come(*back)
        stage.wait(seconds / 2)


@pytest.mark.parametrize("reveal", ["deal", "match"])
def test_no_secret_is_where_it_does_not_belong(reveal: str) -> None:
    """G19, L01: no seed before its deal's reveal in any octet that anybody is sent, no tokens but in the one message
    that gives them, no link of a private table in a list, no identities or addresses anywhere, none of it logged."""
    with Stage(6) as stage:
        metrics = Metrics()
        session = _Session(stage, reveal=reveal)
        session.live(100.0)
        metrics_text = metrics.text(stage.agenda.now)
        health = repr(stage.parlour.health()).encode()
        sealed = {row.seed: row for row in stage.rows if isinstance(row, Sealed)}
        shown = {
            row.event.seed for row in stage.rows if isinstance(row, Happened) and row.event.e == "shuffle_revealed"
        }
        lines = repr(stage.log).encode()
        everybody = session.everybody
        tokens = {someone.token for someone in everybody.values()}
        identities = [row[0] for row in stage.disk.database.rows("SELECT id FROM identities")]
        keys = [row[0] for row in stage.disk.database.rows("SELECT * FROM sessions")]

    assert len(sealed) > 3
    assert len(tokens) == 7
    assert len(identities) >= 7
    assert bool(shown) is (reveal == "deal")
    for seed in sealed:
        assert not any(form in lines + metrics_text + health for form in _forms(seed))
    for someone in everybody.values():
        told: set[str] = set()
        for (_, frame), message in zip(someone.frames, someone.said, strict=True):
            if isinstance(message, messages.Events):
                told |= {event.seed for event in message.events if isinstance(event, events.ShuffleRevealed)}
            if isinstance(message, messages.Table) and message.shuffle is not None and message.shuffle.seed:
                # Whoever comes after the reveal is shown it too.
                assert message.shuffle.seed in shown
                told.add(message.shuffle.seed)
            for seed in sealed.keys() - told:
                if seed in shown and isinstance(message, messages.DealSoFar):
                    continue
                assert not any(form in frame for form in _forms(seed)), (someone.name, message)
            for token in tokens:
                assert token is not None
                given = isinstance(message, lobby.Welcome | lobby.SignedIn) and message.token == token == someone.token
                assert given or token.encode() not in frame, (someone.name, type(message))
            for identity in identities:
                assert not any(form in frame for form in _forms(identity)), (someone.name, type(message))
            assert b"127.0.0.1" not in frame
            assert b"10.0.0.1" not in frame
            assert PASSWORD.encode() not in frame
            if isinstance(message, lobby.Tables | lobby.Matches | lobby.Statistics | lobby.Welcome):
                assert session.private.encode() not in frame
        welcomes = [message for message in someone.said if isinstance(message, lobby.Welcome) and message.token]
        assert len(welcomes) == 1, "a token is told once"
    for secret in [*tokens, PASSWORD, session.private, *identities, "127.0.0.1", "10.0.0.1", "well played"]:
        assert secret is not None
        assert secret.encode() not in lines, secret
    assert all(isinstance(key, bytes) for key in keys[:1]) or not set(keys) & tokens


def _asked(stage: Stage, asking: Callable[[], Coroutine[Any, Any, str | None]]) -> str | None:
    """The answer to a question of the house."""
    with stage.loop.running():
        task = stage.loop.create_task(asking())
    stage.wait(1.0)
    return task.result()


def _keeper_hears(stage: Stage) -> str:
    """Every answer that the keeper can get, refusals included."""
    told = []
    with stage.loop.running():
        premises = Premises(stage.parlour, lambda: None, lambda: 0)
        desk = Desk(premises, Rulings(lambda _: None))
        tables = [room.match for room in premises.rooms()]
        orders: list[dict[str, object]] = [{"do": name} for name in ("status", "tables", "sockets", "bans", "nonsense")]
        for table in tables:
            orders += [{"do": "freeze", "table": table}, {"do": "thaw", "table": table}]
        orders += [{"do": name, "who": "Pub"} for name in ("mute", "unmute", "unban")]
        orders += [{"do": "freeze", "table": "0000"}, {"do": "drain", "on": True}, {"do": "drain", "on": False}]
        for order in orders:
            try:
                told.append(json.dumps(desk.obey(order)))
            except Wrong as wrong:
                told.append(str(wrong))
    return "\n".join(told)


@pytest.mark.parametrize("reveal", ["deal", "match"])
def test_neither_the_keeper_nor_the_records_tell_of_a_running_deal(reveal: str) -> None:
    """L01: no seed that was not revealed, no token, no link and no tile in what the keeper is told; a match's record is
    there when its last seed is shown, and not before."""
    with Stage(7) as stage:
        session = _Session(stage, reveal=reveal)
        heard = ""
        for _ in range(3):
            stage.wait(15.0)
            heard += _keeper_hears(stage)
            matches = [live.meta.match for live in stage.hall.tables.values()]
            assert len(matches) == 2
            for match in matches:
                assert _asked(stage, lambda match=match: stage.store.record(match)) is None  # type: ignore[misc]  # bound here
        seeds = {row.seed: row.context for row in stage.rows if isinstance(row, Sealed)}
        tokens = {someone.token for someone in session.everybody.values()}
        walls = [row.wall for row in stage.rows if isinstance(row, WallLaid)]
        links = list(stage.hall.tables)
        # One ends while the other plays: its record shows its own seeds, each of them revealed, and no other.
        (public,) = [live for live in stage.hall.tables.values() if live.public]
        (private,) = [live.meta.match for live in stage.hall.tables.values() if not live.public]
        with stage.loop.running():
            Premises(stage.parlour, lambda: None, lambda: 0).close_room(public.meta.match)
        stage.wait(2.0)
        record = _asked(stage, lambda: stage.store.record(public.meta.match))
        assert _asked(stage, lambda: stage.store.record(private)) is None
        revealed = {
            row.event.seed for row in stage.rows if isinstance(row, Happened) and row.event.e == "shuffle_revealed"
        }
    assert len(seeds) >= 2
    assert len(walls) >= 2
    assert private in heard, "it was told of the tables"
    assert "Ann" in heard or "ann" in heard
    for secret in [*seeds, *tokens, *links, PASSWORD]:
        assert secret is not None
        assert secret not in heard
    for wall in walls:
        for form in ("".join(wall[:6]), json.dumps(wall[:6])[1:-1], ", ".join(wall[:6])):
            assert form not in heard
    assert record is not None
    of_public = {seed for seed, context in seeds.items() if public.meta.match in context}
    assert of_public
    assert of_public <= revealed
    for seed in seeds:
        assert (seed in record) is (seed in of_public)
    for secret in [*tokens, *links]:
        assert secret is not None
        assert secret not in record
