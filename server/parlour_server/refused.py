"""How a request that cannot be granted is refused, wherever that is found out."""

from parlour_server.protocol.messages import ErrorCode
from parlour_server.protocol.values import OptionLine


class Refused(Exception):
    """A request that cannot be granted; nothing was changed. `code`, the text and `option` go to the sender alone."""

    def __init__(self, code: ErrorCode, text: str, option: OptionLine | None = None) -> None:
        super().__init__(text)
        self.code: ErrorCode = code
        self.option: OptionLine | None = option
        """The switch that may not have the value it was given."""
