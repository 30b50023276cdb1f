"""The client's types are written from the message classes."""

from pathlib import Path

import pytest

from parlour_server.protocol import typescript

GENERATED = Path(__file__).parents[3] / "web-client" / "src" / "generated" / "protocol.ts"


def test_the_committed_types_are_what_the_classes_say() -> None:
    assert typescript.main(["--check", str(GENERATED)]) == 0


def test_drift_is_told_with_its_cure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "types" / "protocol.ts"
    assert typescript.main(["--check", str(target)]) == 1
    assert typescript.main([str(target)]) == 0
    assert typescript.main(["--check", str(target)]) == 0
    target.write_text(target.read_text(encoding="utf-8") + " ", encoding="utf-8")
    assert typescript.main(["--check", str(target)]) == 1
    assert "make types" in capsys.readouterr().err


def test_types_say_null_optional_and_unions() -> None:
    text = typescript.generate()
    ask = text[text.index("export interface Ask ") :]
    assert '  kind: "turn" | "claim" | "rob" | "wash";\n' in ask
    assert "  left_ms: number | null;\n" in ask
    hello = text[text.index("export interface Hello ") :]
    assert "  token?: string | null;\n" in hello
    assert "  hands: (string[] | null)[];\n" in text
    assert "  options: Record<string, boolean | number | string>;\n" in text
