import { accountHref, type MapDays } from "@/lib/contract/hrefs";
import { type BorderFlows, EVERYBODY_ELSE, type Flow } from "@/lib/views/overview/read-flows";
import { OUTSIDE_SLUICE } from "@/lib/words/names";

/** `SOURCE` and `DESTINATION` are outside Sluice. */
export type MapNodeKind = "SOURCE" | "ACCOUNT" | "DESTINATION";

export interface MapNodeView {
  id: string;
  kind: MapNodeKind;
  name: string;
  /** Null for parties outside this organization, and for several together. */
  href: string | null;
  /** From the left; sources are in the first, destinations in the last. */
  column: number;
  /** Amount drawn as coming in and going on. */
  inInCents: number;
  outInCents: number;
  /** What would leave it once a person approves. */
  waitingInCents: number;
  /** For an account: how much its balance grew, including moves that are not drawn. */
  keptInCents: number | null;
}

export interface MapLinkView {
  fromId: string;
  toId: string;
  amountInCents: number;
}

/** Where money came from, which accounts it passed, and what left. */
export interface MoneyMapView {
  days: MapDays;
  hrefs: Record<MapDays, string>;
  nodes: MapNodeView[];
  links: MapLinkView[];
  /** Between accounts, but against the stream: listed in the table, not drawn. */
  notDrawn: { fromName: string; toName: string; amountInCents: number }[];
  sums: {
    inInCents: number;
    /** Of this, from own accounts outside: moved, not earned. */
    inFromOwnInCents: number;
    outInCents: number;
    outToOwnInCents: number;
    /** In minus out. */
    keptInCents: number;
    /** Sum of all proposals with a known amount. */
    atGateInCents: number;
  };
}

/** More nodes in one place would be unreadable: the smallest are combined. */
export const MAXIMUM_NODES = { SOURCE: 6, ACCOUNT: 9, DESTINATION: 7 } as const;
/** Columns of accounts, side by side. */
export const MAXIMUM_ACCOUNT_COLUMNS = 3;

export interface WaitingMove {
  sourceAccountId: string;
  amountInCents: number;
}

export interface MoneyMapInput {
  clearingLedgerId: string;
  flows: readonly Flow[];
  border: BorderFlows;
  waitingMoves: readonly WaitingMove[];
  /** Every account of the organization, by ID. */
  accounts: ReadonlyMap<string, { name: string; isManaged: boolean }>;
}

interface Link extends MapLinkView {
  isInternal: boolean;
}

/** A node ID: its kind and its key. The same outside account can be both source and destination. */
const nodeId = (kind: MapNodeKind, key: string) => `${kind}:${key}`;
const kindOf = (id: string): MapNodeKind => {
  if (id.startsWith("SOURCE:")) return "SOURCE";
  return id.startsWith("ACCOUNT:") ? "ACCOUNT" : "DESTINATION";
};
const keyOf = (id: string) => id.slice(id.indexOf(":") + 1);
const REST = EVERYBODY_ELSE;

/**
 * Builds the money map of a range: who paid, through which accounts, and who received. Money that went back and forth
 * between two accounts counts net; what still runs in a circle, or through more accounts than there are columns, is not
 * drawn but reported (`notDrawn`). Pure.
 */
export function buildMoneyMap(input: MoneyMapInput, days: MapDays) {
  const all = input.flows.map((flow) => toLink(flow, input.clearingLedgerId)).filter((link) => link !== null);
  const waiting = waitingByNode(input);
  const shown = chooseNodes(all, waiting);
  const links = netOut(merge(all, shown));
  const kept = keptByAccount(links);
  const { drawn, notDrawn, levels } = layer(links);
  const waits = new Map<string, number>();
  for (const [id, cents] of waiting) add(waits, shown(id), cents);
  const nodes = toNodes({ drawn, waits, kept, levels }, input);
  return {
    days,
    nodes,
    links: drawn.map(({ fromId, toId, amountInCents }) => ({ fromId, toId, amountInCents })),
    notDrawn: notDrawn.map(({ fromId, toId, amountInCents }) => ({
      fromName: nameOf(fromId, input),
      toName: nameOf(toId, input),
      amountInCents,
    })),
    sums: {
      ...input.border,
      keptInCents: input.border.inInCents - input.border.outInCents,
      atGateInCents: input.waitingMoves.reduce((sum, move) => sum + move.amountInCents, 0),
    },
  };
}

