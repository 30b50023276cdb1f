"""Cut the interface fonts down to the characters that the client itself writes.

Run at development time after a text was added (needs `fonttools`, `brotli` and Debian's `fonts-noto-cjk`); the result
is committed:

    python web-client/tools/subset_fonts.py

In: every non-ASCII character of `src/i18n/*.ts` and of `config/rulesets/*.toml`, and the winds. Out: `src/fonts/*.woff2`
and `fonts.css`. Of the client's texts the headings' letters hold those that `headings.json` names. Of the rulesets the
regular letters hold everything, bold ones the names and the words of the games, the headings' ones those words and the
names of sections. What only rule books write is in files of its own (`-book`), and the headings' Latin letters in another
(`-latin`): a browser fetches a file when it meets one of its characters. Players' names and a house's own rulesets may
hold anything and fall back to the system's fonts.
"""

import json
import re
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection

CLIENT = Path(__file__).resolve().parent.parent
FONTS = Path("/usr/share/fonts/opentype/noto")
OUT = CLIENT / "src" / "fonts"
ASCII = "".join(map(chr, range(0x20, 0x7F))) + "·×−–…’“”"
FACES = (
    ("Parlour Sans", "NotoSansCJK-Regular.ttc", "Noto Sans CJK HK", "sans-regular", "400 500", "everything", False),
    ("Parlour Sans", "NotoSansCJK-Bold.ttc", "Noto Sans CJK HK Bold", "sans-bold", "600 700", "names", False),
    ("Parlour Serif", "NotoSerifCJK-Bold.ttc", "Noto Serif CJK HK Bold", "serif-bold", "400 700", "headings", True),
)


def part(ruleset: str, kind: str) -> str:
    """What of a ruleset's text is written with a font: everything, the `names`, those of `headings`, or none of these; the
    words of the game always."""
    if kind == "everything":
        return ruleset
    tables = re.split(r"^(?=\[)", ruleset, flags=re.MULTILINE)
    words = [table for table in tables if table.startswith("[words]")]
    if kind == "words":
        return "".join(words)
    named = [table for table in tables if kind == "names" or table.startswith("[[section]]")]
    return "".join(words) + "".join(re.findall(r"^\s*names\b.*", "".join(named), re.MULTILINE))


def headings(source: str) -> str:
    """Of the texts of a language those that are written as headings: the lines of their keys, or what stands in braces."""
    keys = "|".join(json.loads((CLIENT / "tools" / "headings.json").read_text(encoding="utf-8")))
    return "".join(re.findall(rf"^  (?:{keys}): (?:\{{[^}}]*\}}|.*$)", source, re.MULTILINE))


def characters(kind: str, serif: bool) -> str:
    """What is written with a font: the client's texts, or of them the headings, and its part of the rulesets."""
    texts = [source.read_text(encoding="utf-8") for source in (CLIENT / "src" / "i18n").glob("*.ts")]
    if serif:
        texts = [headings(text) for text in texts]
    rulesets = (CLIENT.parent / "config" / "rulesets").glob("*.toml")
    texts += [part(source.read_text(encoding="utf-8"), kind) for source in rulesets]
    return "".join(sorted({"東", "南", "西", "北"} | {sign for sign in "".join(texts) if ord(sign) > 0x2E7F}))


def cut(collection: str, name: str, text: str, target: Path) -> None:
    number = [font["name"].getDebugName(4) for font in TTCollection(str(FONTS / collection), lazy=True).fonts].index(
        name
    )
    options = subset.Options()
    options.flavor = "woff2"
    options.font_number = number
    options.layout_features = ["kern", "palt"]
    options.hinting = False
    options.desubroutinize = True
    font = subset.load_font(str(FONTS / collection), options)
    cutter = subset.Subsetter(options)
    cutter.populate(text=text)
    cutter.subset(font)
    subset.save_font(font, str(target), options)


def ranges(text: str) -> str:
    return ", ".join(f"U+{ord(sign):X}" for sign in sorted(set(text)))


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    faces = ["/* Written by tools/subset_fonts.py. */"]
    for family, collection, name, stem, weight, kind, serif in FACES:
        first = characters("words", serif)
        parts = {stem: first, f"{stem}-book": "".join(sorted(set(characters(kind, serif)) - set(first)))}
        if serif:
            parts[f"{stem}-latin"] = ASCII
        for file, text in parts.items():
            target = OUT / f"{file}.woff2"
            cut(collection, name, text, target)
            faces.append(
                f'@font-face {{\n  font-family: "{family}";\n  font-weight: {weight};\n  font-display: swap;\n'
                f'  src: url("./{file}.woff2") format("woff2");\n  unicode-range: {ranges(text)};\n}}'
            )
            print(f"{target.name}: {len(set(text))} characters, {target.stat().st_size} bytes")
    css = "\n".join(faces) + "\n"
    (OUT / "fonts.css").write_text(re.sub(r"(.{100,118}?), ", r"\1,\n    ", css), encoding="utf-8")


if __name__ == "__main__":
    main()
