"""Draw every tile face and write them as one SVG sprite.

Run at development time only (needs `fonttools` and Debian's `fonts-noto-cjk`); the result is committed:

    python web-client/tools/draw_tiles.py

Out: `src/tiles/faces.svg`, one `<symbol>` for each face (`tile-1m` ... `tile-8f`, `tile-back`) and one more for each
face with an index in its corner (`indexed-1m` ... `indexed-7z`). Circles, bamboo, flowers and the back are our own drawings; the Chinese glyphs and the corner indices
are outlines of Noto Serif CJK TC and Noto Sans CJK TC (SIL Open Font License 1.1).
"""

from __future__ import annotations

import math
from pathlib import Path

from fontTools.misc.transform import Transform
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTCollection, TTFont

FONTS = Path("/usr/share/fonts/opentype/noto")
OUT = Path(__file__).resolve().parent.parent / "src" / "tiles" / "faces.svg"

RED, GREEN, BLUE, INK = "#b8242c", "#17704c", "#1d4f91", "#1c2b45"
ROSE, MINT, SKY = "#e58d86", "#7fbf9b", "#8fb4de"
IVORY = "#fdf8ea"


def face_of(collection: str, name: str) -> TTFont:
    for font in TTCollection(str(FONTS / collection)).fonts:
        if font["name"].getDebugName(4) == name:
            return font
    raise SystemExit(f"{collection} holds no font called {name}")


SERIF = face_of("NotoSerifCJK-Bold.ttc", "Noto Serif CJK TC Bold")
SANS = face_of("NotoSansCJK-Bold.ttc", "Noto Sans CJK TC Bold")


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def glyph(
    text: str, cx: float, cy: float, width: float, height: float, colour: str, font: TTFont = SERIF, box: bool = False
) -> str:
    """One glyph, its em square (or, with `box`, its ink) fitted to `width` x `height` around (cx, cy)."""
    glyphs = font.getGlyphSet()
    name = font.getBestCmap()[ord(text)]
    if box:
        bounds = BoundsPen(glyphs)
        glyphs[name].draw(bounds)
        left, low, right, high = bounds.bounds
    else:
        left, low, right, high = 0, -120, 1000, 880
    sx, sy = width / (right - left), height / (high - low)
    pen = SVGPathPen(glyphs, ntos=number)
    move = Transform(sx, 0, 0, -sy, cx - sx * (left + right) / 2, cy + sy * (low + high) / 2)
    glyphs[name].draw(TransformPen(pen, move))
    return f'<path fill="{colour}" d="{pen.getCommands()}"/>'


def disc(cx: float, cy: float, r: float, colour: str) -> str:
    return f'<circle cx="{number(cx)}" cy="{number(cy)}" r="{number(r)}" fill="{colour}"/>'


def ring(cx: float, cy: float, r: float, width: float, colour: str) -> str:
    return (
        f'<circle cx="{number(cx)}" cy="{number(cy)}" r="{number(r)}" fill="none" '
        f'stroke="{colour}" stroke-width="{number(width)}"/>'
    )


def path(d: str, fill: str = "none", stroke: str = "", width: float = 0) -> str:
    line = (
        f' stroke="{stroke}" stroke-width="{number(width)}" stroke-linecap="round" stroke-linejoin="round"'
        if stroke
        else ""
    )
    return f'<path d="{d}" fill="{fill}"{line}/>'


def turned(inner: str, angle: float, cx: float, cy: float) -> str:
    return f'<g transform="rotate({number(angle)} {number(cx)} {number(cy)})">{inner}</g>'


