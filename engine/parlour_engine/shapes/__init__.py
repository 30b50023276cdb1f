"""Is it complete, every reading of it, how far from ready, which tiles help and which win.

Everything is a pure function of the concealed tiles: `counts` (how many of each of the 34 kinds) and the four suit
`keys` that stand for the same tiles (see `tables`). Masks have bit `kind` set.
"""

from parlour_engine.shapes.distances import (
    Discard,
    accepting,
    discard_distances,
    discards_by_distance,
    distance,
    distance_of,
    is_complete,
    least_discards,
)
from parlour_engine.shapes.special import (
    FORMS,
    NICO_NICO,
    OUT_OF_REACH,
    SIXTEEN_ORPHANS,
    THIRTEEN_ORPHANS,
    SpecialPartition,
    special_distance,
    special_forms,
    special_partitions,
)
from parlour_engine.shapes.splits import (
    PONG_CODE,
    Partition,
    group_form,
    group_kind,
    group_tiles,
    partitions,
)
from parlour_engine.shapes.tables import (
    FINAL,
    HONOUR,
    KEY_STEP,
    MERGE,
    STEPS,
    SUIT,
    SUIT_OF,
    Keys,
    suit_keys,
)
from parlour_engine.shapes.waiting import waits

__all__ = [
    "FINAL",
    "FORMS",
    "HONOUR",
    "KEY_STEP",
    "MERGE",
    "NICO_NICO",
    "OUT_OF_REACH",
    "PONG_CODE",
    "SIXTEEN_ORPHANS",
    "STEPS",
    "SUIT",
    "SUIT_OF",
    "THIRTEEN_ORPHANS",
    "Discard",
    "Keys",
    "Partition",
    "SpecialPartition",
    "accepting",
    "discard_distances",
    "discards_by_distance",
    "distance",
    "distance_of",
    "group_form",
    "group_kind",
    "group_tiles",
    "is_complete",
    "least_discards",
    "partitions",
    "special_distance",
    "special_forms",
    "special_partitions",
    "suit_keys",
    "waits",
]
