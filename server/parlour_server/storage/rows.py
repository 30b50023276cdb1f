"""Journal rows and what tables are made of as compact bytes, both ways."""

from typing import Any, Final, get_args, get_type_hints

import msgpack
from cattrs import Converter

from parlour_server.protocol.codec import make_converter
from parlour_server.storage.changes import TableMeta
from parlour_server.storage.store import RowsUnreadable
from parlour_server.table.journal import Row

CHECKPOINT: Final = "checkpoint"
"""The tag of the row from which a table can be restored."""
_BY_TAG: Final[dict[str, type]] = {get_args(get_type_hints(cls)["row"])[0]: cls for cls in get_args(Row)}
_STRICT: Final = make_converter()
# What a table was made of may have gained or lost a setting with another version of the program.
_LENIENT: Final = Converter(detailed_validation=False)
_LENIENT.register_structure_hook(bool | int | str, lambda value, _: value)


def pack_rows(rows: list[Row]) -> bytes:
    """Rows as bytes; raises what msgpack does for values that are no plain data."""
    packed: bytes = msgpack.packb([_STRICT.unstructure(row) for row in rows])
    return packed


def unpack_rows(packed: bytes) -> list[Row]:
    """Rows from bytes; raises RowsUnreadable."""
    try:
        return [_row(value) for value in msgpack.unpackb(packed, strict_map_key=False)]
    except Exception as error:  # cattrs and msgpack raise many kinds, and all mean the same
        raise RowsUnreadable(f"a row cannot be read: {type(error).__name__}: {str(error)[:120]}") from error


def _row(value: dict[str, Any]) -> Row:
    row: Row = _STRICT.structure(value, _BY_TAG[value["row"]])
    return row


def is_checkpoint(row: Row) -> bool:
    """True for a row from which the table can be restored without those before it."""
    return row.row == CHECKPOINT


def pack(value: object) -> bytes:
    """Plain attrs values as bytes."""
    packed: bytes = msgpack.packb(_LENIENT.unstructure(value))
    return packed


def unpack(packed: bytes, cls: type) -> Any:
    """A value of `cls` from bytes, without keys it does not know; raises RowsUnreadable."""
    try:
        return _LENIENT.structure(msgpack.unpackb(packed), cls)
    except Exception as error:  # as in `unpack_rows`
        raise RowsUnreadable(f"a {cls.__name__} cannot be read: {type(error).__name__}: {str(error)[:120]}") from error


def unpack_meta(packed: bytes, began: str | None) -> TableMeta:
    """What a table was made of; raises RowsUnreadable."""
    value = msgpack.unpackb(packed)
    value["began"] = began
    return unpack(msgpack.packb(value), TableMeta)  # type: ignore[no-any-return]  # as it says
