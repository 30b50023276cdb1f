from parlour_server.readiness import Readiness


def test_a_server_is_ready_when_nothing_is_lacking() -> None:
    ready = Readiness()
    assert len(ready.lacks()) == 2
    ready.listening = True
    assert ready.lacks() == ["the tables of the last run do not stand yet"]
    ready.resumed = True
    assert ready.lacks() == []


def test_what_is_lost_later_is_said() -> None:
    ready = Readiness(listening=True, resumed=True)
    ready.writable = False
    assert ready.lacks() == ["the storage cannot be written"]
    ready.writable, ready.draining = True, True
    assert ready.lacks() == ["it is drained: no new table, no further deal"]
