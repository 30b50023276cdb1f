"""The samples of docs/explain.md, run anew: `python tools/explain_samples.py` after a rule's wording has changed."""

import re
from pathlib import Path
from typing import Final

from click.testing import CliRunner

from parlour_server.cli.explain import command

DOCUMENT: Final = Path(__file__).parents[1] / "docs" / "explain.md"
SAMPLE: Final = re.compile(
    r"^```json\n(?P<record>.*?)^```\n\n```text\n\$ (?P<call>.*?)\n.*?^```$", re.MULTILINE | re.DOTALL
)
"""A record, then the call that explains it and what it prints."""


def renewed(text: str) -> str:
    """The document with what each call prints today. ValueError for a call that fails."""
    return SAMPLE.sub(_sample, text)


def _sample(found: re.Match[str]) -> str:
    record, call = found["record"], found["call"]
    program, name, _, *options = call.split()
    if (program, name) != ("parlour", "explain"):
        raise ValueError(f"no call of parlour explain: {call}")
    result = CliRunner().invoke(command, options, input=record.encode())
    if result.exit_code:
        raise ValueError(f"{call}: {result.stderr}")
    return f"```json\n{record}```\n\n```text\n$ {call}\n{result.stdout}```"


if __name__ == "__main__":
    DOCUMENT.write_text(renewed(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
