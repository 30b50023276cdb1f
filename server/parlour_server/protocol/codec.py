"""Bytes to messages and back: MessagePack or JSON, checked against the schema. No dict passes this line."""

import json
from collections.abc import Callable
from typing import Any, Final, Literal, NoReturn, get_args, get_origin, get_type_hints

import msgpack
from cattrs import Converter
from cattrs.errors import ForbiddenExtraKeysError

from parlour_server.protocol.events import TableEvent
from parlour_server.protocol.lobby import MAX_INT
from parlour_server.protocol.messages import FromClient, ToClient
from parlour_server.protocol.values import OptionValue

MSGPACK_SUBPROTOCOL: Final = "parlour.v1.msgpack"
JSON_SUBPROTOCOL: Final = "parlour.v1.json"

MAX_FRAME: Final = 4096
"""Bytes of the largest frame a client may send."""
MAX_DEPTH: Final = 8
"""Levels of nesting in a client's frame."""


class ProtocolError(ValueError):
    """A frame that is not our language. The text never repeats the payload and is at most 200 bytes."""


def _strict(kind: type) -> Callable[[Any, Any], Any]:
    def structure(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise ProtocolError(f"expected {kind.__name__}, found {type(value).__name__}")
        return value

    return structure


def _text(value: Any, _: Any) -> Any:
    if type(value) is not str:
        raise ProtocolError(f"expected str, found {type(value).__name__}")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:  # JSON can spell half a surrogate pair, which no frame of ours could carry back
            raise ProtocolError("a text is not Unicode") from None
    return value


def _option_value(value: Any, _: Any) -> Any:
    if type(value) is bool or (type(value) is int and abs(value) <= MAX_INT):
        return value
    if type(value) is str and len(value) <= 40:
        return _text(value, str)
    raise ProtocolError("an option is true, false, a whole number or a short text")


def _literal(value: Any, literal: Any) -> Any:
    for choice in get_args(literal):
        if type(value) is type(choice) and value == choice:
            return choice
    raise ProtocolError(f"expected one of {', '.join(map(str, get_args(literal)))}"[:200])


def _tagged(converter: Converter, union: Any, tag: str) -> None:
    """Read a union by its `tag`, which every member has as a literal of its own."""
    by_tag = {get_args(get_type_hints(cls)[tag])[0]: cls for cls in get_args(union)}

    def structure(value: Any, _: Any) -> Any:
        if type(value) is not dict:
            raise ProtocolError(f"expected a map, found {type(value).__name__}")
        name = value.get(tag)
        cls = by_tag.get(name) if type(name) is str else None
        if cls is None:
            raise ProtocolError(f"unknown {tag}: use one of {', '.join(by_tag)}"[:200])
        return converter.structure(value, cls)

    converter.register_structure_hook(union, structure)


def _strict_list(converter: Converter, hint: Any) -> Callable[[Any, Any], Any]:
    inner = get_args(hint)[0]

    def structure(value: Any, _: Any) -> Any:
        if type(value) is not list:
            raise ProtocolError(f"expected a list, found {type(value).__name__}")
        return [converter.structure(item, inner) for item in value]

    return structure


def _strict_map(converter: Converter, hint: Any) -> Callable[[Any, Any], Any]:
    inner = get_args(hint)[1]

    def structure(value: Any, _: Any) -> Any:
        if type(value) is not dict:
            raise ProtocolError(f"expected a map, found {type(value).__name__}")
        return {_text(key, str): converter.structure(item, inner) for key, item in value.items()}

    return structure


def _is_literal(hint: Any) -> bool:
    return get_origin(hint) is Literal


def _is_list(hint: Any) -> bool:
    return get_origin(hint) is list


def _is_dict(hint: Any) -> bool:
    return get_origin(hint) is dict


def make_converter() -> Converter:
    """A converter that refuses unknown keys and never coerces one type to another."""
    converter = Converter(forbid_extra_keys=True, detailed_validation=False)
    for kind in (int, bool):
        converter.register_structure_hook(kind, _strict(kind))
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook_func(_is_literal, _literal)
    converter.register_structure_hook_factory(_is_list, lambda hint: _strict_list(converter, hint))
    converter.register_structure_hook_factory(_is_dict, lambda hint: _strict_map(converter, hint))
    converter.register_structure_hook(OptionValue, _option_value)
    _tagged(converter, FromClient, "type")
    _tagged(converter, ToClient, "type")
    _tagged(converter, TableEvent, "e")
    return converter


CONVERTER: Final = make_converter()


def _unique(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ProtocolError("a key appears twice")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ProtocolError(f"{name} is no number here")


def _refuse_extension(code: int, data: bytes) -> NoReturn:
    raise ProtocolError("extension types are not used")


def _check_depth(value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise ProtocolError(f"nested deeper than {MAX_DEPTH} levels")
    if type(value) is dict:
        for item in value.values():
            _check_depth(item, depth + 1)
    elif type(value) is list:
        for item in value:
            _check_depth(item, depth + 1)


def _plain(frame: bytes | str) -> Any:
    try:
        if isinstance(frame, str):
            return json.loads(frame, object_pairs_hook=_unique, parse_constant=_refuse_constant)
        return msgpack.unpackb(
            frame, raw=False, strict_map_key=True, object_pairs_hook=_unique, ext_hook=_refuse_extension
        )
    except ProtocolError:
        raise
    except RecursionError:
        raise ProtocolError(f"nested deeper than {MAX_DEPTH} levels") from None
    except (ValueError, TypeError, OverflowError, msgpack.UnpackException):
        language = "JSON" if isinstance(frame, str) else "MessagePack"
        raise ProtocolError(f"the frame is not {language}") from None


def _structure(value: Any, union: Any) -> Any:
    try:
        return CONVERTER.structure(value, union)
    except ProtocolError:
        raise
    except ForbiddenExtraKeysError as error:
        raise ProtocolError(f"unknown key in {error.cl.__name__}") from None
    except KeyError as error:
        raise ProtocolError(f"the key {error.args[0]} is missing"[:200]) from None
    except (ValueError, TypeError):  # attrs validators, whose texts repeat the payload
        raise ProtocolError("a value is out of range or too long") from None


def decode(frame: bytes | str) -> FromClient:
    """The message of a client's frame: text is JSON, bytes are MessagePack. Raises ProtocolError, nothing else."""
    size = len(frame) if isinstance(frame, bytes) else len(frame.encode("utf-8", "surrogatepass"))
    if size > MAX_FRAME:
        raise ProtocolError(f"the frame is larger than {MAX_FRAME} bytes")
    value = _plain(frame)
    _check_depth(value, 1)
    message: FromClient = _structure(value, FromClient)
    return message


def encode(message: ToClient | FromClient, subprotocol: str) -> bytes | str:
    """The frame of a message in one of the two subprotocols."""
    value = CONVERTER.unstructure(message)
    if subprotocol == JSON_SUBPROTOCOL:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    packed: bytes = msgpack.packb(value)
    return packed


def decode_reply(frame: bytes | str) -> ToClient:
    """The message of a server's frame, for clients and tests; raises ProtocolError."""
    reply: ToClient = _structure(_plain(frame), ToClient)
    return reply
