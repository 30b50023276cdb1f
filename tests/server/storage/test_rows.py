"""Every row of a journal comes back from its bytes as it was, whatever it holds."""

import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs
import msgpack
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parlour_server.protocol.values import Names
from parlour_server.storage.changes import TableMeta
from parlour_server.storage.rows import is_checkpoint, pack, pack_rows, unpack, unpack_meta, unpack_rows
from parlour_server.storage.store import RowsUnreadable
from parlour_server.table.journal import Answered, LineChanged, Row
from tests.server.storage.telling import meta, row

_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(-(2**53) + 1, 2**53 - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    str: st.text(st.characters(codec="utf-8"), max_size=12),
    type(None): st.none(),
}


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of this type."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return st.sampled_from(inner)
    if origin in (Union, types.UnionType):
        return st.one_of([values(one) for one in inner])
    if origin is list:
        return st.lists(values(inner[0]), max_size=3)
    if origin is tuple:
        if inner[-1] is ...:
            return st.lists(values(inner[0]), max_size=3).map(tuple)
        return st.tuples(*[values(one) for one in inner])
    if origin is dict:
        return st.dictionaries(values(inner[0]), values(inner[1]), max_size=3)
    assert attrs.has(hint), f"say here how a {hint} is made"
    hints = get_type_hints(hint)
    return st.builds(hint, **{one.name: values(hints[one.name]) for one in attrs.fields(hint)})


@pytest.mark.parametrize("cls", get_args(Row), ids=lambda cls: cls.__name__)
@given(chosen=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_row_comes_back_as_it_was(cls: type, chosen: st.DataObject) -> None:
    told = chosen.draw(st.lists(values(cls), min_size=1, max_size=3))
    again = unpack_rows(pack_rows(told))
    assert again == told
    assert [type(one) for one in again] == [cls] * len(told)


def test_a_line_that_older_versions_have_written_down_was_not_silent() -> None:
    older = msgpack.packb([{"at": 1.0, "seat": 2, "up": False, "row": "line"}])
    assert unpack_rows(older) == [LineChanged(1.0, 2, up=False, since=None)]


def test_what_a_table_was_made_of_comes_back_and_a_setting_that_is_no_more_is_left_out() -> None:
    made = meta("one", began="2026-01-31T12:30:00Z")
    assert unpack_meta(pack(made), made.began) == made
    older = msgpack.unpackb(pack(made))
    older["settings"]["colour"] = "green"
    del older["settings"]["watchers"]
    assert unpack(msgpack.packb(older), TableMeta) == made


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"\xc1",
        msgpack.packb([{"row": "nothing known"}]),
        msgpack.packb([{"at": 1.0}]),
        msgpack.packb([{"row": "answered", "at": 1.0, "version": "one", "seat": 0, "move": "pass", "by": "bot"}]),
        msgpack.packb([{"row": "closed", "at": 1.0, "more": 2}]),
        pack_rows([row(1)])[:-3],
    ],
)
def test_rows_that_cannot_be_read_are_told_as_such(packed: bytes) -> None:
    with pytest.raises(RowsUnreadable):
        unpack_rows(packed)
    with pytest.raises(RowsUnreadable):
        unpack(packed, Names)


def test_a_row_that_is_no_plain_data_is_not_written() -> None:
    with pytest.raises(TypeError):
        pack_rows([Answered(1.0, 1, 0, object(), "bot")])  # type: ignore[arg-type]  # that is the point


def test_only_a_checkpoint_is_one() -> None:
    assert not is_checkpoint(row(1))
