"""Write a page that shows every face at 96, 48 and 24 pixels, to be looked at by a person (or a screenshot).

python web-client/tools/contact_sheet.py OUT.html
"""

import re
import sys
from pathlib import Path

SPRITE = Path(__file__).resolve().parent.parent / "src" / "tiles" / "faces.svg"
STYLE = """
body{margin:0;background:#12524e;font:14px sans-serif;color:#fff;padding:16px}
.row{display:flex;gap:7px;margin:0 0 12px}
.t{position:relative;background:linear-gradient(160deg,#fffdf5,#f3ead2);border-radius:12%/9%;box-shadow:0 3px 0 #d8c9a3,0 5px 0 #1f7d67,0 7px 6px #0006}
.t svg{position:absolute;inset:0;width:100%;height:100%}
.t.b{background:none}
"""


def main() -> None:
    sprite = SPRITE.read_text(encoding="utf-8")
    names = re.findall(r'id="tile-(\w+)"', sprite)
    rows = []
    for width in (96, 48, 24):
        for group in ("m", "p", "s", "z", "f", "back"):
            cells = []
            for name in (n for n in names if n.endswith(group)):
                size = f"width:{width}px;height:{round(width * 4 / 3)}px"
                cells += [
                    f'<div class="t{" b" if name == "back" else ""}" style="{size}"><svg><use href="#{kind}-{name}"/></svg></div>'
                    for kind in ("tile", "indexed")
                    if kind == "tile" or name[-1] in "mpsz"
                ]
            rows.append(f'<div class="row">{"".join(cells)}</div>')
    page = f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style><div style="display:none">{sprite}</div>{"".join(rows)}'
    Path(sys.argv[1]).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
