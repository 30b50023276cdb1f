"""Whether the server does what people come for, and if not, why: what `/readyz` says."""


class Readiness:
    """Facts that others set. A server that is not ready still answers `/healthz`: it is alive, and will be."""

    __slots__ = ("draining", "listening", "resumed", "writable")

    def __init__(self, *, listening: bool = False, resumed: bool = False, writable: bool = True) -> None:
        self.listening = listening
        """The port is open and conversations are held."""
        self.resumed = resumed
        """The tables of the last run stand again."""
        self.writable = writable
        """The storage takes what happens; where it does not, all tables stand still."""
        self.draining = False
        """No new table is made: the server will stop."""

    def lacks(self) -> list[str]:
        """Why not, in words for the keeper; empty where it is ready."""
        said = {
            "it does not listen yet": not self.listening,
            "the tables of the last run do not stand yet": not self.resumed,
            "the storage cannot be written": not self.writable,
            "it is drained: no new table, no further deal": self.draining,
        }
        return [words for words, true in said.items() if true]
