"""A client as the protocol asks for one: it folds what it is told, and answers what it is asked. It knows no rule."""

from typing import Any

from parlour_server.protocol import events, messages
from parlour_server.protocol.codec import CONVERTER, JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL, decode_reply, encode
from parlour_server.protocol.messages import ToClient
from parlour_server.table.talk import KEPT

Plain = dict[str, Any]


def order(tile: str) -> tuple[int, int]:
    """Tiles as a hand is laid: m, p, s, z, f, then by number."""
    return "mpszf".index(tile[1]), int(tile[0])


def plain(message: object) -> Plain:
    """A message as plain maps and lists."""
    value: Plain = CONVERTER.unstructure(message)
    return value


class Fold:
    """Everything a client knows, as the fields of a `table` message, brought up to date by events."""

    def __init__(self, table: messages.Table) -> None:
        self.table = plain(table)
        self.replacing: list[bool] = [False] * 4
        """By seat: the tile just drawn was a flower, so that its replacement is the tile just drawn."""

    @property
    def deal(self) -> Plain:
        deal: Plain = self.table["deal"]
        return deal

    def seat(self, number: int) -> Plain:
        seat: Plain = self.deal["seats"][number]
        return seat

    def take_out(self, number: int, tiles: list[str]) -> None:
        seat = self.seat(number)
        seat["size"] -= len(tiles)
        if seat["tiles"] is not None:
            for tile in tiles:
                seat["tiles"].remove(tile)

    def put_in(self, number: int, tile: str | None) -> None:
        seat = self.seat(number)
        seat["size"] += 1
        if seat["tiles"] is not None:
            assert tile is not None, "a seat whose tiles are known draws a hidden one"
            seat["tiles"] = sorted([*seat["tiles"], tile], key=order)

    def phase(self, kind: str, seat: int | None = None, tile: str | None = None) -> None:
        self.deal["phase"] = {"kind": kind, "seat": seat, "tile": tile}

    def take(self, event: events.TableEvent) -> None:
        match event:
            case events.MatchStarted():
                pass
            case events.ShuffleCommitted():
                self.table["shuffle"] = plain(event) | {"nonces": None, "seed": None}
                del self.table["shuffle"]["e"]
            case events.ShuffleFixed():
                self.table["shuffle"]["nonces"] = event.nonces
            case events.ShuffleRevealed():
                if self.table["shuffle"]["deal"] == event.deal:
                    self.table["shuffle"]["seed"] = event.seed
            case events.DealStarted():
                self._deal_started(event)
            case events.FlowersExposed():
                seat = self.seat(event.seat)
                self.take_out(event.seat, event.tiles)
                seat["flowers"] += event.tiles
                self.replacing[event.seat] = seat["drawn"] in event.tiles
                if self.replacing[event.seat]:
                    seat["drawn"] = None
            case events.Drew():
                self._drew(event)
            case events.Called():
                self.seat(event.seat)["called"] = True
            case events.Discarded():
                seat = self.seat(event.seat)
                self.take_out(event.seat, [event.tile])
                seat["drawn"] = None
                seat["discards"].append({"tile": event.tile, "drawn": event.drawn, "claimed": False})
                self.phase("claiming", event.seat, event.tile)
            case events.Melded():
                seat = self.seat(event.seat)
                tiles = list(event.meld.tiles)
                if event.meld.source is not None:
                    assert event.meld.claimed is not None
                    tiles.remove(event.meld.claimed)
                    self.seat(event.meld.source)["discards"][-1]["claimed"] = True
                self.take_out(event.seat, tiles)
                seat["melds"].append(plain(event.meld))
                seat["drawn"] = None
                self.phase("discarding", event.seat)
            case events.Promoted():
                self.take_out(event.seat, [event.tile])
                self.seat(event.seat)["drawn"] = None
                self.phase("robbing", event.seat, event.tile)
            case events.Paid():
                self.table["scores"] = event.scores
            case events.Won():
                self._won(event)
            case events.Exhausted() | events.Washed():
                self._over()
            case events.WashingOpened():
                self.phase("washing", event.seat)
            case events.WashingClosed():
                self.phase("discarding", event.seat)
            case events.HandShown():
                self.seat(event.seat).update(size=len(event.tiles), tiles=event.tiles)
            case events.Settled():
                self.table["settled"] = plain(event)
                self.table["scores"] = event.scores
            case events.MatchEnded():
                self.table["standing"] = [plain(line) for line in event.standing]

    def _deal_started(self, event: events.DealStarted) -> None:
        seats = [
            {
                "size": event.sizes[seat],
                "tiles": event.hands[seat],
                "drawn": None,
                "melds": [],
                "flowers": [],
                "discards": [],
                "called": False,
            }
            for seat in range(4)
        ]
        fields = {name: getattr(event, name) for name in ("deal", "dealer", "round_wind", "streak", "dice", "left")}
        self.table["deal"] = {**fields, "seats": seats}
        self.phase("discarding", event.dealer)
        self.table["settled"] = None
        self.table["scores"] = event.scores
        self.replacing = [False] * 4

    def _drew(self, event: events.Drew) -> None:
        phase = self.deal["phase"]
        self.deal["left"] = event.left
        if phase["kind"] == "robbing":
            for meld in self.seat(event.seat)["melds"]:
                if meld["form"] == "pong" and meld["tiles"][0] == phase["tile"]:
                    meld["form"] = "promoted_gong"
                    meld["tiles"].append(phase["tile"])
        self.put_in(event.seat, event.tile)
        if event.source != "flower":
            self.phase("discarding", event.seat)
        if event.source != "flower" or self.replacing[event.seat]:
            self.seat(event.seat)["drawn"] = event.tile

    def _won(self, event: events.Won) -> None:
        seat = self.seat(event.seat)
        tiles = list(event.hand)
        if event.by == "self_draw" and event.tile is not None:
            tiles = sorted([*tiles, event.tile], key=order)
        seat["tiles"], seat["size"] = tiles, len(tiles)
        self._over()

    def _over(self) -> None:
        for seat in self.deal["seats"]:
            seat["drawn"] = None
        self.phase("over")


