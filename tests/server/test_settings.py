import tomllib
from pathlib import Path

import attrs
import pytest

from parlour_server.settings import Settings, SettingsError
from parlour_server.settings_file import load_settings

FILE = Path(__file__).resolve().parents[2] / "config" / "server.toml"


def complaint(text: str, **environment: str) -> str:
    with pytest.raises(SettingsError) as caught:
        load_settings(text, "my.toml", environment)
    return str(caught.value)


def test_the_file_that_travels_with_the_code_says_the_defaults() -> None:
    text = FILE.read_text(encoding="utf-8")

    assert load_settings(text) == Settings()
    written = {section: set(body) for section, body in tomllib.loads(text).items()}
    assert "port" in written["listen"]
    assert written == {section: set(body) for section, body in attrs.asdict(Settings()).items()}


def test_flags_win_over_the_environment_and_that_over_the_file() -> None:
    text = '[listen]\nport = 1\nhost = "0.0.0.0"\n[tables]\nmost = 7\n'

    settings = load_settings(
        text, "my.toml", {"PARLOUR_LISTEN_PORT": "2", "PARLOUR_TABLES_MOST": "8", "HOME": "/"}, {"listen.port": 3}
    )

    assert (settings.listen.port, settings.listen.host, settings.tables.most) == (3, "0.0.0.0", 8)


def test_a_list_in_the_environment_is_split_at_commas() -> None:
    environment = {"PARLOUR_LISTEN_PUBLIC_ORIGINS": "https://a.example, https://b.example:8443"}

    assert load_settings(environment=environment).listen.public_origins == [
        "https://a.example",
        "https://b.example:8443",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[listen]\nport = 8000\nprot = 8001\n", ["my.toml, line 3", "listen.prot", "host, port, public_origins"]),
        ("\n[lissen]\nport = 8000\n", ["my.toml, line 2", "lissen", "listen, limits"]),
        ('[listen]\nport = "8000"\n', ["my.toml, line 2", "listen.port", "a whole number", "'8000'"]),
        ("[listen]\nport = true\n", ["my.toml, line 2", "listen.port", "a whole number"]),
        ("[listen]\nport = 8000.0\n", ["my.toml, line 2", "listen.port", "a whole number"]),
        ("[listen]\n\nport = 65536\n", ["my.toml, line 3", "listen.port", "<= 65535"]),
        ("[limits]\nsockets = 0\n", ["my.toml, line 2", "limits.sockets", ">= 1"]),
        ("[listen]\nhost = 1\n", ["my.toml, line 2", "listen.host", "in quotes"]),
        ('[listen]\nhost = "nowhere"\n', ["my.toml, line 2", "listen.host", "127.0.0.1"]),
        ('[listen]\npublic_origins = ["https://A.example/x"]\n', ["my.toml, line 2", "without a path"]),
        ('[listen]\npublic_origins = "https://a.example"\n', ["my.toml, line 2", "a list"]),
        ("[listen]\npublic_origins = [1]\n", ["my.toml, line 2", "a list"]),
        ('[log]\nlevel = "loud"\n', ["my.toml, line 2", "log.level", "debug, info, warning, error"]),
        ("listen = 3\n", ["my.toml, line 1", "[listen]"]),
        ("[listen\nport = 1\n", ["my.toml, line 1", "not TOML", "key = value"]),
        ("[listen]\nport = 1\nport = 2\n", ["my.toml, line 3: 'port' is written twice, on lines 2 and 3; keep one"]),
        ("[listen]\n[bots]\n[listen]\n", ["my.toml, line 3: 'listen' is written twice, on lines 1 and 3; keep one"]),
        ("[listen]\nport = " + "[" * 5000 + "]" * 5000, ["my.toml", "not TOML", "plain values"]),
        ("[listen]\nport = " + "1" * 5000, ["my.toml", "not TOML", "plain values"]),
        ("[listen]\nport = 0x" + "f" * 5000, ["my.toml, line 2", "listen.port", "a whole number"]),
        ('[listen]\nhost = "224.0.0.1"\n', ["my.toml, line 2", "listen.host", "127.0.0.1"]),
        ('[listen]\npublic_origins = ["https://a.example:65536"]\n', ["my.toml, line 2", "without a path"]),
        ("[bots]\nleast_delay_ms = 10\nmost_delay_ms = 5\n", ["my.toml, line 2 and my.toml, line 3", "(10)", "(5)"]),
        ("[bots]\n\nleast_delay_ms = 2000\n", ["my.toml, line 3", "(2000)", "(1300)", "raise the second"]),
        ("[tables]\ndemonstration = 1\n", ["my.toml, line 2", "tables.demonstration", "true or false", "not 1"]),
        ("[limits]\nsockets = true\n", ["my.toml, line 2", "limits.sockets", "a whole number"]),
        ('[storage]\nsynchronous = "off"\n', ["my.toml, line 2", "storage.synchronous", "full, normal", "'off'"]),
        ('[storage]\nurl = "mysql://h/d"\n', ["my.toml, line 2", "storage.url", "postgresql://USER@HOST/DATABASE"]),
        ('[storage]\nurl = "a\\u0000b"\n', ["my.toml, line 2", "storage.url", "a path"]),
        ("[records]\nkeep_days = -1\n", ["my.toml, line 2", "records.keep_days", ">= 0"]),
        ('[rulesets]\nfolder = "a\\nb"\n', ["my.toml, line 2", "rulesets.folder", "printable"]),
        ('[records]\nfolder = "a\\u0000b"\n', ["my.toml, line 2", "records.folder", "printable"]),
        ('[records]\nfolder = "/' + "x" * 241 + '"\n', ["my.toml, line 2", "records.folder", "240 bytes"]),
        ('[storage]\nurl = "/' + "x" * 241 + '"\n', ["my.toml, line 2", "storage.url", "a path of a file"]),
        ('[storage]\nurl = "' + "x/" * 2001 + '"\n', ["my.toml, line 2", "storage.url", "a path of a file"]),
        ('[admin]\nsocket = "a\\nb"\n', ["my.toml, line 2", "admin.socket", "100 bytes"]),
        ('[admin]\nsocket = "' + "x" * 101 + '"\n', ["my.toml, line 2", "admin.socket", "100 bytes"]),
        ('[metrics]\ntoken = "too short"\n', ["my.toml, line 2", "metrics.token", "16 to 200"]),
        ('[listen]\ntrusted_proxies = ["proxy"]\n', ["my.toml, line 2", "listen.trusted_proxies", '"10.0.0.0/8"']),
        ("[[listen]]\nport = 1\n", ["my.toml, line 1", "[listen]"]),
    ],
)
def test_what_is_wrong_is_said_with_its_place_and_cure(text: str, words: list[str]) -> None:
    said = complaint(text)

    assert [word for word in words if word not in said] == []


