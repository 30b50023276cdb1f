"""The second program, which shares nothing with the first, comes to the same: verify.py of the stand-alone files."""

import ast
import hashlib
import importlib.util
import random
import subprocess
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_server.fairness.deals import FairDeals
from parlour_server.fairness.seal import Signer, sealed
from parlour_server.fairness.shuffle import commitment, context, dealt, kind_of
from parlour_server.rulesets import load_ruleset
from tests.server.fairness.built import MATCH, SIGNER, broken_off, fair_record, without_seal
from tests.server.fairness.test_shuffle import CONTEXT, GOLDEN, NONCES
from tests.server.fairness.test_tampering import FORGERIES, flipped, forged

PROGRAM = Path(str(files("parlour_server") / "fairness" / "standalone" / "verify.py"))


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("standalone_verify", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


other: Any = loaded()
RULESETS = (load_ruleset("lrc"), load_ruleset("classical"))


def run(folder: Path, text: str | bytes, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The program as a doubter runs it: alone in a folder, isolated from whatever is installed."""
    (folder / "verify.py").write_bytes(PROGRAM.read_bytes())
    file = folder / "record.jsonl"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    command = [sys.executable, "-I", "-S", "-W", "error", "verify.py", file.name, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def problem(text: str | bytes, key: str | None = None) -> str | None:
    """What the program finds wrong, None where nothing is; both ways of replacing are tried as `main` does."""
    octets = text.encode() if isinstance(text, str) else text
    lines = [line + b"\n" for line in octets.split(b"\n")[:-1]]
    rest = octets.split(b"\n")[-1]
    lines += [rest] if rest else []
    try:
        found = [other.checked(lines, key, loose) for loose in (0, 2)]
    except (other.Wrong, other.Unreadable) as error:
        return str(error)
    wrongs = [wrong for _, _, wrong in found if wrong is not None]
    return None if len(wrongs) < 2 else str(max(wrongs, key=lambda wrong: int(wrong[0]))[1])


def test_it_imports_nothing_that_is_not_pythons_own() -> None:
    tree = ast.parse(PROGRAM.read_text(encoding="utf-8"), feature_version=(3, 9))
    names = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert names <= sys.stdlib_module_names
    assert "parlour_server" not in PROGRAM.read_text(encoding="utf-8")


@pytest.mark.parametrize(("seed", "ends", "digest", "first"), GOLDEN)
def test_the_golden_vectors(seed: bytes, ends: Any, digest: str, first: Sequence[int]) -> None:
    kinds, dice = other.lay(CONTEXT, seed, NONCES, 144, 3)
    assert kinds[:6] == [other.SET[tile] for tile in first]
    wall, thrown = dealt(CONTEXT, seed, NONCES, 144, 3)
    assert hashlib.sha256(bytes(wall)).hexdigest() == digest
    assert (kinds, dice) == ([other.SET[tile] for tile in wall], thrown)


@given(st.integers(0, 2**32))
def test_both_lay_the_same_walls(number: int) -> None:
    laid_twice(number)


@pytest.mark.slow
def test_both_lay_the_same_ten_thousand_walls_and_none_twice() -> None:
    first = random.SystemRandom().randrange(2**32)
    walls = {laid_twice(number) for number in range(first, first + 10_000)}
    assert len(walls) == 10_000, first


def laid_twice(number: int) -> bytes:
    """The wall of a deal that this number chooses, which both programs lay in the same order."""
    chance = random.Random(number)
    ruleset = RULESETS[chance.randrange(2)]
    deals = FairDeals(MATCH, ruleset.digest, chance.randbytes)
    deal = chance.randint(1, 300)
    commit = deals.commit(deal)
    nonces = [chance.choice([None, chance.randbytes(16).hex()]) for _ in range(4)]
    wall, dice = deals.deal(deal, ruleset.procedure, commit.seed, nonces)
    ctx = context(MATCH, deal, ruleset.digest)
    assert commit.commit == commitment(ctx, bytes.fromhex(commit.seed)).hex()
    octets = [bytes.fromhex(nonce) if nonce else bytes(16) for nonce in nonces]
    kinds, thrown = other.lay(ctx, bytes.fromhex(commit.seed), octets, len(wall), len(dice))
    names = {text: kind for kind, text in enumerate(dict.fromkeys(other.SET))}
    assert [names[text] for text in kinds] == wall
    assert thrown == list(dice)
    assert [names[text] for text in other.SET] == [kind_of(tile) for tile in range(144)]
    return bytes(wall)


@pytest.mark.parametrize("ruleset", ["lrc", "classical", "classical-limit"])
def test_an_honest_match(tmp_path: Path, ruleset: str) -> None:
    done = run(tmp_path, fair_record(ruleset), "--key", SIGNER.key)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"match {MATCH}" in done.stdout
    assert f"made with the key {SIGNER.key}" in done.stdout
    assert "NOT CHECKED" not in done.stdout


@pytest.mark.parametrize("seed", range(6))
def test_many_matches_and_their_loose_tiles(seed: int) -> None:
    for ruleset in ("lrc", "classical"):
        assert problem(fair_record(ruleset, 100 + seed)) is None


@given(st.data())
def test_a_sealed_record_has_no_bit_that_can_be_another(data: st.DataObject) -> None:
    octets = broken_off().encode()
    bit = data.draw(st.integers(0, 8 * len(octets) - 1))
    assert problem(flipped(octets, bit)) is not None


def test_no_bit_of_the_seal_can_be_another() -> None:
    octets = broken_off().encode()
    first = 8 * octets.index(b'{"row":"seal"')
    for bit in random.Random(8).sample(range(first, 8 * len(octets)), 40):
        assert problem(flipped(octets, bit)) is not None, bit


# The program reads the keys that it needs and lets others be.
@pytest.mark.parametrize("change", [change for change in FORGERIES if change != "an unknown key"])
def test_a_forgery_is_found_even_under_a_seal_of_its_own(change: str) -> None:
    text, _ = forged(change)
    assert problem(text) is not None
    assert problem(sealed(text, Signer(bytes(32)))) is not None


def test_a_draw_from_the_wrong_end_is_found() -> None:
    lines = without_seal(fair_record("lrc")).splitlines(keepends=True)
    at = next(place for place, line in enumerate(lines) if '"source":"flower"' in line)
    lines[at] = lines[at].replace('"source":"flower"', '"source":"wall"')
    assert "the wall gives" in str(problem("".join(lines)))


def test_what_cannot_be_checked_is_said(tmp_path: Path) -> None:
    done = run(tmp_path, without_seal(fair_record()))
    assert done.returncode == 0
    assert "NOT CHECKED: whose record it is, since it has no seal" in done.stdout
    done = run(tmp_path, without_seal(fair_record()), "--key", SIGNER.key)
    assert done.returncode == 1
    assert "--key insists" in done.stderr
    done = run(tmp_path, fair_record(), "--key", "00" * 32)
    assert done.returncode == 1
    done = run(tmp_path, fair_record())
    assert "NOT CHECKED: whose key that is" in done.stdout


@pytest.mark.parametrize(
    "text",
    [b"", b"no json\n", b"[]\n", b'{"record":3}\n', b'{"record":2}\n', b"\xff\xfe"],
)
def test_what_is_no_record(tmp_path: Path, text: bytes) -> None:
    done = run(tmp_path, text)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_signatures_of_the_standard() -> None:
    # RFC 8032, 7.1, TEST 2 and TEST 3.
    for key, message, signature in (
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ),
    ):
        parts = bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature)
        assert other.signed(*parts)
        assert not other.signed(parts[0], parts[1] + b"\0", parts[2])
        # The same point with the group's order added to the number: the standard refuses it.
        number = int.from_bytes(parts[2][32:], "little") + other.ORDER
        assert not other.signed(parts[0], parts[1], parts[2][:32] + number.to_bytes(32, "little"))
