"""A second opinion on a whole deal: the rules of play once more, slowly and from their text alone.

It reads docs/rules-lrc.md section 2 and docs/rules-classical.md and nothing of the program but its words for tiles,
sets, moves and events. Given the wall and what was asked for, it says what everybody may do and what happens next.
"""

from parlour_engine.events import (
    BY_DEALT,
    BY_DISCARD,
    BY_FLOWERS,
    BY_ROBBED_GONG,
    BY_SELF_DRAW,
    CONCEALED_GONG_PAID,
    FLOWER_REPLACEMENT,
    FULL_SET,
    GONG_REPLACEMENT,
    MIXED_SET,
    WALL,
    WASHED,
    Called,
    DealStarted,
    Discarded,
    Drew,
    Event,
    Exhausted,
    FlowersExposed,
    HandShown,
    Melded,
    Paid,
    Promoted,
    Washed,
    WashingClosed,
    WashingOpened,
    Won,
)
from parlour_engine.melds import CHOW, CONCEALED_GONG, EXPOSED_GONG, PONG, PROMOTED_GONG, Meld
from parlour_engine.notation import hand_text, parse_tiles, tile_text
from parlour_engine.procedure import Procedure
from tests.engine.referee_shapes import ORPHANS, nico_nico, sixteen_orphans, standard, thirteen_orphans, without
from tests.kit.stacks import Stacks

TURN, CLAIM, ROB, WASH, OVER = "turn", "claim", "rob", "wash", "over"


