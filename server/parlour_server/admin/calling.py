"""The other end of the keeper's socket, for a command that may wait."""

import json
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

PATIENCE: Final = 15.0
"""Seconds that an answer may take; a server that waits for deals says something every second."""


class NotHeard(Exception):
    """Nobody answers; the text says why and what to do."""


def call(path: Path, order: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Give an order to the server at `path` and get its answers, the last of which has `ok`. Raises NotHeard."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(PATIENCE)
        try:
            line.connect(str(path))
        except FileNotFoundError:
            raise NotHeard(
                f"no server runs here: there is no {path}; give the server's --config, or --socket"
            ) from None
        except ConnectionRefusedError:
            raise NotHeard(f"no server runs here: the one that made {path} has gone") from None
        except PermissionError:
            raise NotHeard(f"{path} is another user's; be the user that the server runs as") from None
        except OSError as error:
            raise NotHeard(f"{path}: {error.strerror or error}") from None
        try:
            line.sendall(json.dumps(order).encode() + b"\n")
            with line.makefile("rb") as answers:
                for text in answers:
                    answer = json.loads(text)
                    yield answer
                    if "ok" in answer:
                        return
        except TimeoutError:
            raise NotHeard(f"the server at {path} does not answer; its log may say why") from None
        except (OSError, ValueError) as error:
            raise NotHeard(f"the server at {path} broke off: {error}") from None
        raise NotHeard(f"the server at {path} has stopped before it had answered")