def petal(
    cx: float, cy: float, angle: float, near: float, far: float, width: float, colour: str, tip: float = 0.62
) -> str:
    """A drop from distance `near` to `far` along `angle` (degrees, 0 is up); widest at `tip` of its length."""
    a = math.radians(angle - 90)
    ux, uy = math.cos(a), math.sin(a)

    def at(along: float, across: float) -> str:
        return f"{number(cx + ux * along - uy * across)} {number(cy + uy * along + ux * across)}"

    belly = near + (far - near) * tip
    d = (
        f"M{at(near, 0)}C{at(near + (belly - near) * 0.4, width * 0.25)} {at(belly - (belly - near) * 0.4, width / 2)} "
        f"{at(belly, width / 2)}C{at(belly + (far - belly) * 0.75, width / 2)} {at(far, width * 0.25)} {at(far, 0)}"
        f"C{at(far, -width * 0.25)} {at(belly + (far - belly) * 0.75, -width / 2)} {at(belly, -width / 2)}"
        f"C{at(belly - (belly - near) * 0.4, -width / 2)} {at(near + (belly - near) * 0.4, -width * 0.25)} {at(near, 0)}Z"
    )
    return path(d, colour)


# Circles ---------------------------------------------------------------------------------------------------------


def coin(cx: float, cy: float, r: float, colour: str) -> str:
    return disc(cx, cy, r, colour) + ring(cx, cy, r * 0.64, r * 0.18, IVORY) + disc(cx, cy, r * 0.17, IVORY)


def one_circle() -> str:
    cx, cy = 30, 40
    parts = [disc(cx, cy, 23.5, GREEN), disc(cx, cy, 20.2, IVORY), ring(cx, cy, 18.2, 1.2, GREEN)]
    parts += [petal(cx, cy, step * 30, 7.5, 16.4, 6.4, BLUE) for step in range(12)]
    parts += [disc(cx, cy, 8.6, IVORY), disc(cx, cy, 7.4, RED), ring(cx, cy, 4.4, 1.3, IVORY), disc(cx, cy, 1.5, IVORY)]
    return "".join(parts)


def circles(rank: int) -> str:
    if rank == 1:
        return one_circle()
    layouts: dict[int, list[tuple[float, float, float, str]]] = {
        2: [(30, 21.5, 15, GREEN), (30, 58.5, 15, BLUE)],
        3: [(16, 17, 11.6, BLUE), (30, 40, 11.6, RED), (44, 63, 11.6, GREEN)],
        4: [(16.5, 20, 12.6, BLUE), (43.5, 20, 12.6, GREEN), (16.5, 60, 12.6, GREEN), (43.5, 60, 12.6, BLUE)],
        5: [(15, 17, 11, BLUE), (45, 17, 11, GREEN), (30, 40, 11, RED), (15, 63, 11, GREEN), (45, 63, 11, BLUE)],
        6: [(x, 15.8, 10.8, GREEN) for x in (18, 42)] + [(x, y, 10.8, RED) for y in (41.5, 64.6) for x in (18, 42)],
        7: [(13, 12, 8.4, GREEN), (30, 18.5, 8.4, GREEN), (47, 25, 8.4, GREEN)]
        + [(x, y, 9.8, RED) for y in (46, 67.4) for x in (18.5, 41.5)],
        8: [(x, y, 8.8, BLUE) for y in (12, 30.7, 49.3, 68) for x in (18.5, 41.5)],
        9: [(x, y, 8.5, c) for y, c in ((15.5, GREEN), (40, RED), (64.5, BLUE)) for x in (11.5, 30, 48.5)],
    }
    return "".join(coin(*spot) for spot in layouts[rank])


# Bamboo ----------------------------------------------------------------------------------------------------------


def stick(cx: float, cy: float, height: float, colour: str, angle: float = 0, width: float = 8.4) -> str:
    """A cane with three knuckles; the light line keeps the two segments apart at small sizes."""
    top, half = cy - height / 2, width / 2
    stem, knuckle = half * 0.72, min(5, height * 0.17)
    bar = lambda y: (
        f'<rect x="{number(cx - half)}" y="{number(y)}" width="{number(width)}" height="{number(knuckle)}" '
        f'rx="{number(knuckle / 2)}" fill="{colour}"/>'
    )
    body = (
        f'<rect x="{number(cx - stem)}" y="{number(top + knuckle / 2)}" width="{number(stem * 2)}" '
        f'height="{number(height - knuckle)}" fill="{colour}"/>'
    )
    light = "".join(
        path(f"M{number(cx)} {number(start)}V{number(stop)}", stroke=IVORY, width=width * 0.15)
        for start, stop in (
            (top + knuckle + 1.2, cy - knuckle / 2 - 1.2),
            (cy + knuckle / 2 + 1.2, top + height - knuckle - 1.2),
        )
    )
    drawn = body + bar(top) + bar(cy - knuckle / 2) + bar(top + height - knuckle) + light
    return turned(drawn, angle, cx, cy) if angle else drawn


