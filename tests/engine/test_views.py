"""What a viewer sees, and that nothing else comes through."""

import pytest

from parlour_engine import play
from parlour_engine.events import HIDDEN, WALL, DealStarted, Drew, Event
from parlour_engine.legal import legal_moves
from parlour_engine.notation import parse_tiles
from parlour_engine.procedure import Procedure
from parlour_engine.seats import SEATS, Seat
from parlour_engine.tiles import Kind
from parlour_engine.views import CLAIMING, DISCARDING, OVER, ROBBING, redact, view
from tests.kit.classical import classical, with_limit
from tests.kit.script import Script
from tests.kit.stacks import Stacks
from tests.kit.walks import Walk, eager, uniform
from tests.kit.walls import kind, position, started

VIEWERS: tuple[Seat | None, ...] = (None, *SEATS)


def test_a_seat_sees_its_own_tiles_and_only_the_number_of_others() -> None:
    deal = started(("123m", "456p", "", ""), dealer=0)
    own = view(deal, 1)
    assert own.seats[1].concealed == deal.hands[1].tiles()
    assert own.seats[0].concealed == (HIDDEN,) * 17
    assert own.seats[2].concealed == (HIDDEN,) * 16
    watcher = view(deal, None)
    assert all(set(seat.concealed) == {HIDDEN} for seat in watcher.seats)
    assert watcher.moves == ()
    assert (watcher.phase, watcher.turn, watcher.live, watcher.left) == (DISCARDING, 0, 63, 79)


def test_the_drawn_tile_is_its_owners_secret() -> None:
    deal = position(("", "", "", ""), drawn="5p")
    assert view(deal, 0).drawn == kind("5p")
    assert [view(deal, viewer).drawn for viewer in (None, 1, 2, 3)] == [-1] * 4
    drew = Drew(0, kind("5p"), 0)
    assert redact(drew, 0) is drew
    assert redact(drew, 1) == redact(drew, None) == Drew(0, HIDDEN, 0)


def test_the_start_shows_each_viewer_its_own_hand_and_nobody_the_wall() -> None:
    walk = Walk(5)
    told = walk.events[0]
    assert isinstance(told, DealStarted)
    for viewer in VIEWERS:
        seen = redact(told, viewer)
        assert isinstance(seen, DealStarted)
        assert seen.wall == ()
        for seat in SEATS:
            expected = told.hands[seat] if seat == viewer else (HIDDEN,) * len(told.hands[seat])
            assert seen.hands[seat] == expected


def test_a_declared_concealed_gong_is_public() -> None:
    """A concealed gong is a declared set (lrc 1), and its kind is public (classical 6)."""
    deal = position(("", "", "", ""), melds=("(1111z)", "", "", ""), drawn="9s")
    assert view(deal, 3).seats[0].melds == tuple(deal.hands[0].melds)


def test_discards_tell_whether_they_were_drawn() -> None:
    """P26: a discard of the kind just drawn counts as the drawn tile, and everybody sees it."""
    script = Script(started(("", "", "", ""), draws="7z"))
    script.pass_by(0, "7z")
    script.pass_by(1, "7z")
    seen = view(script.deal, None)
    assert seen.seats[0].discards == seen.seats[1].discards == (kind("7z"),)
    assert (seen.seats[0].drawn_discards, seen.seats[1].drawn_discards) == ((False,), (True,))
    assert seen.last_discarder == 1


def test_windows_look_alike_to_whoever_is_not_asked() -> None:
    """Secrecy of claims: no view but the claimant's own differs with who may claim or has answered."""
    script = Script(position(("", "46p", "55p", ""), drawn="5p"))
    script.discard(0, "5p")
    before = [view(script.deal, viewer) for viewer in (None, 0, 3)]
    assert before[0].phase == CLAIMING
    assert before[0].kind == kind("5p")
    assert {move.kind for move in view(script.deal, 1).moves if move.verb == 2} == {kind("4p")}
    script.do(2, "pong 5p")
    assert [view(script.deal, viewer) for viewer in (None, 0, 3)] == before
    assert view(script.deal, 2).moves == ()


def test_a_robbing_window_is_seen_by_all() -> None:
    script = Script(position(("3s", "", "", ""), melds=("333s", "", "", ""), drawn="9s"))
    script.do(0, "promoted_gong 3s")
    seen = view(script.deal, None)
    assert (seen.phase, seen.turn, seen.kind) == (ROBBING, 0, kind("3s"))


def test_the_end_shows_the_winners_and_nobody_else() -> None:
    """Whoever wins lays his tiles down; where only winners score, nobody else has to."""
    hands = ("", "46p123m456m789m11z777s", "34p222s333s666s22z123s", "")
    script = Script(position(hands, drawn="5p"))
    script.discard(0, "5p")
    script.do(1, "win")
    script.close()
    seen = view(script.deal, None)
    assert seen.phase == OVER
    assert seen.seats[1].concealed == tuple(sorted(parse_tiles(hands[1])))
    assert set(seen.seats[2].concealed) == set(seen.seats[3].concealed) == {HIDDEN}
    assert [won.seat for won in seen.wins] == [1]


def test_a_view_holds_no_part_of_the_deal() -> None:
    """It is a value: what happens later does not change it."""
    walk = Walk(3, strategy=eager)
    seen = [(view(walk.deal, viewer), repr(view(walk.deal, viewer))) for viewer in VIEWERS]
    walk.to_the_end()
    for one, text in seen:
        assert repr(one) == text


