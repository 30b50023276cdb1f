"""The seal of a record: a hash chain over its lines, signed by the house that kept it (docs/fairness.md).

Whoever has the house's key can tell that no octet of a sealed record is another; a record that its owner has sealed
anew carries another key.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from parlour_server.records.rows import SealRow, line_of

KEY_FILE: Final = "seal.key"
"""Name of the house's key in the folder of its data."""
_DOMAIN: Final = b"mj-seal-v1"
_OTHERS: Final = 0o077
"""The permissions that nobody but the owner is to have."""
_HASH_BYTES: Final = 32
_KEY_BYTES: Final = 32
_SIGNATURE_BYTES: Final = 64
_MARK: Final = "\ufeff".encode()


class KeyUnusable(ValueError):
    """The house's key cannot be read or made; the text names the file, what is wrong, and the cure."""


class SealBroken(ValueError):
    """A record is not as it was sealed; the text says what differs."""


class Signer:
    """The house's key: it signs what a record has come to. `key` is its public half in hex."""

    __slots__ = ("_private", "key")

    def __init__(self, secret: bytes) -> None:
        """From the 32 octets of an Ed25519 key."""
        self._private: Final = Ed25519PrivateKey.from_private_bytes(secret)
        self.key: Final = self._private.public_key().public_bytes_raw().hex()

    def __repr__(self) -> str:
        return f"Signer of {self.key}"

    def row(self, chain: bytes) -> SealRow:
        """The last line of a record whose lines have come to `chain`."""
        return SealRow(chain.hex(), self.key, self._private.sign(_DOMAIN + chain).hex())


def house_signer(folder: Path) -> Signer:
    """The signer of the house that keeps its data in `folder`: its key is read from there, or made. KeyUnusable."""
    path = folder / KEY_FILE
    if house_key(folder) is not None:
        return Signer(_read(path))
    try:
        # Nothing else has made it where the database is a server.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Whole or not at all, and never another's: a link that is there already is left alone.
        new = folder / f"{KEY_FILE}.{os.getpid()}"
        try:
            _write(new, Ed25519PrivateKey.generate().private_bytes_raw())
            with suppress(FileExistsError):
                os.link(new, path)
        finally:
            new.unlink(missing_ok=True)
        return Signer(_read(path))
    except OSError as error:
        raise KeyUnusable(f"{path} cannot be written: {error.strerror}; the records' seal needs it") from error


def house_key(folder: Path) -> str | None:
    """The public half, in hex, of the key of the house that keeps its data in `folder`; None where none is made yet.
    KeyUnusable."""
    path = folder / KEY_FILE
    try:
        return Signer(_read(path)).key
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeyUnusable(f"{path} cannot be read: {error.strerror}; the records' seal needs it") from error


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if mode & _OTHERS:
            raise KeyUnusable(f"{path} can be read by others (mode {mode & 0o777:o}): make it chmod 600")
        text = file.read(_KEY_BYTES * 4)
    try:
        secret = bytes.fromhex(text.decode("ascii"))
    except ValueError:
        secret = b""
    if len(secret) != _KEY_BYTES:
        # The text itself is a secret, whatever is wrong with it.
        raise KeyUnusable(f"{path} holds no key: put it back from a backup, or move it away and a new one is made")
    return secret


def _write(path: Path, secret: bytes) -> None:
    path.unlink(missing_ok=True)
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(number, "wb") as file:
        file.write(secret.hex().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


class Chain:
    """What the lines of a record come to, one after the other.

    `digest` is after the last line taken, `before` without it. A line counts with its end, octet by octet. `saved` is
    what an editor has put into a line that it took, in words: nobody sees it, and it breaks a seal all the same.
    """

    __slots__ = ("before", "digest", "saved")

    def __init__(self) -> None:
        self.digest = b""
        self.before = b""
        self.saved: str | None = None

    def take(self, line: bytes) -> None:
        """The next line; the first is the header."""
        if line.startswith(_MARK):
            self.saved = "a byte order mark"
        elif line.endswith(b"\r\n"):
            self.saved = self.saved or "lines that end with CR LF"
        self.before = self.digest
        self.digest = hashlib.sha256(self.digest + line).digest()

    def over(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The same lines, each taken before it is handed on."""
        for line in lines:
            self.take(line)
            yield line


def sealed(text: str, signer: Signer) -> str:
    """A whole record with its seal as the last line. ValueError where it has no end or a seal already."""
    *lines, rest = text.encode().split(b"\n")
    if rest or not lines or not lines[-1].startswith(b'{"row":"end",'):
        raise ValueError("a record is sealed once, after its last row")
    chain = Chain()
    for line in lines:
        chain.take(line + b"\n")
    return text + line_of(signer.row(chain.digest))


def check_seal(row: SealRow, chain: bytes, key: str | None = None) -> None:
    """Raise SealBroken where `row` is not the seal of lines that came to `chain`, or not of the house with `key`."""
    told = _octets(row.chain, _HASH_BYTES, "chain")
    public = _octets(row.key, _KEY_BYTES, "key")
    signature = _octets(row.signature, _SIGNATURE_BYTES, "signature")
    if told != chain:
        raise SealBroken(f"the lines before it come to {chain.hex()}, and it was made for {row.chain}")
    if key is not None and row.key != key:
        raise SealBroken(f"it was made with the key {row.key}, and not with {key}")
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, _DOMAIN + chain)
    except (InvalidSignature, ValueError) as error:
        raise SealBroken(f"its signature is not one of the key {row.key}") from error


def _octets(text: str, length: int, name: str) -> bytes:
    try:
        octets = bytes.fromhex(text)
    except ValueError:
        octets = b""
    # One value has one text, so that no letter of it can be changed.
    if len(octets) != length or octets.hex() != text:
        raise SealBroken(f"its {name} is not {length} octets in hex of small letters")
    return octets
