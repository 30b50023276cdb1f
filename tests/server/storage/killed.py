"""A server that only writes, to be killed: `killed.py FILE FIRST` prints the number of each row that is durable."""

import asyncio
import os
import sys
from functools import partial
from pathlib import Path

from parlour_server.storage.changes import RowsTold
from parlour_server.storage.sqlite import Sqlite
from parlour_server.storage.threads import ThreadedStore
from tests.server.storage.telling import made, row

TABLES = 5


def say(number: int) -> None:
    """One line, whole, past every buffer of Python's."""
    os.write(1, f"{number}\n".encode())


async def write_for_ever(path: Path, first: int) -> None:
    """Rows to five tables by turns, each number told twice over."""
    store = ThreadedStore(Sqlite(path), asyncio.get_running_loop().call_soon_threadsafe)
    if not first:
        for table in range(TABLES):
            store.write(made(str(table)))
    number = first
    while True:
        store.write(RowsTold(str(number % TABLES), [row(number), row(number)]), partial(say, number))
        number += 1
        await asyncio.sleep(0 if number % 7 else 0.001)


if __name__ == "__main__":
    asyncio.run(write_for_ever(Path(sys.argv[1]), int(sys.argv[2])))
