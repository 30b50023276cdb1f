"""The procedures of the two classical games as their files have them, with other settings where a test wants them."""

from functools import cache
from pathlib import Path
from typing import Any

from parlour_engine.procedure import Procedure
from parlour_engine.rulesets import Ruleset, parse

RULESETS = Path(__file__).parents[2] / "config" / "rulesets"


@cache
def ruleset(name: str) -> Ruleset:
    """The packaged ruleset of that name."""
    return parse((RULESETS / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml")


def _changed(procedure: Procedure, changed: dict[str, Any]) -> Procedure:
    settings = {name: getattr(procedure, name) for name in dir(procedure) if not name.startswith("_")}
    return Procedure(**(settings | changed))


def classical(**changed: Any) -> Procedure:
    """Part I, without a limit."""
    return _changed(ruleset("classical").procedure, changed)


def with_limit(**changed: Any) -> Procedure:
    """Part II, with a limit."""
    return _changed(ruleset("classical-limit").procedure, changed)
