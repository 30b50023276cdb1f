"""The sans-I/O table: `Table` is handed time, walls and messages, and hands out messages and journal rows."""

from parlour_server.table.chairs import Bot, Occupant, Person
from parlour_server.table.deliveries import Delivery, ToBot, ToViewers
from parlour_server.table.journal import Row
from parlour_server.table.restoring import BrokenJournal
from parlour_server.table.settings import CLOCKS, Settings
from parlour_server.table.shuffling import Commitment, Deals, FairDeals
from parlour_server.table.table import Table

__all__ = [
    "CLOCKS",
    "Bot",
    "BrokenJournal",
    "Commitment",
    "Deals",
    "Delivery",
    "FairDeals",
    "Occupant",
    "Person",
    "Row",
    "Settings",
    "Table",
    "ToBot",
    "ToViewers",
]
