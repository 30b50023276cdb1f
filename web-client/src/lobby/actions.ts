import type { CreateTable } from "../generated/protocol";
import type { Where } from "../net/where";

/** What can be done on the front page. */
export interface LobbyActions {
  visit: (where: Where) => void;
  quick: (ruleset: string | null) => void;
  create: (options: Omit<CreateTable, "type">) => void;
  join: (table: string, sit?: boolean) => void;
  listTables: () => void;
}

/** What can be done about who one is. */
export interface PeopleActions {
  rename: (name: string) => void;
  register: (account: string, password: string) => void;
  logIn: (account: string, password: string) => void;
  logOut: (everywhere: boolean) => void;
  forgive: () => void;
}
