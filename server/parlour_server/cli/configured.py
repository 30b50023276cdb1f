"""The settings of a command: its file, the environment, and what the command line says."""

import os
from pathlib import Path
from typing import Any

from parlour_server.resources import ResourceMissing, config_root
from parlour_server.settings import Settings, SettingsError
from parlour_server.settings_file import CONFIG_VARIABLE, load_settings


def configured(config: str | None, **flags: Any) -> Settings:
    """The settings of `config`, else of the file that the environment names, else of the packaged one.

    `flags` are values by `section_key`; None says nothing. Raises SettingsError and ResourceMissing.
    """
    if config == "":
        raise SettingsError("command line --config: no file is named; name one, or leave --config out")
    named = config or os.environ.get(CONFIG_VARIABLE)
    origin = named or "config/server.toml"
    try:
        # Editors on Windows may put a mark in front of UTF-8.
        text = (Path(named) if named else config_root() / "server.toml").read_text(encoding="utf-8-sig")
    except ResourceMissing:
        raise
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SettingsError(f"{origin} cannot be read: {reason}; name another file with --config") from None
    said = {name.replace("_", ".", 1): value for name, value in flags.items() if value is not None}
    return load_settings(text, origin, os.environ, said)