def peacock() -> str:
    cx, cy = 30, 50
    parts = []
    for angle in (-102, -68, -34, 0, 34, 68, 102):
        reach = 41 if angle == 0 else 39 if abs(angle) == 34 else 30 if abs(angle) == 68 else 26
        parts.append(petal(cx, cy, angle, 4, reach, 15, GREEN, tip=0.74))
        a = math.radians(angle - 90)
        eye = reach - 8.2
        ex, ey = cx + math.cos(a) * eye, cy + math.sin(a) * eye
        parts += [disc(ex, ey, 4.9, IVORY), disc(ex, ey, 3.7, RED), disc(ex, ey, 1.4, IVORY)]
    body = "M30 27C36 27 37 33 35.5 38C41 45 42 58 30 69C18 58 19 45 24.5 38C23 33 24 27 30 27Z"
    parts.append(path(body, BLUE, IVORY, 1.8))
    parts += [
        path(f"M{x} {y}l{dx} 5.5", stroke=BLUE, width=2.2) for x, y, dx in ((26.5, 67.5, -3.5), (33.5, 67.5, 3.5))
    ]
    parts += [disc(27.4, 33.2, 1.5, IVORY), disc(32.6, 33.2, 1.5, IVORY), path("M28.4 36.2h3.2L30 39.6Z", "#e0a52e")]
    parts += [path("M24.5 49.5q5.5 4.6 11 0M25.3 55.5q4.7 4 9.4 0M27 61.2q3 2.4 6 0", stroke=SKY, width=1.5)]
    return "".join(parts)


def bamboo(rank: int) -> str:
    if rank == 1:
        return peacock()
    three = (12.5, 30, 47.5)
    sticks: dict[int, list[tuple[float, float, float, str, float, float]]] = {
        2: [(30, 21, 34, BLUE, 0, 12.5), (30, 59, 34, GREEN, 0, 12.5)],
        3: [(30, 21, 34, BLUE, 0, 12.5), (16.5, 59, 34, GREEN, 0, 12.5), (43.5, 59, 34, GREEN, 0, 12.5)],
        4: [
            (x, y, 34, c, 0, 12.5)
            for x, y, c in ((16.5, 21, BLUE), (43.5, 21, GREEN), (16.5, 59, GREEN), (43.5, 59, BLUE))
        ],
        5: [
            (x, y, 33, c, 0, 11.5)
            for x, y, c in (
                (12.5, 20.5, GREEN),
                (47.5, 20.5, BLUE),
                (30, 40, RED),
                (12.5, 59.5, BLUE),
                (47.5, 59.5, GREEN),
            )
        ],
        6: [(x, y, 34, c, 0, 11.5) for y, c in ((21, GREEN), (59, BLUE)) for x in three],
        7: [(30, 14.6, 22.5, RED, 0, 11.5)]
        + [(x, y, 22.5, c, 0, 11.5) for y in (40.6, 66.4) for x, c in zip(three, (GREEN, BLUE, GREEN), strict=True)],
        8: [(9.5, 21.5, 32, GREEN, 0, 9.6), (50.5, 21.5, 32, GREEN, 0, 9.6)]
        + [(22.8, 21.6, 28, GREEN, -30, 9.6), (37.2, 21.6, 28, GREEN, 30, 9.6)]
        + [(9.5, 58.5, 32, BLUE, 0, 9.6), (50.5, 58.5, 32, BLUE, 0, 9.6)]
        + [(22.8, 58.4, 28, BLUE, 30, 9.6), (37.2, 58.4, 28, BLUE, -30, 9.6)],
        9: [(x, y, 22.5, c, 0, 11.5) for y in (14.4, 40, 65.6) for x, c in zip(three, (GREEN, RED, BLUE), strict=True)],
    }
    return "".join(stick(x, y, h, c, a, w) for x, y, h, c, a, w in sticks[rank])