def test_the_number_of_live_tiles_is_the_same_in_all_views() -> None:
    """How much is left to draw is no secret (P8, P9)."""
    walk = Walk(11, strategy=eager)
    for _ in walk.steps():
        assert len({(view(walk.deal, viewer).live, view(walk.deal, viewer).left) for viewer in VIEWERS}) == 1


Heard = list[str]
"""Everything a viewer was shown, as text: its views and its redacted events, step by step."""


def _heard(wall: list[Kind], walk: Walk, steps: int, viewer: Seat | None) -> Heard | None:
    """Replays the walk's moves over another wall; None where a move is not legal there."""
    told = walk.events[0]
    assert isinstance(told, DealStarted)
    deal, events = play.start(walk.procedure, wall, told.dice, told.dealer, told.round_wind, told.streak)
    heard = [_text(events, viewer), repr(view(deal, viewer))]
    for action in walk.script[:steps]:
        if deal.is_over():
            return None
        try:
            events = play.close(deal) if action is None else play.apply(deal, *action)
        except play.IllegalMove:
            return None
        heard += [_text(events, viewer), repr(view(deal, viewer))]
    return heard


def _text(events: list[Event], viewer: Seat | None) -> str:
    return repr([redact(event, viewer) for event in events])


def _in_the_wall(walk: Walk) -> list[int]:
    """Indices of the tiles that lie there still."""
    wall = walk.deal.wall
    if not walk.procedure.loose_tiles:
        return list(range(wall.head, wall.tail))
    stacks = Stacks(len(wall.tiles))
    for _ in range(4 * walk.procedure.hand_size + 1):
        stacks.drawn()
    for event in walk.events:
        if isinstance(event, Drew):
            if event.source == WALL:
                stacks.drawn()
            else:
                stacks.replaced()
    return stacks.left()


def _hidden_places(walk: Walk, viewer: Seat | None) -> list[int]:
    """Indices into the wall of the tiles that `viewer` has not seen: they lie there still, or in another's hand since
    the deal. A kind of which the holder has shown none came to it as a tile nobody else has seen."""
    deal = walk.deal
    told = walk.events[0]
    assert isinstance(told, DealStarted)
    hidden = [index for index in _in_the_wall(walk) if told.wall[index] < 34]
    # The last block of a deal of thirteen is one tile each.
    blocks = [range(16 * block, 16 * block + 16) for block in range(walk.procedure.hand_size // 4)]
    for turn in range(4):
        seat = (told.dealer + turn) % 4
        if seat == viewer:
            continue
        hand = deal.hands[seat]
        for index in [block[4 * turn + offset] for block in blocks for offset in range(4)]:
            tile = told.wall[index]
            drawn_too = any(
                isinstance(event, Drew) and event.seat == seat and event.kind == tile for event in walk.events
            )
            shown = hand.declared[tile] if tile < 34 else 1
            dealt = told.hands[seat].count(tile)
            if not drawn_too and not shown and tile < 34 and hand.counts[tile] == dealt:
                hidden.append(index)
    return hidden


GAMES = {
    "lrc": Procedure(),
    "calling": Procedure(calling=True),
    "classical": classical(flowers=True),
    "with a limit": with_limit(),
}


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("strategy", [uniform, eager])
@pytest.mark.parametrize("seed", range(6))
def test_swapping_tiles_that_a_viewer_cannot_know_changes_nothing_it_is_shown(
    seed: int, strategy: object, game: str
) -> None:
    """Non-interference (L01): two hidden tiles are swapped, in the wall or in another's hand; the same moves are made;
    the viewer's views and events are the same to the byte."""
    compared = 0
    for viewer in VIEWERS:
        walk = Walk(seed, GAMES[game], strategy=uniform if strategy is uniform else eager)
        steps = walk.chance.randrange(20, 90)
        for done, _ in enumerate(walk.steps(), start=1):
            if done == steps or walk.deal.is_over():
                break
        if walk.deal.is_over():
            continue
        told = walk.events[0]
        assert isinstance(told, DealStarted)
        steps = len(walk.script)
        original = _heard(list(told.wall), walk, steps, viewer)
        assert original is not None
        hidden = _hidden_places(walk, viewer)
        for _ in range(8):
            wall = list(told.wall)
            for _ in range(4):
                one, other = walk.chance.sample(hidden, 2)
                wall[one], wall[other] = wall[other], wall[one]
            other_way = _heard(wall, walk, steps, viewer)
            if other_way is not None and wall != list(told.wall):
                compared += 1
                assert other_way == original, (seed, viewer)
    assert compared > 0, "nothing was compared"


def test_a_view_carries_exactly_the_legal_moves_of_its_viewer() -> None:
    walk = Walk(2, strategy=eager)
    for _ in walk.steps():
        assert [view(walk.deal, viewer).moves for viewer in SEATS] == [legal_moves(walk.deal, seat) for seat in SEATS]
        assert view(walk.deal, None).moves == ()


def test_views_are_equal_when_all_that_is_seen_is() -> None:
    deal = started(("123m", "456p", "", ""))
    one, other = view(deal, 1), view(deal.copy(), 1)
    assert one == other
    assert hash(one) == hash(other)
    assert one != view(deal, 2)
    assert one != one.fields()
    assert len({seat for viewer in VIEWERS for seat in view(deal, viewer).seats}) == 8
