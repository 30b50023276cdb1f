import socket

from parlour_server.gentle import PORTION, gentle_loop


def test_a_timer_has_its_turn_between_portions_of_a_crowd() -> None:
    """N19: however many sockets are ready at once, the loop comes round to its timers."""
    loop = gentle_loop()
    crowd = 3 * PORTION
    pairs = [socket.socketpair() for _ in range(crowd)]
    order: list[str] = []

    def ready(near: socket.socket) -> None:
        loop.remove_reader(near)
        order.append("socket")
        if len(order) == 1:
            loop.call_soon(order.append, "timer")
        if order.count("socket") == crowd:
            loop.stop()

    for near, far in pairs:
        loop.add_reader(near, ready, near)
        far.send(b"x")
    loop.run_forever()
    loop.close()
    for near, far in pairs:
        near.close()
        far.close()

    assert order.count("socket") == crowd
    assert order.index("timer") == PORTION
