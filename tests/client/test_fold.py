"""The client's own fold (`web-client/src/state`) arrives at the server's snapshots, version by version.

Deals are played at a table here; what each viewer heard and what a newcomer would be shown is written down, and vitest
feeds it to the TypeScript that the browser runs.
"""

import itertools
import json
import os
import random
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from parlour_engine.rulesets import Ruleset
from parlour_engine.tiles import Kind
from parlour_server.protocol import events as told
from parlour_server.protocol.messages import Ask, Entropy, Pause, Say
from tests.kit.walls import scripted_wall
from tests.server.table.client import Client, plain
from tests.server.table.sitting import CLASSICAL, FAST, LIMIT, LRC, PEOPLE, CountedDeals, Sitting, people, steady

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SEED = 3

SEVERAL = scripted_wall(["5p", "46p123456789m11z777s", "34p222333666s22z123s", "5p111999777m333z555s"])
"""P1, P2 and P3 wait for the 5p that P0 throws."""
ROBBED = scripted_wall(["2m1z", "", "22m", "13m456p789m222s55s777z"], draws="9s9p8p2m")
"""P2 makes a pong of P0's 2m and draws the fourth, which P3 waits for."""
HEAVENLY = scripted_wall(["123456789m123456p99s", "", "", ""])
SEVEN = scripted_wall(["", "", "1f2f3f4f5f6f7f", ""])
EIGHT = scripted_wall(["1f", "", "", ""], tail="2f3f4f5f6f7f8f9p")
GONGS = scripted_wall(["1111m2222p3f", "44s", "", ""], tail="4f5z6z7z")
"""P0 has two concealed gongs, and flowers among the replacements."""
READY = scripted_wall(["123456789m123456p9s1z", "", "", ""])
"""P0 is ready with its first discard."""
PROMOTING = [
    *("turn promoted_gong 2m", "turn discard 2m", "turn discard 9s", "turn discard 9p", "turn discard 8p"),
    *("claim pong 2m", "claim pass"),
]
"""P3 must let the first 2m pass, or there is no gong to rob."""
SELF_DRAWN = scripted_wall(["2z", "46p123456789m11z777s", "", ""], draws="5p")
MANDARINS = CLASSICAL.with_options({"mandarins": True})
STRICT = CLASSICAL.with_options({"robbing": False})
CLAIMED = scripted_wall(["2z", "123m456p789s11s99m", "", ""], draws="1s", procedure=CLASSICAL.procedure)
"""P1 draws the 1s that it waits for; with 13 tiles the losers' hands are shown and scored."""
ADDED = scripted_wall(["2m1z", "", "22m", "13m456p789m55s777z"], draws="9s9p8p2m", procedure=CLASSICAL.procedure)
"""ROBBED with 13 tiles."""
KONGS = scripted_wall(["1111m2222p", "", "", ""], tail="5z6z", procedure=CLASSICAL.procedure)
DEALT_MANDARINS = scripted_wall(["1f2f", "", "3f", ""], tail="4f5z6z7z", procedure=MANDARINS.procedure)
"""Mandarins are replaced before the dealer's turn."""
HEADS = scripted_wall(["19m19p19s1234z5z5m5p5s", "", "", ""], procedure=LIMIT.procedure)
"""P0 may wash eleven different heads."""
COMPLETE = scripted_wall(["111m111p111s111z9m9m", "", "19m19p19s1234z", ""], procedure=LIMIT.procedure)
"""P0 is dealt a whole hand, and P2 may wash."""
LRC_CALLING = LRC.with_options({"calling": True})
"""Calling is a switch of the ruleset; with it more may happen and nothing less."""
SCRIPTS: list[tuple[Sequence[Kind], Sequence[str]]] = [
    (SEVERAL, ["turn discard 5p"]),
    (ROBBED, [*PROMOTING, "rob win"]),
    (ROBBED, [*PROMOTING, "rob pass"]),
    (SELF_DRAWN, ["turn win", "turn discard 2z", "claim pass"]),
    (HEAVENLY, []),
    (SEVEN, []),
    (EIGHT, []),
    (GONGS, []),
    (READY, ["turn call 1z"]),
]
DOUBLING: list[tuple[Ruleset, Sequence[Kind], Sequence[str]]] = [
    (CLASSICAL, CLAIMED, ["turn win", "turn discard 2z", "claim pass"]),
    (CLASSICAL, ADDED, [*PROMOTING, "rob win"]),
    (STRICT, ADDED, PROMOTING),
    (CLASSICAL, KONGS, ["turn concealed_gong 1m", "turn concealed_gong 2p"]),
    (MANDARINS, DEALT_MANDARINS, []),
    (LIMIT, HEADS, ["wash wash"]),
    (LIMIT, HEADS, ["wash pass"]),
    (LIMIT, COMPLETE, ["wash win", "wash wash"]),
    (LIMIT, COMPLETE, ["wash pass", "wash wash"]),
]


def choose(chance: random.Random, ask: Ask, forced: Sequence[str]) -> str:
    """What the script wants (an ask's kind and a move), else wins and gongs, often a claim, else anything."""
    for wanted in forced:
        kind, move = wanted.split(" ", 1)
        if kind == ask.kind and move in ask.moves:
            return move
    for verb, often in (
        ("win", 0.95),
        ("concealed", 0.9),
        ("promoted", 0.9),
        ("gong", 0.8),
        ("pong", 0.8),
        ("chow", 0.4),
    ):
        found = [move for move in ask.moves if move.startswith(verb)]
        if found and chance.random() < often:
            return chance.choice(found)
    if "pass" in ask.moves:
        return "pass"
    return chance.choice(ask.moves)