class Referee:
    """A deal as the rules see it. `moves(seat)` are texts; `told` everything that has happened."""

    def __init__(
        self, procedure: Procedure, wall: list[int], dice: tuple[int, ...], dealer: int, wind: int, streak: int
    ) -> None:
        self.rules = procedure
        self.wall = wall
        self.dealer = dealer
        self.told: list[Event] = []
        self.hands: list[list[int]] = [[], [], [], []]
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.flowers: list[list[int]] = [[], [], [], []]
        self.set_paid = [0, 0, 0, 0]
        self.missed: list[set[int]] = [set(), set(), set(), set()]
        self.called = [False] * 4
        self.discards: list[list[int]] = [[], [], [], []]
        self.thrown = 0
        self.state, self.seat, self.kind = TURN, dealer, -1
        self.drawn = self.claimed = self.source = -1
        self.opening, self.last_live = True, False
        self.chain = 0
        self.answers: dict[int, str] = {}
        self.options: list[set[str]] = [set()] * 4
        # P5; classical 1 with 4, 4, 4 and 1
        self.head, self.tail = 0, len(wall)
        self.stacks = Stacks(len(wall)) if procedure.loose_tiles else None
        order = [(dealer + turn) % 4 for turn in range(4)]
        for portion in (4, 4, 4, procedure.hand_size - 12):
            for seat in order:
                self.hands[seat] += self._take(portion)
        self.hands[dealer] += self._take(1)
        dealt = [tuple(sorted(hand)) for hand in self.hands]
        self.told.append(DealStarted(dealer, wind, streak, dice, tuple(wall), tuple(dealt)))
        # P6
        for seat in order:
            if self.state != OVER:
                self._flowers(seat, opening=True)
        if procedure.washing:
            self.told.append(WashingOpened())
            self.state = WASH
            self.options = [self._washes(seat) for seat in range(4)]

    # --- what is left ---

    def _take(self, number: int) -> list[int]:
        tiles = self.wall[self.head : self.head + number]
        self.head += number
        return tiles if self.stacks is None else [self.wall[self.stacks.drawn()] for _ in tiles]

    def _replacement(self) -> int:
        """P8; classical A-29."""
        self.tail -= 1
        return self.wall[self.tail if self.stacks is None else self.stacks.replaced()]

    def live(self) -> int:
        """P8."""
        return max(0, self.tail - self.head - self.rules.reserve)

    # --- who may do what ---

    def held(self, seat: int, kind: int) -> int:
        """Copies in hand and declared sets."""
        return self.hands[seat].count(kind) + sum(meld.tiles().count(kind) for meld in self.melds[seat])

    def complete(self, seat: int, tiles: list[int], special: bool = True) -> bool:
        """A whole hand, in any reading."""
        melds = self.melds[seat]
        if self.rules.hand_size == 13:
            # Classical 7: single heads.
            heads = special and not melds and bool(self.rules.forms) and thirteen_orphans(tiles, gong=True)
            return standard(tiles, 4 - len(melds)) or heads
        one_gong = len(melds) == 1 and melds[0].form == CONCEALED_GONG
        if standard(tiles, self.rules.sets - len(melds)):
            return True
        if not special:
            return False
        return (not melds and (nico_nico(tiles) or sixteen_orphans(tiles) or thirteen_orphans(tiles, gong=False))) or (
            one_gong and thirteen_orphans(tiles, gong=True)
        )

    def _heads(self, seat: int) -> int:
        return len(set(self.hands[seat]) & set(ORPHANS))

    def _washes(self, seat: int) -> set[str]:
        """Classical 7: nine different heads may wash; the dealer may win with what he was dealt (A-13)."""
        moves = {"wash"} if self._heads(seat) >= 9 else set()
        if seat == self.dealer and self.complete(seat, self.hands[seat]):
            moves.add("win")
        return moves | {"pass"} if moves else set()

    def could_win(self, seat: int, kind: int) -> bool:
        """On a tile of another seat, P17 and P25 included."""
        return kind not in self.missed[seat] and self.complete(seat, [*self.hands[seat], kind])

    def moves(self, seat: int) -> set[str]:
        """What the seat may do now."""
        if self.state == TURN:
            return self._turn() if seat == self.seat else set()
        return set() if seat in self.answers or self.state == OVER else self.options[seat]

    def _turn(self) -> set[str]:
        seat, hand = self.seat, self.hands[self.seat]
        moves: set[str] = set()
        after_claim = self.claimed >= 0
        if not after_claim and (self.drawn >= 0 or self.opening) and self.complete(seat, hand):
            moves.add("win")
        if self.called[seat]:
            return moves | {f"discard {tile_text(self.drawn)}"}
        if self.live() and (not after_claim or self.rules.gong_in_claim_turn):
            moves |= {f"concealed_gong {tile_text(kind)}" for kind in hand if hand.count(kind) == 4}
            pongs = [meld.kind for meld in self.melds[seat] if meld.form == PONG]
            moves |= {f"promoted_gong {tile_text(kind)}" for kind in pongs if kind in hand}
        for kind in set(hand):
            if not (after_claim and not self.rules.swap_claim and kind == self.claimed):
                moves.add(f"discard {tile_text(kind)}")
            if self.rules.calling and not after_claim and self._ready_without(seat, kind):
                moves.add(f"call {tile_text(kind)}")
        return moves

    def _ready_without(self, seat: int, kind: int) -> bool:
        """P23: in the standard shape; a fully exposed hand may not call."""
        melds = self.melds[seat]
        if len(melds) == self.rules.sets and all(meld.form != CONCEALED_GONG for meld in melds):
            return False
        rest = without(self.hands[seat], [kind]) or []
        return any(
            rest.count(tile) + sum(meld.tiles().count(tile) for meld in melds) < 4
            and self.complete(seat, [*rest, tile], special=False)
            for tile in range(34)
        )

    def _claims(self, seat: int) -> set[str]:
        kind, hand = self.kind, self.hands[seat]
        moves = {"win"} if self.could_win(seat, kind) else set()
        # P10; or the last tile's discard may go into a set, and what its claimant throws may not (classical A-10).
        only_wins = self.rules.last_discard_only_wins or self.claimed >= 0
        if self.called[seat] or (only_wins and not self.live()):
            return moves

        def leaves_a_discard(gone: list[int]) -> bool:
            rest = without(hand, gone)
            return rest is not None and (self.rules.swap_claim or any(tile != kind for tile in rest))

        if leaves_a_discard([kind, kind]):
            moves.add(f"pong {tile_text(kind)}")
        if hand.count(kind) == 3 and self.live():
            moves.add(f"gong {tile_text(kind)}")
        if seat == (self.seat + 1) % 4 and kind < 27:
            for low in (kind - 2, kind - 1, kind):
                run = [low, low + 1, low + 2]
                if low >= 0 and low // 9 == run[2] // 9 == kind // 9:
                    if leaves_a_discard([tile for tile in run if tile != kind]):
                        moves.add(f"chow {hand_text(run)}")
        return moves

    # --- what happens ---

    def does(self, seat: int, move: str) -> list[Event]:
        """The seat's move and its consequences."""
        begin = len(self.told)
        if self.state in (CLAIM, ROB, WASH):
            self.answers[seat] = move
            return []
        verb, _, text = move.partition(" ")
        kind = parse_tiles(text)[0] if text else -1
        if verb == "win":
            hand = sorted(self.hands[seat])
            if self.drawn < 0:
                self._over(Won(seat, BY_DEALT, -1, -1, tuple(hand)))
            else:
                hand.remove(self.drawn)
                self._over(Won(seat, BY_SELF_DRAW, self.drawn, -1, tuple(hand)))
        elif verb in ("discard", "call"):
            if verb == "call":
                self.called[seat] = True
                self.told.append(Called(seat))
            self.hands[seat].remove(kind)
            self.discards[seat].append(kind)
            self.thrown += 1
            self.told.append(Discarded(seat, kind, kind == self.drawn))
            self._window(CLAIM, seat, kind)
        else:
            linked = self.chain > 0 and kind == self.drawn
            self.chain = self.chain + 1 if linked else 1
            self.opening, self.claimed, self.drawn = False, -1, -1
            if verb == "promoted_gong":
                self.hands[seat].remove(kind)
                self.told.append(Promoted(seat, kind))
                if self.rules.robbing:
                    self._window(ROB, seat, kind)
                else:
                    self._grown(seat, kind)
            else:
                self.hands[seat] = without(self.hands[seat], [kind] * 4) or []
                self._meld(seat, Meld(CONCEALED_GONG, kind))
                self._pay(seat, CONCEALED_GONG_PAID, self.rules.concealed_gong_bases * self.rules.base)
                self._replace(seat, GONG_REPLACEMENT)
        return self.told[begin:]

    def _window(self, state: str, seat: int, kind: int) -> None:
        self.state, self.seat, self.kind, self.answers = state, seat, kind, {}
        self.options = [set()] * 4
        for other in range(4):
            if other != seat:
                robs = {"win"} if state == ROB and self.could_win(other, kind) else set()
                moves = robs if state == ROB else self._claims(other)
                self.options[other] = moves | {"pass"} if moves else set()

    def closes(self) -> list[Event]:
        """P12, P15, P16: the window is over."""
        begin = len(self.told)
        if self.state == WASH:
            self._washing_is_over()
            return self.told[begin:]
        payer, kind = self.seat, self.kind
        in_turn = [(payer + step) % 4 for step in (1, 2, 3)]
        winners = [seat for seat in in_turn if self.answers.get(seat) == "win"]
        if winners:
            by = BY_DISCARD if self.state == CLAIM else BY_ROBBED_GONG
            if self.rules.nearest_winner_only:
                del winners[1:]
            self._over(*[Won(seat, by, kind, payer, tuple(sorted(self.hands[seat]))) for seat in winners])
            return self.told[begin:]
        if self.rules.missed_win:
            for seat in in_turn:
                if "win" in self.options[seat]:
                    self.missed[seat].add(kind)
        if self.state == ROB:
            self._grown(payer, kind)
            return self.told[begin:]
        for verb in ("gong", "pong", "chow"):
            for seat in in_turn:
                answer = self.answers.get(seat, "pass")
                if answer.split(" ")[0] == verb:
                    self._claimed(seat, verb, parse_tiles(answer.split(" ")[1]))
                    return self.told[begin:]
        if not self.live():
            self._over(Exhausted())
        else:
            self._draw((payer + 1) % 4)
        return self.told[begin:]

    def _washing_is_over(self) -> None:
        """Classical 7: the dealer's hand first, then who washes first from the dealer on."""
        order = [(self.dealer + turn) % 4 for turn in range(4)]
        washers = [seat for seat in order if self.answers.get(seat) == "wash"]
        if self.answers.get(self.dealer) == "win":
            self._over(Won(self.dealer, BY_DEALT, -1, -1, tuple(sorted(self.hands[self.dealer]))))
        elif washers:
            heads = self._heads(washers[0])
            self.told.append(HandShown(washers[0], tuple(sorted(self.hands[washers[0]]))))
            self._over(Washed(washers[0], heads))
            self._pay(washers[0], WASHED, {9: 50, 10: 70, 11: 100, 12: 150, 13: 200}[heads])
        else:
            self.told.append(WashingClosed())
            self.state, self.seat, self.answers = TURN, self.dealer, {}

    def _grown(self, seat: int, kind: int) -> None:
        """The pong is a gong, and its owner draws."""
        melds = self.melds[seat]
        at = [meld.form == PONG and meld.kind == kind for meld in melds].index(True)
        melds[at] = Meld(PROMOTED_GONG, kind, melds[at].claimed, melds[at].source)
        self._replace(seat, GONG_REPLACEMENT)

    def _claimed(self, seat: int, verb: str, tiles: list[int]) -> None:
        payer, kind = self.seat, self.kind
        self.discards[payer].pop()
        gone = [tile for tile in tiles if tile != kind] if verb == "chow" else [kind] * (3 if verb == "gong" else 2)
        self.hands[seat] = without(self.hands[seat], gone) or []
        form = {"chow": CHOW, "pong": PONG, "gong": EXPOSED_GONG}[verb]
        self._meld(seat, Meld(form, tiles[0], kind, payer))
        self.state, self.seat = TURN, seat
        self.drawn = self.source = -1
        self.claimed, self.opening, self.last_live, self.chain = kind, False, False, 0
        if verb == "gong":
            self._replace(seat, GONG_REPLACEMENT)

    def _meld(self, seat: int, meld: Meld) -> None:
        self.melds[seat].append(meld)
        self.told.append(Melded(seat, meld))

    def _draw(self, seat: int) -> None:
        """P9, P11."""
        (kind,) = self._take(1)
        self.chain, self.claimed, self.opening = 0, -1, False
        self._got(seat, kind, WALL)

    def _replace(self, seat: int, source: int) -> None:
        self.claimed = -1
        self._got(seat, self._replacement(), source)

    def _got(self, seat: int, kind: int, source: int) -> None:
        self.state, self.seat = TURN, seat
        self.missed[seat] = set()
        self.hands[seat].append(kind)
        self.drawn, self.source, self.last_live = kind, source, source == WALL and not self.live()
        self.told.append(Drew(seat, kind, source))
        if kind >= 34:
            self._flowers(seat)

    def _flowers(self, seat: int, opening: bool = False) -> None:
        """P6, P7, P27, A-18 to A-23."""
        owed = 0
        kept = 0 if self.rules.reserve_replaces else self.rules.reserve
        while True:
            batch = tuple(sorted(tile for tile in self.hands[seat] if tile >= 34))
            if batch:
                owed += len(batch)
                self.hands[seat] = [tile for tile in self.hands[seat] if tile < 34]
                self.flowers[seat] += batch
                self.told.append(FlowersExposed(seat, batch))
                self._pay_sets(seat)
            elif owed and self.tail - self.head > kept:
                owed -= 1
                kind = self._replacement()
                self.hands[seat].append(kind)
                self.told.append(Drew(seat, kind, FLOWER_REPLACEMENT))
                if not opening:
                    self.drawn, self.source, self.last_live = kind, FLOWER_REPLACEMENT, False
            else:
                break
        if self.rules.flower_win and len(self.flowers[seat]) >= self.rules.flower_win:
            self._over(Won(seat, BY_FLOWERS, -1, -1, tuple(sorted(self.hands[seat]))))
        elif owed:
            self._over(Exhausted())

    def _pay_sets(self, seat: int) -> None:
        """A-16 to A-20: bases owed for the best set; seven or eight flowers are the highest and pay nothing by sets."""
        shown = set(self.flowers[seat])
        if self.rules.flower_win and len(shown) >= self.rules.flower_win:
            return
        full = {34, 35, 36, 37} <= shown or {38, 39, 40, 41} <= shown
        mixed = all(34 + number in shown or 38 + number in shown for number in range(4))
        worth = 2 if full else 1 if mixed else 0
        paid = self.set_paid[seat]
        if worth > paid:
            each = (0, self.rules.mixed_set_bases, self.rules.full_set_bases)
            bases = each[worth] - (0 if self.rules.mixed_then_full == "both" else each[paid])
            self._pay(seat, FULL_SET if full else MIXED_SET, bases * self.rules.base)
            self.set_paid[seat] = worth

    def _pay(self, seat: int, reason: int, each: int) -> None:
        if not each:
            return
        changes = [3 * each if other == seat else -each for other in range(4)]
        self.told.append(Paid(seat, reason, (changes[0], changes[1], changes[2], changes[3])))

    def _over(self, *events: Event) -> None:
        """Where all hands are scored those that did not win are shown, too, from the dealer on."""
        self.state = OVER
        self.told += events
        winners = [event.seat for event in events if isinstance(event, Won)]
        if self.rules.show_hands and winners:
            losers = [seat for seat in [(self.dealer + turn) % 4 for turn in range(4)] if seat not in winners]
            self.told += [HandShown(seat, tuple(sorted(self.hands[seat]))) for seat in losers]

    # --- what a win is worth knowing ---

    def on_the_table(self) -> int:
        """A-75 without its switches: discards, the winning one too; declared sets; a robbed tile is one."""
        lying = sum(len(pile) for pile in self.discards)
        declared = sum(len(meld.tiles()) for melds in self.melds for meld in melds)
        robbed = any(isinstance(event, Won) and event.by == BY_ROBBED_GONG for event in self.told)
        return lying + declared + robbed
