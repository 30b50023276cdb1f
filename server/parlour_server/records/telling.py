"""A deal in words for a terminal: what happened, every hand, and at the end the points."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from parlour_engine.deal import Deal
from parlour_engine.melds import CONCEALED_GONG
from parlour_engine.notation import hand_text, parse_tile
from parlour_engine.rulesets import Ruleset
from parlour_engine.seats import SEATS, WINDS, seat_wind
from parlour_engine.tiles import FIRST_FLOWER, FIRST_WIND, Kind
from parlour_server.derivation.text import danger_text
from parlour_server.derivation.words import words_of
from parlour_server.record_text import columns, counted, shown

Tiles = Callable[[Sequence[Kind]], str]
"""How tiles are written."""

_NAME: Final = 48
"""Columns of a name: those of the longest that the server gives, all of Chinese characters."""
_SUITS: Final = (0x1F007, 0x1F019, 0x1F010)
"""The first character of characters, circles and bamboo in Unicode's own order of tiles."""
_HONOURS: Final = (0x1F000, 0x1F001, 0x1F002, 0x1F003, 0x1F006, 0x1F005, 0x1F004)
_FLOWERS: Final = (0x1F026, 0x1F027, 0x1F028, 0x1F029, 0x1F022, 0x1F023, 0x1F025, 0x1F024)
_HOW: Final = {
    "discard": "on {tile} of {source}",
    "self_draw": "by drawing {tile}",
    "robbed_gong": "by robbing {tile} from {source}",
    "dealt": "with the dealt hand",
    "flowers": "with {flower}s",
}


def letters(kinds: Sequence[Kind]) -> str:
    """`123m55z`; `-` for none."""
    return hand_text(kinds) or "-"


def pictures(kinds: Sequence[Kind]) -> str:
    """The tiles of Unicode, with spaces between them; `-` for none."""
    return " ".join([chr(_picture(kind)) for kind in kinds]) or "-"