class Recording:
    """A sitting of four people and a watcher, and for each of them what it heard and should then know."""

    def __init__(
        self,
        walls: Sequence[Sequence[Kind]] = (),
        seed: int = SEED,
        ruleset: Ruleset = LRC_CALLING,
        *,
        company: bool = False,
    ) -> None:
        """In `company` the seats add to fair shuffles, talk, and want to pause and go on."""
        fair = CountedDeals() if company else None
        self.sitting = Sitting(people(0, 1, 2, 3), FAST, walls=walls, seed=seed, ruleset=ruleset, fair=fair)
        self._company = company
        self.clients = [self.sitting.join(person) for person in (*PEOPLE, "eve")]
        self._lines: list[list[dict[str, Any]]] = [[] for _ in self.clients]
        self._noted = [0] * len(self.clients)
        self._chance = random.Random(seed)

    def play(self, forced: Sequence[str] = (), deals: int | None = None) -> "Recording":
        """To the end of the match, or of so many deals."""
        self.sitting.start()
        self._note()
        while not self.sitting.table.over:
            if self._company:
                self._keep_company()
            asked = [client for client in self.clients if client.ask is not None]
            if self.sitting.table._flow.gate is not None:
                deal = self.sitting.table._course.history.deal
                if deal == deals:
                    break
                for client in self.clients[:4]:
                    self.sitting.ready(client, deal)
            elif asked:
                client = self._chance.choice(asked)
                assert client.ask is not None
                if forced or self._chance.random() < 0.3:
                    move = choose(self._chance, client.ask, forced)
                else:
                    move = steady(self.sitting.table, PEOPLE.index(client.person), client.ask)
                self.sitting.play(client, move)
            else:
                self.sitting.wait(1)
            self._note()
        return self

    def _keep_company(self) -> None:
        shuffle = self.clients[0].table["shuffle"]
        if shuffle is not None and shuffle["nonces"] is None:
            for client in self.clients[:3]:
                self.sitting.want(client, Entropy(shuffle["deal"], self._chance.randbytes(16).hex()))
        elif self._chance.random() < 0.05:
            client = self._chance.choice(self.clients)
            self.sitting.want(client, Say(f"Line {len(client.heard)}"))
        elif self._chance.random() < 0.05:
            client = self._chance.choice(self.clients[:4])
            self.sitting.want(client, Pause(self._chance.random() < 0.5))
        self._note()

    def _note(self) -> None:
        for position, client in enumerate(self.clients):
            fresh = client.heard[self._noted[position] :]
            if fresh:
                self._noted[position] = len(client.heard)
                snapshot = plain(self.sitting.table._snapshot(client.viewer))
                self._lines[position].append({"heard": [plain(message) for message in fresh], "table": snapshot})

    def viewers(self) -> Iterator[tuple[Client, list[dict[str, Any]]]]:
        yield from zip(self.clients, self._lines, strict=True)

    def happened(self) -> list[told.TableEvent]:
        return self.clients[0].events()


@pytest.fixture(scope="module")
def recordings() -> list[Recording]:
    """The scripted deals, and a whole match of every game."""
    scripted = [Recording([wall]).play(forced, deals=1) for wall, forced in SCRIPTS]
    doubling = [Recording([wall], ruleset=ruleset).play(forced, deals=1) for ruleset, wall, forced in DOUBLING]
    games = [Recording(ruleset=ruleset).play() for ruleset in (CLASSICAL, LIMIT)]
    return [*scripted, *doubling, Recording(company=True).play(), *games, Recording().play()]


def test_the_recordings_hold_everything_that_can_happen(recordings: list[Recording]) -> None:
    happened = [event for recording in recordings for event in recording.happened()]
    assert {event.e for event in happened} == {
        *("match_started", "deal_started", "flowers", "draw", "called", "discard", "meld", "promoted", "paid", "won"),
        *("exhausted", "settled", "match_ended", "washing_opened", "washing_closed", "washed", "hand_shown"),
        *("shuffle_committed", "shuffle_fixed", "shuffle_revealed"),
    }
    assert {event.by for event in happened if isinstance(event, told.Won)} == {
        *("discard", "self_draw", "robbed_gong", "dealt", "flowers")
    }
    forms = {event.meld.form for event in happened if isinstance(event, told.Melded)}
    assert forms == {"chow", "pong", "exposed_gong", "concealed_gong"}
    assert {event.reason for event in happened if isinstance(event, told.Paid)} >= {
        *("full_set", "concealed_gong", "washing")
    }
    assert max(len(event.wins) for event in happened if isinstance(event, told.Settled)) == 3
    after_a_promotion = [after.e for event, after in itertools.pairwise(happened) if isinstance(event, told.Promoted)]
    assert {"won", "draw"} <= set(after_a_promotion)
    for whole in recordings[-3:]:
        assert sum(isinstance(event, told.Settled) for event in whole.happened()) >= 4


def test_the_clients_fold_is_the_servers_snapshot_at_every_version(recordings: list[Recording], tmp_path: Path) -> None:
    written = tmp_path / "recording.jsonl"
    with written.open("w", encoding="utf-8") as file:
        for number, recording in enumerate(recordings):
            for client, steps in recording.viewers():
                line = {"name": f"recording {number} as {client.person} sees it", "steps": steps}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
    done = subprocess.run(
        [ROOT / "tools/npm.sh", "exec", "--", "vitest", "run", "tests/recorded.test.ts"],
        env={**os.environ, "PARLOUR_RECORDING": str(written)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout, done.stdout
