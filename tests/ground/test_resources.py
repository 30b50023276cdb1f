"""Where config/ and the built client are found, and what is said when they are not."""

from pathlib import Path

import pytest

from parlour_server import resources


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """An empty installed package and an empty checkout."""
    package, checkout = tmp_path / "package", tmp_path / "checkout"
    package.mkdir()
    checkout.mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", package)
    monkeypatch.setattr(resources, "_CHECKOUT", checkout)
    return package, checkout


def test_what_travels_in_the_package_comes_first(places: tuple[Path, Path]) -> None:
    package, checkout = places
    for root in (package / "_config", checkout / "config"):
        (root / "rulesets").mkdir(parents=True)
    for root in (package / "_client", checkout / "web-client/dist"):
        root.mkdir(parents=True)
        (root / "index.html").touch()
    assert resources.config_root() == package / "_config"
    assert resources.client_root() == package / "_client"


def test_the_checkout_s_folders_come_next(places: tuple[Path, Path]) -> None:
    _, checkout = places
    (checkout / "config/rulesets").mkdir(parents=True)
    (checkout / "web-client/dist").mkdir(parents=True)
    (checkout / "web-client/dist/index.html").touch()
    assert resources.config_root() == checkout / "config"
    assert resources.client_root() == checkout / "web-client/dist"


def test_a_client_that_was_not_built_is_an_error_that_names_the_cure(places: tuple[Path, Path]) -> None:
    _, checkout = places
    (checkout / "web-client/dist").mkdir(parents=True)
    with pytest.raises(resources.ResourceMissing, match="run `make setup`"):
        resources.client_root()


def test_a_missing_config_is_an_error_that_names_the_cure(places: tuple[Path, Path]) -> None:
    with pytest.raises(resources.ResourceMissing, match="reinstall mahjong-parlour"):
        resources.config_root()