@pytest.mark.parametrize(
    "text",
    [
        '[listen]\n"a\\nb" = 1\n',
        '[listen]\nhost = "' + "x" * 9000 + '"\n',
        '[listen]\nhost = "\\u001b[31m\\n"\n',
        '["' + "x" * 9000 + '"]\n',
        "[listen]\nport = 0x" + "f" * 900,
        '"\\u202e" = 1\n',
    ],
)
def test_what_is_wrong_is_repeated_on_one_line_and_not_at_length(text: str) -> None:
    said = complaint(text)

    assert said.isprintable()
    assert len(said) < 250


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("PARLOUR_LISTEN_PORT", "many", ["PARLOUR_LISTEN_PORT", "listen.port", "a whole number"]),
        ("PARLOUR_LISTEN_PROT", "1", ["PARLOUR_LISTEN_PROT", "listen.prot"]),
        ("PARLOUR_PORT", "1", ["PARLOUR_PORT", "unknown section port"]),
        ("PARLOUR_LISTEN", "1", ["PARLOUR_LISTEN", "unknown key"]),
        (
            "PARLOUR_TABLES_DEMONSTRATION",
            "maybe",
            ["variable PARLOUR_TABLES_DEMONSTRATION", "true or false", "'maybe'"],
        ),
        ("PARLOUR_BOTS_MOST_DELAY_MS", "1", ["variable PARLOUR_BOTS_MOST_DELAY_MS", "(500)", "(1)"]),
    ],
)
def test_a_wrong_variable_is_named(variable: str, value: str, words: list[str]) -> None:
    said = complaint("", **{variable: value})

    assert [word for word in words if word not in said] == []


def test_the_variable_that_names_the_file_is_no_setting() -> None:
    assert load_settings(environment={"PARLOUR_CONFIG": "/x.toml"}) == Settings()


def test_every_key_can_be_set_by_a_variable() -> None:
    environment = {}
    for section, body in attrs.asdict(Settings()).items():
        for key, value in body.items():
            other = {bool: "false", int: str(value), list: "127.0.0.1", str: ""}[type(value)]
            other = {"synchronous": "normal", "level": "debug", "host": "::1"}.get(key, other)
            if key == "public_origins":
                other = "https://a.example"
            environment[f"PARLOUR_{section}_{key}".upper()] = other

    settings = load_settings(environment=environment)

    assert settings.tables.demonstration is False
    assert (settings.storage.synchronous, settings.log.level, settings.listen.host) == ("normal", "debug", "::1")
    assert (settings.listen.trusted_proxies, settings.listen.public_origins) == (["127.0.0.1"], ["https://a.example"])


SECRET = "hunter2hunter2"


@pytest.mark.parametrize(
    ("text", "environment"),
    [
        (f'[metrics]\ntoken = "{SECRET} "\n', {}),
        (f'[metrics]\ntoken = ["{SECRET}"]\n', {}),
        (f'[storage]\nurl = "mysql://me:{SECRET}@db/parlour"\n', {}),
        ("", {"PARLOUR_METRICS_TOKEN": f"{SECRET} "}),
        ("", {"PARLOUR_STORAGE_URL": f"http://me:{SECRET}@db/parlour"}),
    ],
)
def test_a_secret_is_not_repeated(text: str, environment: dict[str, str]) -> None:
    assert SECRET not in complaint(text, **environment)


def test_a_secret_is_not_shown_with_the_settings() -> None:
    url = f"postgresql://me:{SECRET}@db/parlour"
    settings = load_settings(f'[metrics]\ntoken = "{SECRET * 2}"\n[storage]\nurl = "{url}"\n')

    assert (settings.metrics.token, settings.storage.url) == (SECRET * 2, url)
    assert SECRET not in repr(settings)
