"""A house of paper: the built client in a tab, and behind its socket nothing but what a test writes down."""

import json
from collections.abc import Callable
from importlib.resources.abc import Traversable
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route, WebSocketRoute

from parlour_server.catalogue import ruleset_line
from parlour_server.protocol.codec import CONVERTER
from parlour_server.protocol.lobby import Welcome
from parlour_server.protocol.messages import Error, ToClient
from parlour_server.resources import client_root
from parlour_server.rulebook import rulebook
from parlour_server.rulesets import load_ruleset

ADDRESS: Final = "http://127.0.0.1:9"
"""Nothing listens there: every request is answered here."""
GAMES: Final = ("lrc", "classical", "classical-limit")
KINDS: Final = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}


def welcome(name: str = "Ada", *, account: str | None = None, token: str | None = None) -> Welcome:
    """What the paper house says first."""
    lines = [ruleset_line(load_ruleset(key)) for key in GAMES]
    return Welcome(1, "0", token, name, lines, ["steady", "random"], account, None, 600, None)


class Paper:
    """`Paper(page)`, then `page.goto(paper.at("/games"))`. `heard` is what the client has said since it was emptied."""

    def __init__(self, page: Page, first: Welcome | None = None) -> None:
        self.page: Final = page
        self.heard: Final[list[dict[str, Any]]] = []
        self.first = first or welcome()
        """Answer to hello."""
        self.instead: Error | None = None
        """What is said instead, as long as it is there."""
        self.answers: Final[dict[str, Callable[[dict[str, Any]], ToClient | None]]] = {}
        """What is answered to a message of a type."""
        self.files: Final[dict[str, str]] = {}
        """Further answers by path, as those of records; 404 for any other of them."""
        self._client: Final[Traversable] = client_root()
        self._socket: WebSocketRoute | None = None
        page.route(f"{ADDRESS}/**", self._answer)
        page.route_web_socket(lambda url: urlsplit(url).path == "/ws", self._open)

    @staticmethod
    def at(path: str) -> str:
        """The address of a page."""
        return ADDRESS + path

    def say(self, message: ToClient) -> None:
        """Tell the client something."""
        assert self._socket is not None
        self._socket.send(json.dumps(CONVERTER.unstructure(message)))

    def close(self) -> None:
        """Break the line, as a server that is gone does."""
        assert self._socket is not None
        self._socket.close(code=1012)

    def said(self, kind: str) -> list[dict[str, Any]]:
        """The messages of a type that the client has said."""
        return [message for message in self.heard if message["type"] == kind]

    def wait_for(self, kind: str, count: int = 1) -> dict[str, Any]:
        """The newest message of a type, once the client has said so many; TimeoutError where it does not."""
        # A page that has lost its line may take eight seconds to come back.
        for _ in range(800):
            if len(self.said(kind)) >= count:
                return self.said(kind)[-1]
            self.page.wait_for_timeout(25)
        raise TimeoutError(f"the client has not said {kind!r} {count} times: {self.heard}")

    def _open(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(self._hear)

    def _hear(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "ping":
            return
        self.heard.append(message)
        if message["type"] == "hello":
            self.say(self.instead or self.first)
        answer = self.answers.get(message["type"])
        if answer is not None:
            said = answer(message)
            if said is not None:
                self.say(said)

    def _answer(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path in self.files:
            route.fulfill(body=self.files[path], content_type="application/x-ndjson")
        elif path.startswith("/rules/"):
            book = rulebook(load_ruleset(path.removeprefix("/rules/").removesuffix(".json")))
            route.fulfill(body=json.dumps(book), content_type="application/json")
        elif path.startswith("/records/"):
            route.fulfill(status=404)
        else:
            asset = path.rpartition(".")[2] in KINDS
            content = self._client.joinpath(path.lstrip("/") if asset else "index.html").read_bytes()
            kind = KINDS[path.rpartition(".")[2]] if asset else "text/html"
            route.fulfill(body=content, content_type=f"{kind}; charset=utf-8")
