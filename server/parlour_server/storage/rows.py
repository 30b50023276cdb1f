"""Journal rows and what tables are made of as compact bytes, both ways."""

from collections.abc import Callable
from typing import Any, Final, get_args, get_type_hints

import attrs
import msgpack
from cattrs import Converter

from parlour_server.protocol.events import TableEvent
from parlour_server.protocol.values import OptionValue
from parlour_server.storage.changes import TableMeta
from parlour_server.storage.store import RowsUnreadable
from parlour_server.table.journal import Row

CHECKPOINT: Final = "checkpoint"
"""The tag of the row from which a table can be restored."""


def _converter(strict: bool) -> Converter:
    converter = Converter(detailed_validation=False, forbid_extra_keys=strict)
    converter.register_structure_hook(OptionValue, lambda value, _: value)
    return converter


def _tagged(converter: Converter, union: Any, tag: str) -> Callable[[Any, Any], Any]:
    """Reads a union by its tag. The protocol's converter believes nothing and takes twice as long; these are our own
    bytes, and a server that starts again reads a hundred thousand of them while everybody waits."""
    classes = {get_args(get_type_hints(cls)[tag])[0]: cls for cls in get_args(union)}
    known = {name: (converter.get_structure_hook(cls), cls) for name, cls in classes.items()}

    def structure(value: Any, _: Any) -> Any:
        hook, cls = known[value[tag]]
        return hook(value, cls)

    converter.register_structure_hook(union, structure)
    return structure


_STRICT: Final = _converter(True)
_tagged(_STRICT, TableEvent, "e")
_row: Final = _tagged(_STRICT, Row, "row")
# What a table was made of may have gained or lost a setting with another version of the program.
_LENIENT: Final = _converter(False)


def pack_rows(rows: list[Row]) -> bytes:
    """Rows as bytes; raises what msgpack does for values that are no plain data."""
    packed: bytes = msgpack.packb([_STRICT.unstructure(row) for row in rows])
    return packed


def unpack_rows(packed: bytes) -> list[Row]:
    """Rows from bytes; raises RowsUnreadable."""
    try:
        return [_row(value, Row) for value in msgpack.unpackb(packed, strict_map_key=False)]
    except Exception as error:  # cattrs and msgpack raise many kinds, and all mean the same
        raise RowsUnreadable(f"a row cannot be read: {type(error).__name__}: {str(error)[:120]}") from error


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
    return attrs.evolve(unpack(packed, TableMeta), began=began)  # type: ignore[no-any-return]  # it is a TableMeta