class Client:
    """One connection: all that it heard, folded, each message in both languages of the line."""

    def __init__(self, viewer: int, person: str) -> None:
        self.viewer = viewer
        self.person = person
        self.heard: list[ToClient] = []
        self.fold: Fold | None = None
        self.version = 0
        self.ask: messages.Ask | None = None
        self.octets = bytearray()
        """Everything that came over the line, for those who search it."""

    @property
    def table(self) -> Plain:
        assert self.fold is not None
        return self.fold.table

    def hear(self, message: ToClient) -> None:
        frame = encode(message, MSGPACK_SUBPROTOCOL)
        assert isinstance(frame, bytes)
        self.octets += frame
        # What came over the line is this client's own to change.
        said, message = message, decode_reply(frame)
        assert message == said
        self.heard.append(said)
        match message:
            case messages.Table():
                self.fold = Fold(message)
                self.version = message.version
                self.ask = None
            case messages.Events():
                assert message.events
                assert message.version - len(message.events) == self.version, "a gap, or the same events twice"
                self.version = message.version
                self.ask = None
                if self.fold is not None:
                    for event in message.events:
                        self.fold.take(event)
                    self.fold.table["version"] = message.version
            case messages.Ask():
                assert message.version == self.version
                self.ask = message
            case messages.Seats():
                if self.fold is not None:
                    self.fold.table |= {
                        "you": message.you,
                        "seats": [plain(seat) for seat in message.seats],
                        "watchers": message.watchers,
                    }
            case messages.Still():
                if self.fold is not None:
                    self.fold.table["standstill"] = plain(message.standstill)
            case messages.Said():
                if self.fold is not None:
                    lines = [*self.fold.table["talk"], plain(message.line)]
                    room = [line for line in lines if (line["seat"] is None) is (message.line.seat is None)]
                    if len(room) > KEPT:
                        lines.remove(room[0])
                    self.fold.table["talk"] = lines
            case messages.Accepted():
                assert self.ask is not None
                assert self.ask.version == message.version
                self.ask = None
            case _:
                pass

    def texts(self) -> list[str]:
        """Everything heard, as JSON."""
        return [str(encode(message, JSON_SUBPROTOCOL)) for message in self.heard]

    def events(self) -> list[events.TableEvent]:
        """Every event heard, in order."""
        return [event for message in self.heard if isinstance(message, messages.Events) for event in message.events]

    def errors(self) -> list[str]:
        """The codes of the errors heard."""
        return [message.code for message in self.heard if isinstance(message, messages.Error)]

    def last(self, kind: type) -> Any:
        """The last message of a class."""
        return [message for message in self.heard if type(message) is kind][-1]
