import { firstValue } from "@/lib/contract/search/list-search";
import type { SpendingCategory } from "@/lib/contract/transactions";

/** The three lists of movements, each with its own path. */
export const MOVEMENT_TABS = ["TRANSFERS", "CARDS", "OUTSIDE"] as const;
export type MovementTab = (typeof MOVEMENT_TABS)[number];

const TAB_PATH: Record<MovementTab, string> = {
  TRANSFERS: "/transfers",
  CARDS: "/transfers/cards",
  OUTSIDE: "/transfers/outside",
};

/** How far back a list reaches: a number of days, everything, or what `from` and `to` say. */
export const MOVEMENT_DAYS = ["7", "30", "90", "365", "all"] as const;
export type MovementDays = (typeof MOVEMENT_DAYS)[number];
export const USUAL_DAYS: MovementDays = "30";

export const TRANSFER_STATES = [
  "settled",
  "on-its-way",
  "waiting",
  "denied",
  "withdrawn",
  "expired",
  "failed",
  "returned",
  "cancelled",
] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

export const MOVEMENT_DIRECTIONS = ["in", "out", "internal"] as const;
export type MovementDirection = (typeof MOVEMENT_DIRECTIONS)[number];

export const CARD_KINDS = ["purchase", "refund", "payout"] as const;
export type CardKind = (typeof CARD_KINDS)[number];

export const OUTSIDE_STATES = ["settled", "pending"] as const;
export type OutsideState = (typeof OUTSIDE_STATES)[number];

/** Each account is read from its own index, so a list names only so many. */
export const MAXIMUM_ACCOUNTS_IN_SEARCH = 10;
export const MAXIMUM_SEARCH_TEXT_LENGTH = 100;

/** URL state of a list of movements. */
export interface MovementSearch {
  days: MovementDays;
  /** Calendar days in the viewer's zone, both inclusive. Either one overrides `days`. */
  from: string | null;
  to: string | null;
  account: string[];
  status: TransferState | null;
  direction: MovementDirection | null;
  /** `1`: include dry runs. */
  dry: "1" | null;
  /** A key, an assistant or a member. */
  by: string | null;
  q: string | null;
  amount: number | null;
  card: string | null;
  kind: CardKind | null;
  category: SpendingCategory | null;
  state: OutsideState | null;
}

/** Everything in the usual window. */
export const EVERY_MOVEMENT: MovementSearch = {
  days: USUAL_DAYS,
  from: null,
  to: null,
  account: [],
  status: null,
  direction: null,
  dry: null,
  by: null,
  q: null,
  amount: null,
  card: null,
  kind: null,
  category: null,
  state: null,
};

/** Where a page of the list begins: beyond this movement, older or newer. And the movement whose drawer is open. */
export interface MovementPlace {
  before: string | null;
  after: string | null;
  open: string | null;
}

const NOWHERE: MovementPlace = { before: null, after: null, open: null };

/** The filters of this kind of list, besides its window. */
const FILTERS_OF: Record<MovementTab, readonly (keyof MovementSearch)[]> = {
  TRANSFERS: ["account", "status", "direction", "dry", "by", "q", "amount"],
  CARDS: ["account", "card", "kind", "q", "amount"],
  OUTSIDE: ["account", "direction", "category", "state", "q", "amount"],
};

/** Whether any filter changes what the plain window shows. */
export function isNarrowed(tab: MovementTab, search: MovementSearch): boolean {
  return FILTERS_OF[tab].some((name) => {
    const value = search[name];
    return Array.isArray(value) ? value.length > 0 : value !== null;
  });
}

/** Only the window: kept when switching lists. */
export function onlyWindow(search: MovementSearch): MovementSearch {
  const { days, from, to } = search;
  return { ...EVERY_MOVEMENT, days, from, to };
}

/** The search as name-value pairs without defaults, for links and forms. */
export function movementPairs(tab: MovementTab, search: MovementSearch): [string, string][] {
  const { days, from, to } = search;
  const pairs: [string, string][] = [];
  if (from !== null) pairs.push(["from", from]);
  if (to !== null) pairs.push(["to", to]);
  if (from === null && to === null && days !== USUAL_DAYS) pairs.push(["days", days]);
  for (const name of FILTERS_OF[tab]) {
    const value = search[name];
    if (Array.isArray(value)) pairs.push(...value.map((each): [string, string] => [name, each]));
    else if (name === "amount" && typeof value === "number") pairs.push([name, amountText(value)]);
    else if (value !== null) pairs.push([name, String(value)]);
  }
  return pairs;
}

/** `1234.50`, as a person types it. */
export function amountText(cents: number): string {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The address of a list in this state, at this place. */
export function movementsHref(
  tab: MovementTab,
  search: MovementSearch,
  place: Partial<MovementPlace> = {},
): string {
  return withPairs(TAB_PATH[tab], [...movementPairs(tab, search), ...placePairs({ ...NOWHERE, ...place })]);
}

/** `LIST`: one line per movement, as in the list. `ACCOUNTS`: one per account it changed, with a sign. */
export type MovementFileLayout = "LIST" | "ACCOUNTS";

/** The list as a file, with the same filters. */
export function movementsExportHref(
  tab: MovementTab,
  search: MovementSearch,
  layout: MovementFileLayout = "LIST",
): string {
  const pairs = movementPairs(tab, search);
  return withPairs(`${TAB_PATH[tab]}/export`, layout === "LIST" ? pairs : [...pairs, LINES_BY_ACCOUNT]);
}

const LINES_BY_ACCOUNT: [string, string] = ["lines", "accounts"];

/** The layout that a file's address requests. */
export function movementFileLayout(query: Record<string, unknown>): MovementFileLayout {
  const [name, value] = LINES_BY_ACCOUNT;
  return firstValue(query[name]) === value ? "ACCOUNTS" : "LIST";
}

/** The page of one movement. */
export function movementHref(tab: MovementTab, id: string): string {
  return `${TAB_PATH[tab]}/${id}`;
}

/** The form action of a list's filters. */
export function movementsPath(tab: MovementTab): string {
  return TAB_PATH[tab];
}

function placePairs({ before, after, open }: MovementPlace): [string, string][] {
  const pairs: [string, string | null][] = [
    ["before", before],
    ["after", after],
    ["open", open],
  ];
  return pairs.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]));
}

function withPairs(path: string, pairs: [string, string][]): string {
  return pairs.length > 0 ? `${path}?${new URLSearchParams(pairs)}` : path;
}
