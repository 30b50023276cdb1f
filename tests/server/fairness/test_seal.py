"""The seal of a record: a chain that every line goes into, a signature, and a key that only its owner can read."""

import hashlib
import json
import os
import stat
from itertools import pairwise
from pathlib import Path

import pytest

from parlour_server.fairness.seal import KEY_FILE, KeyUnusable, Signer, house_signer, sealed
from tests.server.fairness.built import SIGNER, broken_off, checked, problem, without_seal

SECRET = bytes(range(32))


def test_the_key_is_made_once_and_is_its_owners(tmp_path: Path) -> None:
    signer = house_signer(tmp_path)
    (file,) = tmp_path.iterdir()
    assert file.name == KEY_FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert house_signer(tmp_path).key == signer.key
    assert house_signer(tmp_path).key != house_signer(_folder(tmp_path / "other")).key


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_the_public_half_is_that_of_the_standard() -> None:
    # RFC 8032, 7.1, TEST 1.
    secret = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    assert Signer(secret).key == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"


@pytest.mark.parametrize("content", [b"", b"ab" * 31, b"ab" * 33, b"zz" * 32, b"\xff" * 64])
def test_a_key_that_is_none_is_told_without_its_text(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / KEY_FILE
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(KeyUnusable, match="holds no key") as told:
        house_signer(tmp_path)
    assert str(file) in str(told.value)
    assert "ab" * 8 not in str(told.value)
    assert file.read_bytes() == content


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    house_signer(tmp_path)
    (tmp_path / KEY_FILE).chmod(0o640)
    with pytest.raises(KeyUnusable, match=r"mode 640.*chmod 600"):
        house_signer(tmp_path)


def test_a_folder_that_is_missing_is_made_for_its_owner(tmp_path: Path) -> None:
    """Where the database is a server nothing else makes it before the first start."""
    folder = tmp_path / "of" / "house"
    signer = house_signer(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert house_signer(folder).key == signer.key


def test_a_folder_that_cannot_be_had_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyUnusable, match=r"cannot be read: Not a directory"):
        house_signer(tmp_path / "file")
    with pytest.raises(KeyUnusable, match=r"cannot be (read|written): Not a directory"):
        house_signer(tmp_path / "file" / "below")
    (tmp_path / KEY_FILE).mkdir()
    with pytest.raises(KeyUnusable, match="cannot be read"):
        house_signer(tmp_path)


def test_two_that_start_at_once_have_one_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = os.link

    def slower(one: Path, other: Path) -> None:
        (tmp_path / KEY_FILE).write_text(SECRET.hex() + "\n")
        (tmp_path / KEY_FILE).chmod(0o600)
        link(one, other)

    monkeypatch.setattr(os, "link", slower)
    assert house_signer(tmp_path).key == Signer(SECRET).key
    assert [file.name for file in tmp_path.iterdir()] == [KEY_FILE]


def test_the_secret_is_in_no_text(tmp_path: Path) -> None:
    signer = house_signer(tmp_path)
    secret = (tmp_path / KEY_FILE).read_text().strip()
    assert secret not in repr(signer)
    assert secret not in sealed(without_seal(broken_off()), signer)


def test_the_chain_as_it_is_written_down() -> None:
    *lines, last = broken_off().encode().splitlines(keepends=True)
    digest = b""
    for line in lines:
        digest = hashlib.sha256(digest + line).digest()
    row = json.loads(last)
    assert list(row) == ["row", "chain", "key", "signature"]
    assert row["chain"] == digest.hex()
    assert row["key"] == SIGNER.key
    assert len(bytes.fromhex(row["signature"])) == 64


def test_an_honest_record_is_found_right() -> None:
    replay = checked(broken_off().encode(), SIGNER.key)
    assert replay.seal is not None
    assert replay.seal.key == SIGNER.key
    assert problem(without_seal(broken_off())) is None


def test_another_house_can_seal_it_and_is_told_from_ours() -> None:
    other = Signer(bytes(32))
    text = sealed(without_seal(broken_off()), other)
    assert problem(text) is None
    assert SIGNER.key in str(problem(text, SIGNER.key))


def test_only_a_whole_record_is_sealed_and_only_once() -> None:
    text = without_seal(broken_off())
    for wrong in ("", text[:-1], text + text[:1], broken_off(), "".join(text.splitlines(keepends=True)[:-1])):
        with pytest.raises(ValueError, match="sealed once"):
            sealed(wrong, SIGNER)


def test_a_seal_stands_at_the_end_and_once() -> None:
    *lines, seal = broken_off().splitlines(keepends=True)
    assert "sealed once" in str(problem("".join([*lines, seal, seal])))
    assert "sealed once" in str(problem("".join([*lines[:-1], seal])))
    assert "after its end" in str(problem("".join([*lines, seal, lines[-1]])))


@pytest.mark.parametrize("change", ["swapped", "left_out", "twice", "crlf", "bom"])
def test_lines_that_the_replay_does_not_mind_break_the_chain(change: str) -> None:
    # Two offers of one window may come in either order for the engine; the seal knows in which they came.
    lines = broken_off().splitlines(keepends=True)
    at = next(
        place
        for place, (one, other) in enumerate(pairwise(lines))
        if '"row":"offered"' in one and '"row":"offered"' in other
    )
    match change:
        case "swapped":
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
        case "left_out":
            del lines[at]
        case "twice":
            lines.insert(at, lines[at])
        case "crlf":
            lines = [line.replace("\n", "\r\n") for line in lines]
        case _:
            lines[at] = "\ufeff" + lines[at]
    assert problem("".join(lines)) is not None
    if change in ("swapped", "crlf", "bom"):
        assert problem(without_seal("".join(lines))) is None
        told = str(problem("".join(lines)))
        assert "seal: the lines before it come to" in told
        saved = {"crlf": "lines that end with CR LF", "bom": "a byte order mark"}.get(change)
        assert ("by some editor" in told) is (saved is not None)
        assert saved is None or f"the file has {saved}" in told
