import { expect, test, vi } from "vitest";

import { backoff, Connection, spread, type Line, type Socket } from "../src/net/connection";

class FakeSocket implements Socket {
  sent: string[] = [];
  closed = false;
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  send(frame: string): void {
    this.sent.push(frame);
  }
  close(): void {
    this.closed = true;
  }
  opens(): void {
    this.onopen?.({} as Event);
  }
  says(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) } as MessageEvent);
  }
  /** Without a goodbye, unless there is a code. */
  breaks(code = 1006): void {
    this.onclose?.({ code } as CloseEvent);
  }
}

function setUp() {
  const sockets: FakeSocket[] = [];
  const timers: { call: () => void; milliseconds: number; off: boolean }[] = [];
  const lines: Line[] = [];
  const heard = vi.fn();
  const opened = vi.fn();
  const connection = new Connection(
    {
      open: () => {
        const socket = new FakeSocket();
        sockets.push(socket);
        return socket;
      },
      later: (call, milliseconds) => {
        const timer = { call, milliseconds, off: false };
        timers.push(timer);
        return () => (timer.off = true);
      },
      random: () => 1,
    },
    opened,
    heard,
    (line) => lines.push(line),
  );
  /** Ring the newest timer that is still on. */
  const ring = (): void => {
    const timer = timers.findLast((one) => !one.off);
    if (timer === undefined) throw new Error("nothing is waited for");
    timer.off = true;
    timer.call();
  };
  return { sockets, timers, lines, heard, opened, connection, ring };
}

test("waits grow, are spread, and have a bound", () => {
  const longest = [0, 1, 2, 3, 10].map((tries) => backoff(tries, () => 1));
  expect(longest).toEqual([400, 800, 1600, 3200, 8000]);
  expect(backoff(3, () => 0)).toBe(1600);
});

test("a line that breaks is opened again, and hello is said on each", () => {
  const { sockets, lines, opened, heard, connection, ring } = setUp();
  connection.start();
  sockets[0]?.opens();
  sockets[0]?.says({ type: "pong", n: 0 });
  expect(heard).toHaveBeenCalledWith({ type: "pong", n: 0 });
  sockets[0]?.breaks();
  expect(lines).toEqual(["connecting", "up", "down"]);
  ring();
  sockets[1]?.opens();
  expect(opened).toHaveBeenCalledTimes(2);
  expect(lines.at(-1)).toBe("up");
});

test("a message of a line that was given up is not heard", () => {
  const { sockets, heard, connection } = setUp();
  connection.start();
  sockets[0]?.opens();
  connection.renew();
  sockets[0]?.says({ type: "pong", n: 0 });
  sockets[0]?.breaks();
  expect(heard).not.toHaveBeenCalled();
  expect(sockets).toHaveLength(2);
});

test("a silent line is pinged and then given up", () => {
  const { sockets, lines, connection, ring } = setUp();
  connection.start();
  sockets[0]?.opens();
  ring();
  expect(sockets[0]?.sent).toEqual(['{"type":"ping"}']);
  ring();
  ring();
  expect(sockets[0]?.closed).toBe(true);
  expect(lines.at(-1)).toBe("down");
});

test("a line that never opens is given up", () => {
  const { sockets, lines, connection, ring } = setUp();
  connection.start();
  ring();
  ring();
  ring();
  expect(sockets[0]?.closed).toBe(true);
  expect(lines.at(-1)).toBe("down");
});

test("an answered ping keeps the line", () => {
  const { sockets, connection, ring } = setUp();
  connection.start();
  sockets[0]?.opens();
  for (let round = 0; round < 5; round++) {
    ring();
    sockets[0]?.says({ type: "pong", n: 0 });
  }
  expect(sockets[0]?.closed).toBe(false);
});

test("nothing is sent while the line is down, and nothing is opened after stop", () => {
  const { sockets, timers, connection } = setUp();
  connection.start();
  sockets[0]?.opens();
  sockets[0]?.breaks();
  expect(connection.send({ type: "leave" })).toBe(false);
  connection.stop();
  connection.retry();
  expect(timers.filter((timer) => !timer.off)).toEqual([]);
  expect(sockets).toHaveLength(1);
});

test("a server that opens and refuses is asked ever more slowly, until it says welcome", () => {
  const { sockets, timers, connection, ring } = setUp();
  connection.start();
  const waits = [0, 1, 2].map((tries) => {
    sockets[tries]?.opens();
    sockets[tries]?.breaks();
    const wait = timers.findLast((timer) => !timer.off)?.milliseconds;
    ring();
    return wait;
  });
  expect(waits).toEqual([400, 800, 1600]);
  sockets[3]?.opens();
  sockets[3]?.says({ type: "welcome" });
  sockets[3]?.breaks(1012);
  // One that was there and is gone may have left everybody: all of them come back over some seconds.
  expect(timers.findLast((timer) => !timer.off)?.milliseconds).toBe(8000);
  ring();
  sockets[4]?.breaks();
  expect(timers.findLast((timer) => !timer.off)?.milliseconds).toBe(7700);
});

test("a line that broke without a goodbye is tried once at once, and then as one of many", () => {
  const { sockets, timers, connection, ring } = setUp();
  const wait = (): number | undefined => timers.findLast((timer) => !timer.off)?.milliseconds;
  connection.start();
  sockets[0]?.opens();
  sockets[0]?.says({ type: "welcome" });
  sockets[0]?.breaks();
  expect(wait()).toBe(400);
  ring();
  sockets[1]?.breaks();
  expect(wait()).toBe(8000);
  ring();
  sockets[2]?.breaks();
  expect(wait()).toBe(7700);
  ring();
  sockets[3]?.opens();
  sockets[3]?.says({ type: "welcome" });
  sockets[3]?.breaks();
  expect(wait()).toBe(400);
});

test("a line that has only fallen silent is tried again soon", () => {
  const { sockets, timers, connection, ring } = setUp();
  connection.start();
  sockets[0]?.opens();
  sockets[0]?.says({ type: "welcome" });
  ring();
  ring();
  ring();
  expect(timers.findLast((timer) => !timer.off)?.milliseconds).toBe(400);
});

/** Numbers from 0 to 1 that are the same in every run (a linear congruence). */
function chance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

// C08: 2,000 clients and a server that is back after so many seconds. Of many spans of a second that overlap, one would be
// busier by chance alone; the case counts by the second.
test.each([0, 0.5, 1, 2, 5, 9, 30])("after %d s without a server nobody comes in a crowd, and all are back in ten seconds", (down) => {
  const random = chance(down * 10 + 1);
  const back = down * 1000;
  const came = Array.from({ length: 2000 }, () => {
    let at = spread(0, random);
    while (at < back) at += spread(1, random);
    return at;
  });
  for (let from = back; from <= back + 10_000; from += 1000) {
    const crowd = came.filter((at) => at >= from && at < from + 1000).length;
    expect(crowd, `within the second from ${from} ms`).toBeLessThanOrEqual(300);
  }
  expect(came.filter((at) => at > back + 10_000)).toEqual([]);
});
