import base64

from parlour_server.identity import Guest, Guests


def everything(guests: Guests) -> str:
    return repr([[getattr(guest, slot) for slot in Guest.__slots__] for guest in guests._by_key.values()])


def test_a_token_leads_back_to_its_guest() -> None:
    guests = Guests(10)
    ada, token = guests.make("Ada")
    bob, other = guests.make("Bob")

    assert guests.known(token) is ada
    assert guests.known(other) is bob
    assert guests.known(token + "x") is None
    assert guests.known("") is None
    assert guests.known("\ud800") is None


def test_a_token_is_long_and_only_its_hash_is_kept() -> None:
    guests = Guests(10)
    _, token = guests.make("Ada")

    assert len(base64.urlsafe_b64decode(token + "==")) >= 16
    assert token not in everything(guests)
    assert token.encode() not in guests._by_key


def test_who_gives_no_visible_name_is_a_numbered_guest() -> None:
    for name in (None, "", "\u202e"):
        guest, _ = Guests(10).make(name)
        assert guest.name.startswith("Guest ")
        assert 100 <= int(guest.name.removeprefix("Guest ")) <= 999


def test_those_longest_away_are_forgotten_first_and_nobody_who_is_here_or_has_a_table() -> None:
    guests = Guests(3)
    here, token_here = guests.make("here")
    here.sockets = 1
    owner, token_owner = guests.make("owner")
    owner.tables = 1
    _, token_away = guests.make("away")
    _, token_new = guests.make("new")

    assert len(guests) == 3
    assert guests.known(token_here) is here
    assert guests.known(token_owner) is owner
    assert guests.known(token_away) is None
    assert guests.known(token_new) is not None


def test_a_hello_keeps_a_guest_from_being_forgotten() -> None:
    guests = Guests(2)
    _, first = guests.make("first")
    _, second = guests.make("second")
    guests.known(first)
    guests.make("third")

    assert guests.known(first) is not None
    assert guests.known(second) is None
