"""What the keeper is told of the house as it really is."""

from parlour_server.premises import Premises
from parlour_server.protocol import lobby, messages
from tests.leaks.stage import Someone, Stage


def test_a_table_is_as_old_as_it_is_though_the_server_is_younger() -> None:
    with Stage(1) as stage:
        stage.wait(0.5)
        ann = Someone(stage, "Ann").come(lobby.CreateTable(clocks="off"))
        stage.wait(600.0)
        stage.kill()
        stage.agenda.after(3600.0, stage.open)
        stage.agenda.after(3610.0, lambda: ann.come(messages.Join(ann.table or "")))
        stage.wait(3660.0)
        with stage.loop.running():
            premises = Premises(stage.parlour, lambda: None, lambda: 0)
            (room,) = premises.rooms()
            (visitor,) = premises.visitors()
            people = list(premises.people())
    assert 4250 <= room.age_s <= 4261
    assert room.idle_s is None
    assert 40 <= visitor.age_s <= 60
    assert people == [(visitor.identity, "Ann")]