def _picture(kind: Kind) -> int:
    if kind >= FIRST_FLOWER:
        return _FLOWERS[kind - FIRST_FLOWER]
    if kind >= FIRST_WIND:
        return _HONOURS[kind - FIRST_WIND]
    return _SUITS[kind // 9] + kind % 9


def printable(name: str) -> str:
    """A name as a terminal may show it."""
    return shown(name, _NAME)


class Telling:
    """Puts the events of one match in words. `names[seat]` may change while it goes."""

    def __init__(self, names: Sequence[str], ruleset: Ruleset, tiles: Tiles = letters) -> None:
        """Things are called what the game calls them."""
        self.names: Final = [printable(name) for name in names]
        self._rows: Final = {row.id: row.names["en"] for row in ruleset.sheet}
        self._game: Final = {word: said["en"] for word, said in ruleset.words.items()}
        self._words: Final = words_of(ruleset, "en")
        self._tiles: Final = tiles

    def _written(self, texts: Sequence[str]) -> str:
        return self._tiles([parse_tile(text) for text in texts])

    def event(self, event: Mapping[str, Any]) -> list[str]:
        """An event as lines."""
        who = self.names[event["seat"]] if "seat" in event else ""
        match event["e"]:
            case "match_started":
                return [f"The match begins: {counted(event['rounds'], 'round')}."]
            case "deal_started":
                wind = WINDS[event["round_wind"]]
                streak = f", {event['streak']} in a row" if event["streak"] else ""
                return ["", f"Deal {event['deal']}: round {wind}, {self.names[event['dealer']]} is East{streak}."]
            case "shuffle_committed":
                return ["", f"The wall of deal {event['deal']} is committed to: {event['commit']}"]
            case "shuffle_fixed":
                added = [self.names[seat] for seat in SEATS if event["nonces"][seat] is not None]
                return [f"Added to it by {', '.join(added) or 'nobody'}."]
            case "shuffle_revealed":
                return [f"The seed of deal {event['deal']} was {event['seed']}"]
            case "washing_opened":
                return ["The tiles may be washed."]
            case "washing_closed":
                return ["Nobody washes them."]
            case "washed":
                return [f"{who} washes the tiles, with {event['heads']} different heads."]
            case "hand_shown":
                return [f"{who} shows the hand {self._written(event['tiles'])}"]
            case "flowers":
                return [f"{who} shows {self._written(event['tiles'])}"]
            case "draw":
                place = "" if event["source"] == "wall" else f" for a {self._game[event['source']]}"
                return [f"{who} draws {self._written([event['tile']])}{place}"]
            case "called":
                return [f"{who} calls"]
            case "discard":
                return [f"{who} discards {self._written([event['tile']])}{' (drawn)' if event['drawn'] else ''}"]
            case "meld":
                meld = event["meld"]
                source = "" if meld["source"] is None else f" from {self.names[meld['source']]}"
                return [f"{who} lays a {self._form(meld['form'])} {self._written(meld['tiles'])}{source}"]
            case "promoted":
                return [f"{who} adds {self._written([event['tile']])} to a {self._game['pong']}"]
            case "paid":
                return [f"{who} is paid for a {self._form(event['reason'])}: {_points(event['changes'])}"]
            case "won":
                return [f"{who} {self._game['wins']} {self._how(event)}"]
            case "settled":
                return self._settled(event)
            case "match_ended":
                lines = [f"{one['rank']}. {self.names[one['seat']]}: {one['score']:+d}" for one in event["standing"]]
                return ["", "The match is over.", *lines]
            case "exhausted":
                return ["The wall ran out; nobody wins."]
            case other:
                # Told by its own words rather than not at all.
                rest = ", ".join(
                    [f"{key} {self._value(value)}" for key, value in event.items() if key not in ("e", "seat")]
                )
                return [f"{who or 'The table'}: {other.replace('_', ' ')}{' ' if rest else ''}{rest}"]

    def _form(self, form: str) -> str:
        """`concealed_gong` as this game says it."""
        return " ".join([self._game.get(word, word) for word in form.split("_")])

    def _value(self, value: object) -> str:
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return self._written(value)
        return str(value)

    def _how(self, event: Mapping[str, Any]) -> str:
        tile = "" if event["tile"] is None else self._written([event["tile"]])
        source = "" if event["source"] is None else self.names[event["source"]]
        return _HOW[event["by"]].format(tile=tile, source=source, flower=self._game["flower"])

    def _settled(self, event: Mapping[str, Any]) -> list[str]:
        lines: list[str] = []
        for verb, hands in (("scores", event["wins"]), ("holds", event.get("hands", []))):
            for hand in hands:
                awards = [f"  {self._award(award)}" for award in hand["awards"]]
                lines.append(f"{self.names[hand['seat']]} {verb} {_worth(hand)}{':' if awards else ''}")
                lines += awards
        if event.get("danger") is not None:
            danger, winner = event["danger"], self.names[event["wins"][0]["seat"]]
            discarder = self.names[danger["seat"]]
            lines.append(danger_text(danger["shown"], danger["excuse"], discarder, winner, self._words))
        for moved in event.get("transfers", []):
            doubled = ", doubled for East" if moved["doubled"] else ""
            payer, payee = self.names[moved["source"]], self.names[moved["target"]]
            lines.append(f"{payer} pays {payee} {moved['amount']} ({moved['reason']}{doubled})")
        for name, points in (("Changes", event["changes"]), ("Scores", event["scores"])):
            lines.append(f"{name}: {', '.join([f'{self.names[seat]} {points[seat]:+d}' for seat in SEATS])}")
        return lines

    def _award(self, award: Mapping[str, Any]) -> str:
        name = self._rows.get(award["award"], award["award"])
        times = f" × {award['count']}" if award["count"] > 1 else ""
        worth = [f"{award['points']}"] if award["points"] or not award["doubles"] else []
        worth += [counted(award["doubles"], "double")] if award["doubles"] else []
        worth += [f"{award['limit']} limit"] if award["limit"] else []
        return f"{', '.join(worth):>10}  {name}{times}  [{award['clause']}]"

    def table(self, deal: Deal) -> list[str]:
        """All four hands, open, and what lies before them."""
        lines: list[str] = []
        width = max(columns(name) for name in self.names)
        for seat in SEATS:
            hand = deal.hands[seat]
            wind = WINDS[seat_wind(seat, deal.dealer)]
            sets = [
                f"({self._tiles(meld.tiles())})" if meld.form == CONCEALED_GONG else f"[{self._tiles(meld.tiles())}]"
                for meld in hand.melds
            ]
            flowers = f"  flowers {self._tiles(hand.flowers)}" if hand.flowers else ""
            tiles = " ".join([self._tiles(hand.tiles()), *sets])
            name = self.names[seat]
            lines.append(f"  {wind} {name}{' ' * (width - columns(name))}  {tiles}{flowers}")
            if deal.discards[seat]:
                discards = " ".join([self._tiles([kind]) for kind in deal.discards[seat]])
                lines.append(f"    {'':<{width}}  discards {discards}")
        return lines


def _points(changes: Sequence[int]) -> str:
    return ", ".join([f"{change:+d}" for change in changes])


def _worth(hand: Mapping[str, Any]) -> str:
    if hand["doubles"]:
        points, doubles = counted(hand["points"], "point"), counted(hand["doubles"], "double")
        return f"{points}, {doubles}, {hand['total']} in all"
    return f"{hand['total']}"
