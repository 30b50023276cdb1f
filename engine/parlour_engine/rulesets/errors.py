"""What can be wrong with a ruleset."""


class RulesetError(ValueError):
    """A ruleset's text cannot be used. The message names the place, what is wrong there, and the cure."""

    def __init__(self, origin: str, line: int, problem: str, cure: str) -> None:
        place = f"{origin}:{line}" if line else origin
        super().__init__(f"{place}: {problem}; {cure}")
        self.origin = origin
        self.line = line
        """Counted from 1; 0 where there is no file to have lines."""
        self.problem = problem
        self.cure = cure


class OptionError(ValueError):
    """A table chose a switch or a value that the ruleset does not have; the message lists what there is.

    `option` is the switch that may not have the value it was given, empty where there is no such switch.
    """

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option