# Honours ---------------------------------------------------------------------------------------------------------


def characters(rank: int) -> str:
    return glyph("一二三四五六七八九"[rank - 1], 30, 22.5, 40, 36, INK) + glyph("萬", 30, 57, 40, 37, RED)


def white() -> str:
    frame = lambda inset, r, width: (
        f'<rect x="{inset}" y="{inset + 2}" width="{60 - 2 * inset}" height="{76 - 2 * inset}" rx="{r}" fill="none" '
        f'stroke="{BLUE}" stroke-width="{width}"/>'
    )
    corners = "".join(
        path(f"M{x} {y}m{-4 * sx} 0h{4 * sx}v{4 * sy}", stroke=BLUE, width=2)
        for x, y, sx, sy in ((43, 19, 1, 1), (17, 19, -1, 1), (43, 61, 1, -1), (17, 61, -1, -1))
    )
    return frame(8.5, 3.5, 4.6) + frame(13.6, 1.5, 1.2) + corners


def honours(rank: int) -> str:
    if rank == 5:
        return white()
    if rank == 6:
        return glyph("發", 30, 40, 53, 64, GREEN)
    if rank == 7:
        return glyph("中", 30, 40, 56, 64, RED)
    return glyph("東南西北"[rank - 1], 30, 40, 53, 62, INK)


# Flowers ---------------------------------------------------------------------------------------------------------


def blossom(cx: float, cy: float, r: float, dark: str, light: str, petals: int = 5, turn: float = 0) -> str:
    out = [petal(cx, cy, turn + step * 360 / petals, r * 0.1, r, r * 5.4 / petals, dark) for step in range(petals)]
    out += [
        petal(cx, cy, turn + step * 360 / petals, r * 0.28, r * 0.8, r * 2.6 / petals, light) for step in range(petals)
    ]
    return "".join(out) + disc(cx, cy, r * 0.24, IVORY) + disc(cx, cy, r * 0.15, "#d99a2b")


def leaf(cx: float, cy: float, angle: float, length: float, width: float, colour: str = GREEN) -> str:
    return petal(cx, cy, angle, 0, length, width, colour, tip=0.45)


def spring() -> str:
    return (
        path("M10 75C20 70 30 66 36 56M25 68.5C34 70 42 68 48 63", stroke=INK, width=2)
        + leaf(20, 70.5, -55, 12, 6)
        + leaf(48, 63, 40, 10, 6)
        + blossom(33, 49, 15, RED, ROSE)
        + blossom(46, 70, 6.5, RED, ROSE, turn=20)
    )


def summer() -> str:
    lotus = "".join(petal(30, 66, a, 0, r, 12, RED) for a, r in ((-78, 20), (78, 20), (-52, 26), (52, 26)))
    inner = "".join(petal(30, 66, a, 0, r, 12, ROSE) for a, r in ((-26, 30), (26, 30)))
    return (
        lotus
        + inner
        + petal(30, 66, 0, 0, 33, 13, RED)
        + petal(30, 66, 0, 6, 26, 6.5, ROSE)
        + path("M8 69C16 63.5 44 63.5 52 69C44 77 16 77 8 69Z", GREEN)
        + path("M14 69.6C24 72.6 36 72.6 46 69.6", stroke=MINT, width=1.5)
    )


