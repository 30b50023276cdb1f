"""The example bot of the documents plays a whole match with nothing but websockets and msgpack."""

import ast
import asyncio
import sys
from pathlib import Path

import pytest

from parlour_server.protocol.lobby import CreateTable
from parlour_server.protocol.messages import Table
from tests.kit.clients import eager
from tests.kit.deals import seeded
from tests.server.conftest import Opening

BOT = Path(__file__).resolve().parents[2] / "docs" / "example_bot.py"


async def run(*arguments: str) -> tuple[str, str]:
    """Run the bot to its end; what it prints and complains."""
    bot = await asyncio.create_subprocess_exec(
        sys.executable, str(BOT), *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(60):
        out, complaint = await bot.communicate()
    return out.decode(), complaint.decode()


def test_it_is_short_and_needs_nothing_else() -> None:
    text = BOT.read_text(encoding="utf-8")

    assert len(text.splitlines()) <= 40
    imported = {
        name
        for node in ast.walk(ast.parse(text))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert {name.split(".")[0] for name in imported} == {"asyncio", "sys", "msgpack", "websockets"}


async def test_it_makes_a_table_and_plays_to_the_end(open_house: Opening) -> None:
    house = await open_house(deals_of=seeded(8))

    out, complaint = await run(house.parlour.url.replace("http", "ws") + "/ws")

    assert complaint == ""
    assert out.startswith("Final standing: [{")
    assert len(out.splitlines()) == 1


@pytest.mark.parametrize("ruleset", ["lrc", "classical", "classical-limit"])
async def test_it_takes_a_bots_seat_at_somebodys_table(open_house: Opening, ruleset: str) -> None:
    house = await open_house(deals_of=seeded(8))
    ada = await house.client("Ada")
    await ada.say(CreateTable(ruleset=ruleset, clocks="off", rounds=1))
    table = await ada.hear(Table)
    running = asyncio.create_task(run(house.parlour.url.replace("http", "ws") + "/ws", table.table))
    await ada.until(lambda one: one.table is not None and "Example bot" in [seat.name for seat in one.table.seats])

    while ada.table is None or ada.table.standing is None:
        if ada.asked is not None:
            await ada.answer(eager)
        elif ada.table is not None and ada.table.settled is not None:
            await ada.agree()
        await ada.next()

    out, complaint = await running
    assert complaint == ""
    assert out.startswith("Final standing: [{")
