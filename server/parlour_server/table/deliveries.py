"""What a table sends, and to whom. One delivery is one message: the shell encodes it once for all its viewers."""

from attrs import frozen

from parlour_server.protocol.messages import Ask, Still, ToClient


@frozen
class ToViewers:
    """The same message for each of these connections."""

    viewers: tuple[int, ...]
    message: ToClient


@frozen
class ToBot:
    """A bot's seat is asked, just as a person's would be; answer with `Table.receive_bot`."""

    seat: int
    level: str
    ask: Ask


Delivery = ToViewers | ToBot


def is_still(delivery: Delivery) -> bool:
    """Whether it only tells that the table stands still."""
    return isinstance(delivery, ToViewers) and isinstance(delivery.message, Still)