def autumn() -> str:
    lobes = [(-118, 17, 11), (118, 17, 11), (-62, 24, 13), (62, 24, 13), (0, 29, 15)]
    shape = "".join(petal(30, 60, a, 0, r, w, RED, tip=0.5) for a, r, w in lobes)
    teeth = "".join(petal(30, 60, a, 0, r, 7, RED, tip=0.55) for a, r in ((-31, 21), (31, 21), (-90, 17), (90, 17)))
    veins = "".join(
        path(
            f"M30 60L{number(30 + math.sin(math.radians(a)) * r * 0.72)} {number(60 - math.cos(math.radians(a)) * r * 0.72)}",
            stroke=ROSE,
            width=1.4,
        )
        for a, r, _ in lobes
    )
    return teeth + shape + disc(30, 60, 6, RED) + veins + path("M30 60C31 67 29 72 25 76", stroke=RED, width=2.2)


def winter() -> str:
    cx, cy, parts = 30, 54, []
    for step in range(6):
        arm = path(f"M{cx} {cy}V{cy - 22}", stroke=RED, width=3)
        arm += path(f"M{cx - 6.5} {cy - 19}L{cx} {cy - 13}L{cx + 6.5} {cy - 19}", stroke=RED, width=2.4)
        arm += path(f"M{cx - 4} {cy - 10.5}L{cx} {cy - 7}L{cx + 4} {cy - 10.5}", stroke=ROSE, width=2)
        parts.append(turned(arm, step * 60, cx, cy))
    return "".join(parts) + disc(cx, cy, 3.6, RED) + disc(cx, cy, 1.6, IVORY)


def plum() -> str:
    return (
        path("M8 76C18 72 22 62 28 54M20 67C30 69 40 66 50 54M40 64C44 66 48 68 52 73", stroke=INK, width=2.2)
        + blossom(25, 50, 13, BLUE, SKY, turn=10)
        + blossom(46, 56, 9, BLUE, SKY, turn=-15)
        + disc(52, 73, 2.6, BLUE)
        + disc(13, 62, 2.6, BLUE)
        + path("M13 62L19 67.5", stroke=INK, width=1.6)
    )


def orchid() -> str:
    blades = (
        path("M30 77C27 62 19 50 7 45C14 55 22 64 26.5 77Z", GREEN)
        + path("M31 77C33 60 42 52 54 52C44 57 38 64 35 77Z", GREEN)
        + path("M28 77C25 68 17 64 8 64C16 68 21 72 24 77Z", MINT)
        + path("M33 77C36 69 44 66 52 68C45 70 41 73 38 77Z", MINT)
    )
    stem = path("M30 76C30 64 31 56 33 50", stroke=GREEN, width=1.8)
    flower = "".join(petal(33, 46, a, 0, r, w, BLUE) for a, r, w in ((0, 14, 8), (-72, 15, 8), (72, 15, 8)))
    flower += "".join(petal(33, 46, a, 0, 12, 6.5, SKY) for a in (-142, 142))
    return blades + stem + flower + petal(33, 46, 180, 0, 9, 5.5, RED) + disc(33, 46, 2, IVORY)


def chrysanthemum() -> str:
    cx, cy = 30, 53
    outer = "".join(petal(cx, cy, step * 22.5, 5, 21, 6.2, BLUE) for step in range(16))
    middle = "".join(petal(cx, cy, 11.25 + step * 30, 3, 14.5, 5.2, SKY) for step in range(12))
    inner = "".join(petal(cx, cy, step * 45, 0, 8.5, 4.6, BLUE) for step in range(8))
    return leaf(16, 74, 62, 14, 7) + leaf(44, 74, -62, 14, 7) + outer + middle + inner + disc(cx, cy, 2.2, "#d99a2b")


def cane() -> str:
    parts = [
        stick(22, 55, 42, BLUE, 4, 9),
        stick(38, 59, 34, BLUE, -6, 8),
    ]
    parts += [leaf(26, 44, a, r, 6) for a, r in ((58, 20), (92, 17), (128, 14))]
    parts += [leaf(19, 56, a, r, 5.4) for a, r in ((-60, 14), (-105, 13))]
    parts += [leaf(42, 60, a, r, 5) for a, r in ((70, 13), (115, 13))]
    return "".join(parts)


