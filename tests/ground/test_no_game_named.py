"""What differs between the games stands in their rulesets' files: no code asks which of them is played."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ground.test_house import CLIENT, ROOT, relative

RULESETS = sorted((ROOT / "config" / "rulesets").glob("*.toml"))
KEYS = sorted(tomllib.loads(path.read_text(encoding="utf-8"))["key"] for path in RULESETS)
PYTHON = sorted(path for package in ("engine", "bots", "server") for path in (ROOT / package).rglob("*.py"))

NAMED = {
    "server/parlour_server/protocol/lobby.py": (["lrc"], "what a table plays whose maker chose nothing"),
    "server/parlour_server/cli/simulate.py": (["lrc"], "what bots play where the command names nothing"),
    "web-client/src/lobby/Lobby.svelte": (["lrc"], "the game that the lobby proposes first"),
    "web-client/src/rules/clauses.ts": (["lrc", "classical"], "a document that a clause cites, whatever game cites it"),
}
"""The files in which keys stand, which, and why: each chooses a game where nobody has, or words the name of a document
that is called like one, and does nothing else by it."""
MADE_UP = ROOT / "web-client" / "src" / "demo"
"""The page of made-up states, which no player gets, shows tables of each game."""

_COMMENT = re.compile(r"^\s*(?://[^\n]*|/\*.*?\*/|<!--.*?-->)", re.DOTALL | re.MULTILINE)
"""One that begins a line: elsewhere the same signs may stand within a text."""
_QUOTED = re.compile(rf"""(["'`])({"|".join(map(re.escape, KEYS))})\1""")


def docstrings(tree: ast.AST) -> set[ast.expr]:
    """Texts that nobody reads but people: statements of their own."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def texts_of_python(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    told = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node not in told:
            if isinstance(node.value, str):
                yield node.value
            elif isinstance(node.value, bytes):
                yield node.value.decode("latin-1")


def texts_of_client(source: str) -> Iterator[str]:
    for _, text in _QUOTED.findall(_COMMENT.sub("", source)):
        yield text


def keys_in(path: Path) -> list[str]:
    source = path.read_text(encoding="utf-8")
    texts = texts_of_python(source) if path.suffix == ".py" else texts_of_client(source)
    return [text for text in texts if text in KEYS]


def test_there_are_keys_and_code_to_look_for_them_in() -> None:
    assert {"lrc", "classical", "classical-limit"} <= set(KEYS)
    assert len(PYTHON) > 80
    assert len(CLIENT) > 40
    assert all((ROOT / path).exists() for path in NAMED)


@pytest.mark.parametrize("path", [p for p in [*PYTHON, *CLIENT] if not p.is_relative_to(MADE_UP)], ids=relative)
def test_no_code_names_a_game_but_where_nobody_has_chosen_one(path: Path) -> None:
    assert keys_in(path) == NAMED.get(relative(path), ([], ""))[0]


@pytest.mark.parametrize(
    ("suffix", "source", "found"),
    [
        (".py", 'if ruleset.key == "classical":\n    pass\n', ["classical"]),
        (".py", "match key:\n    case 'lrc' | 'classical-limit':\n        pass\n", ["lrc", "classical-limit"]),
        (".py", 'LIMITED = {"classical-limit": 300}\n', ["classical-limit"]),
        (".py", 'WIRE = b"lrc"\n', ["lrc"]),
        (".py", 'NAME = f"{folder}/" + f"lrc"\n', ["lrc"]),
        (".py", '"""lrc"""\nX = 1\n"""classical"""\n# "lrc"\n', []),
        (".py", 'CLAUSE = "lrc 5"\nNAME = "classical A-8"\n', []),
        (
            ".ts",
            "if (key === \"lrc\" || key === 'classical') return `classical-limit`;",
            ["lrc", "classical", "classical-limit"],
        ),
        (".ts", '// "lrc"\n/* "classical"\n */ const url = "http://lrc";\n  /** `lrc` */', []),
        (".ts", "const says = \"it's //\"; const key = 'lrc';", ["lrc"]),
        (".svelte", '<!-- "lrc" --><p class="lrc">{key === "classical"}</p>', ["lrc", "classical"]),
    ],
)
def test_a_key_is_found_in_code_and_not_in_what_is_only_read(
    tmp_path: Path, suffix: str, source: str, found: list[str]
) -> None:
    file = tmp_path / f"code{suffix}"
    file.write_text(source, encoding="utf-8")
    assert keys_in(file) == found