/** A negative amount reverses something older than this range: it flowed in the opposite direction. */
function toLink({ debit, credit, party, amountInCents }: Flow, clearingLedgerId: string): Link | null {
  if (amountInCents === 0) return null;
  const amount = Math.abs(amountInCents);
  const isBack = amountInCents < 0;
  if (debit === clearingLedgerId || credit === clearingLedgerId) {
    const accountId = nodeId("ACCOUNT", debit === clearingLedgerId ? credit : debit);
    const comesIn = (debit === clearingLedgerId) !== isBack;
    return comesIn
      ? { fromId: nodeId("SOURCE", party), toId: accountId, amountInCents: amount, isInternal: false }
      : { fromId: accountId, toId: nodeId("DESTINATION", party), amountInCents: amount, isInternal: false };
  }
  const [from, to] = isBack ? [credit, debit] : [debit, credit];
  return {
    fromId: nodeId("ACCOUNT", from),
    toId: nodeId("ACCOUNT", to),
    amountInCents: amount,
    isInternal: true,
  };
}

function waitingByNode({ waitingMoves, accounts }: MoneyMapInput): Map<string, number> {
  const waiting = new Map<string, number>();
  for (const { sourceAccountId, amountInCents } of waitingMoves) {
    const isManaged = accounts.get(sourceAccountId)?.isManaged ?? true;
    add(
      waiting,
      isManaged ? nodeId("ACCOUNT", sourceAccountId) : nodeId("SOURCE", `account:${sourceAccountId}`),
      amountInCents,
    );
  }
  return waiting;
}

function add(map: Map<string, number>, key: string, amount: number): void {
  map.set(key, (map.get(key) ?? 0) + amount);
}

/** Maps each node to itself if it is among the largest of its kind, else to the node for the rest. */
function chooseNodes(links: readonly Link[], waiting: ReadonlyMap<string, number>): (id: string) => string {
  const through = new Map<string, number>();
  for (const { fromId, toId, amountInCents } of links) {
    add(through, fromId, amountInCents);
    add(through, toId, amountInCents);
  }
  for (const [id, amountInCents] of waiting) add(through, id, amountInCents);
  const chosen = new Set<string>();
  for (const kind of ["SOURCE", "ACCOUNT", "DESTINATION"] as const) {
    const rest = nodeId(kind, REST);
    const ofKind = [...through].filter(([id]) => kindOf(id) === kind && id !== rest);
    ofKind.sort(([a, inA], [b, inB]) => inB - inA || (a < b ? -1 : 1));
    const isWhole = ofKind.length <= MAXIMUM_NODES[kind] && !through.has(rest);
    for (const [id] of isWhole ? ofKind : ofKind.slice(0, MAXIMUM_NODES[kind] - 1)) chosen.add(id);
  }
  return (id) => (chosen.has(id) ? id : nodeId(kindOf(id), REST));
}

function merge(links: readonly Link[], shown: (id: string) => string): Link[] {
  const merged = new Map<string, Link>();
  for (const link of links) {
    const fromId = shown(link.fromId);
    const toId = shown(link.toId);
    if (fromId === toId) continue;
    const key = `${fromId} ${toId}`;
    const before = merged.get(key);
    merged.set(key, {
      ...link,
      fromId,
      toId,
      amountInCents: link.amountInCents + (before?.amountInCents ?? 0),
    });
  }
  return [...merged.values()];
}

/** The net of two links between the same accounts. */
function netOut(links: readonly Link[]): Link[] {
  const amounts = new Map(links.map((link) => [`${link.fromId} ${link.toId}`, link.amountInCents]));
  return links.flatMap((link) => {
    const back = amounts.get(`${link.toId} ${link.fromId}`) ?? 0;
    return link.amountInCents > back ? [{ ...link, amountInCents: link.amountInCents - back }] : [];
  });
}

function keptByAccount(links: readonly Link[]): Map<string, number> {
  const kept = new Map<string, number>();
  for (const { fromId, toId, amountInCents } of links) {
    add(kept, fromId, -amountInCents);
    add(kept, toId, amountInCents);
  }
  return kept;
}