def flowers(rank: int) -> str:
    drawing = (spring, summer, autumn, winter, plum, orchid, chrysanthemum, cane)[rank - 1]()
    colour = RED if rank <= 4 else BLUE
    return (
        drawing
        + glyph(str((rank - 1) % 4 + 1), 12.5, 17.5, 11.5 if rank % 4 != 1 else 8.5, 19, colour, SANS, box=True)
        + glyph("春夏秋冬梅蘭菊竹"[rank - 1], 41.5, 17.5, 28, 28, colour)
    )


# The back and the corner indices -----------------------------------------------------------------------------------


def back() -> str:
    jade, pale = "#1f7d67", "#3f9d84"
    lattice = "".join(
        path(f"M{x} {y - 7}L{x + 7} {y}L{x} {y + 7}L{x - 7} {y}Z", stroke=pale, width=1.5) + disc(x, y, 1.8, pale)
        for y in (19, 33, 47, 61)
        for x in (16, 30, 44)
    )
    frame = f'<rect x="5" y="6" width="50" height="68" rx="5" fill="none" stroke="{pale}" stroke-width="2"/>'
    return f'<rect width="60" height="80" rx="7" fill="{jade}"/>{frame}{lattice}'


def index(sign: str) -> str:
    """The sign in the upper left corner, in a column that `indexed` leaves free."""
    wide = {"1": 5.2, "W": 13, "N": 9.4}.get(sign, 8.2)
    return glyph(sign, 3 + wide / 2, 10, wide, 12.6, "#3a4558", SANS, box=True)


# How a drawing makes room for its index: its scale and where its middle goes. As little as each needs, so that tiles
# stay as large as they can; a drawing whose own corner is empty hardly moves.
ROOM = {
    "m": (0.92, 32.4, 42.6),
    "z": (0.88, 32.6, 44.6),
    "5z": (0.84, 33, 44.8),
    "p": (0.85, 35.1, 41.6),
    "1p": (0.95, 31.6, 43.4),
    "2p": (0.92, 32.4, 41),
    "6p": (0.88, 33.6, 41),
    "8p": (0.9, 33, 41),
    "9p": (0.83, 35, 41.6),
    "s": (0.88, 34, 41),
    "1s": (0.88, 33.2, 44.4),
    "2s": (0.92, 31.8, 41),
    "3s": (0.92, 32.2, 41),
    "4s": (0.92, 33, 41),
    "7s": (0.9, 32.4, 41.4),
    "8s": (0.84, 34.8, 41),
}


def indexed(name: str) -> str:
    """A face with an index in its corner."""
    rank, suit = int(name[0]), name[1]
    scale, cx, cy = ROOM.get(name) or ROOM[suit]
    sign = "ESWNBFC"[rank - 1] if suit == "z" else str(rank)
    move = f"translate({number(cx - 30 * scale)} {number(cy - 40 * scale)}) scale({scale})"
    return f'<use href="#tile-{name}" transform="{move}"/>{index(sign)}'


def main() -> None:
    symbols: list[tuple[str, str]] = []
    for suit, draw, count in (
        ("m", characters, 9),
        ("p", circles, 9),
        ("s", bamboo, 9),
        ("z", honours, 7),
        ("f", flowers, 8),
    ):
        symbols += [(f"tile-{rank}{suit}", draw(rank)) for rank in range(1, count + 1)]
    symbols.append(("tile-back", back()))
    numbered = [name.removeprefix("tile-") for name, _ in symbols if name[-1] in "mpsz"]
    symbols += [(f"indexed-{name}", indexed(name)) for name in numbered]
    lines = [f'<symbol id="{name}" viewBox="0 0 60 80">{drawing}</symbol>' for name, drawing in symbols]
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text('<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(lines) + "\n</svg>\n", encoding="utf-8")
    print(f"{OUT}: {len(symbols)} symbols, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