/** Keeps links between accounts, largest first, as long as they form no circle; assigns each account its column. */
function layer(links: readonly Link[]): {
  drawn: Link[];
  notDrawn: Link[];
  levels: ReadonlyMap<string, number>;
} {
  const taken: Link[] = [];
  const notDrawn: Link[] = [];
  let levels: ReadonlyMap<string, number> = new Map();
  const bySize = links.filter((link) => link.isInternal).sort(bySizeThenId);
  for (const link of bySize) {
    const withIt = levelsOf([...taken, link]);
    if (withIt === null) {
      notDrawn.push(link);
    } else {
      taken.push(link);
      levels = withIt;
    }
  }
  return { drawn: [...links.filter((link) => !link.isInternal), ...taken], notDrawn, levels };
}

function bySizeThenId(a: Link, b: Link): number {
  return b.amountInCents - a.amountInCents || (a.fromId + a.toId < b.fromId + b.toId ? -1 : 1);
}

/** The longest path to each account, from 1; null if it runs in a circle or exceeds the columns. */
function levelsOf(links: readonly Link[]): Map<string, number> | null {
  const levels = new Map<string, number>();
  const longest = MAXIMUM_ACCOUNT_COLUMNS;
  for (let round = 0; round <= longest; round++) {
    let hasChanged = false;
    for (const { fromId, toId } of links) {
      const from = levels.get(fromId) ?? 1;
      levels.set(fromId, from);
      if ((levels.get(toId) ?? 1) <= from) {
        levels.set(toId, from + 1);
        hasChanged = true;
        if (from + 1 > longest) return null;
      }
    }
    if (!hasChanged) return levels;
  }
  return null;
}

interface Laid {
  drawn: readonly Link[];
  waits: ReadonlyMap<string, number>;
  kept: ReadonlyMap<string, number>;
  levels: ReadonlyMap<string, number>;
}

function toNodes({ drawn, waits, kept, levels }: Laid, input: MoneyMapInput): MapNodeView[] {
  const ids = new Set([...drawn.flatMap(({ fromId, toId }) => [fromId, toId]), ...waits.keys()]);
  const lastLevel = Math.max(1, ...levels.values());
  const fed = new Set(drawn.map(({ toId }) => toId));
  const columnOf = (id: string) => {
    if (kindOf(id) === "SOURCE") return 0;
    if (kindOf(id) === "DESTINATION") return lastLevel + 1;
    // An account that only paid from its earlier balance is placed left of its destinations.
    return levels.get(id) ?? (fed.has(id) ? 1 : lastLevel);
  };
  const used = [...new Set([...ids].map(columnOf))].sort((a, b) => a - b);
  const sum = (links: readonly Link[]) => links.reduce((cents, link) => cents + link.amountInCents, 0);
  const nodes = [...ids].map((id): MapNodeView => {
    const key = keyOf(id);
    const accountId = kindOf(id) === "ACCOUNT" ? key : (key.split("account:")[1] ?? null);
    return {
      id,
      kind: kindOf(id),
      name: nameOf(id, input),
      href: accountId !== null && input.accounts.has(accountId) ? accountHref(accountId) : null,
      column: used.indexOf(columnOf(id)),
      inInCents: sum(drawn.filter((link) => link.toId === id)),
      outInCents: sum(drawn.filter((link) => link.fromId === id)),
      waitingInCents: waits.get(id) ?? 0,
      keptInCents: kindOf(id) === "ACCOUNT" ? (kept.get(id) ?? 0) : null,
    };
  });
  return nodes.sort(byColumnThenSize);
}

function byColumnThenSize(a: MapNodeView, b: MapNodeView): number {
  const isRest = (node: MapNodeView) => Number(keyOf(node.id) === REST);
  const size = (node: MapNodeView) => Math.max(node.inInCents, node.outInCents + node.waitingInCents);
  return a.column - b.column || isRest(a) - isRest(b) || size(b) - size(a) || (a.id < b.id ? -1 : 1);
}

function nameOf(id: string, { accounts }: MoneyMapInput): string {
  const key = keyOf(id);
  if (key === REST) return kindOf(id) === "ACCOUNT" ? "Other accounts" : "Others";
  if (kindOf(id) === "ACCOUNT") return accounts.get(key)?.name ?? "An account";
  if (key.startsWith("account:")) return accounts.get(key.slice("account:".length))?.name ?? OUTSIDE_SLUICE;
  if (key === "card") return kindOf(id) === "SOURCE" ? "Paid to cards" : "Card purchases";
  return key.slice("name:".length) || OUTSIDE_SLUICE;
}
