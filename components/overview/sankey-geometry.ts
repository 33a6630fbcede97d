/** The drawing in its own units; it scales to the width of the page. */
export const WIDTH = 1112;
export const BAR_WIDTH = 5;
const HEIGHT = 380;
const TOP = 8;
const GAP = 14;
/** Room for the names left of the sources and right of the destinations. */
const LEFT_LABELS = 148;
const RIGHT_LABELS = 164;
/** Height of a name with its amount below. */
const TWO_LINES = 38;
const ONE_LINE = 22;
/** Distance from a node to the gate of its pending money. */
const TO_GATE = 30;
/** With at least this many columns, names between them take two lines. */
const MANY_COLUMNS = 5;
const SMALLEST_DRAWN = 2;
/** Minimum height of the tallest column's bars, however many names it has. */
const LEAST_WATER = 150;

export type LabelPlace = "LEFT" | "RIGHT" | "ABOVE" | "INSIDE";

export interface SankeyNode {
  id: string;
  /** Counted from the left, without gaps. */
  column: number;
  kind: "SOURCE" | "ACCOUNT" | "DESTINATION";
  waitingInCents: number;
}

export interface SankeyLink {
  fromId: string;
  toId: string;
  amountInCents: number;
}

export interface PlacedNode {
  id: string;
  x: number;
  y: number;
  height: number;
  label: { place: LabelPlace; x: number; y: number };
}

export interface Ribbon {
  fromId: string;
  toId: string;
  /** From the right edge of one node to the left edge of the other; `y` is the upper bank. */
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  width: number;
}

/** Pending money: leaves its node and stops at a gate. */
export interface PlacedWait {
  nodeId: string;
  x: number;
  y: number;
  width: number;
  gateX: number;
  /** Position of the first line of text. */
  labelY: number;
}

export interface SankeyGeometry {
  height: number;
  nodes: PlacedNode[];
  ribbons: Ribbon[];
  waits: PlacedWait[];
  /** Names between columns have two lines. */
  isNarrow: boolean;
  /** Units of height per cent. */
  scale: number;
}

/** What takes up room in a column: a node, or pending money (room only, no bar). */
interface Item {
  id: string;
  column: number;
  amount: number;
  place: LabelPlace | "NONE";
  /** Minimum height for its name. */
  least: number;
  y: number;
}

/**
 * The layout of a money map. Pure. Every width is its amount times one scale, so the larger of a node's inflow and
 * outflow (pending money included) is exactly as high as the node.
 */
export function sankeyGeometry(nodes: readonly SankeyNode[], links: readonly SankeyLink[]): SankeyGeometry {
  const isNarrow = new Set(nodes.map((node) => node.column)).size >= MANY_COLUMNS;
  const items = toItems(nodes, links, isNarrow ? TWO_LINES : ONE_LINE);
  const columns = toColumns(items);
  const height = Math.max(HEIGHT, ...columns.map((column) => spaceOf(column, 0) + LEAST_WATER)) + 2 * TOP;
  const scale = scaleOf(columns, height - 2 * TOP);
  const byId = new Map(items.map((item) => [item.id, item]));
  for (const column of columns) {
    order(column, links, byId, scale);
    stack(column, height, scale);
  }
  const xOf = columnPlaces(nodes, columns.length);
  const placed = nodes.map((node) => placeNode(node, byId, xOf, scale, isNarrow));
  const { ribbons, waits } = placeRibbons(nodes, links, byId, xOf, scale);
  return {
    height,
    nodes: placed,
    ribbons,
    waits: waits.map((wait) => ({ ...wait, labelY: freeLabelY(wait, placed) })),
    isNarrow,
    scale,
  };
}

const waitId = (nodeId: string) => `${nodeId} waits`;

function toItems(nodes: readonly SankeyNode[], links: readonly SankeyLink[], inside: number): Item[] {
  const firstAccounts = Math.min(
    ...nodes.filter((node) => node.kind === "ACCOUNT").map((node) => node.column),
  );
  return nodes.flatMap((node) => {
    const { id, column, waitingInCents } = node;
    const place = placeOf(node, firstAccounts);
    const least = place === "INSIDE" ? inside : TWO_LINES;
    const own: Item = { id, column, amount: throughOf(node, links), place, least, y: 0 };
    if (waitingInCents === 0) return [own];
    const wait: Item = {
      id: waitId(id),
      column: column + 1,
      amount: waitingInCents,
      place: "NONE",
      least: TWO_LINES,
      y: 0,
    };
    return [own, wait];
  });
}

/** The larger of inflow and outflow, including pending money. */
function throughOf({ id, waitingInCents }: SankeyNode, links: readonly SankeyLink[]): number {
  let amountIn = 0;
  let amountOut = waitingInCents;
  for (const { fromId, toId, amountInCents } of links) {
    if (toId === id) amountIn += amountInCents;
    if (fromId === id) amountOut += amountInCents;
  }
  return Math.max(amountIn, amountOut);
}

function placeOf({ kind, column }: SankeyNode, firstAccounts: number): LabelPlace {
  if (kind === "SOURCE") return "LEFT";
  if (kind === "DESTINATION") return "RIGHT";
  return column === firstAccounts ? "ABOVE" : "INSIDE";
}

function toColumns(items: readonly Item[]): Item[][] {
  const count = Math.max(0, ...items.map((item) => item.column + 1));
  return Array.from({ length: count }, (_, index) => items.filter((item) => item.column === index));
}

/** The room that an item takes at a scale, including its name. */
function roomOf({ amount, place, least }: Item, scale: number): number {
  const height = Math.max(SMALLEST_DRAWN, amount * scale);
  if (place === "ABOVE") return height + TWO_LINES;
  return Math.max(height, least);
}

function spaceOf(column: readonly Item[], scale: number): number {
  return column.reduce((sum, item) => sum + roomOf(item, scale), GAP * Math.max(0, column.length - 1));
}

/** The largest scale at which every column fits. */
function scaleOf(columns: readonly Item[][], height: number): number {
  const largest = Math.max(1, ...columns.flat().map((item) => item.amount));
  let low = 0;
  let high = height / largest;
  // 40 halvings are finer than a thousandth of a unit for any amount.
  for (let round = 0; round < 40; round++) {
    const middle = (low + high) / 2;
    if (columns.every((column) => spaceOf(column, middle) <= height)) low = middle;
    else high = middle;
  }
  return low;
}

/** Orders nodes by their sources to avoid crossings, with pending money below everything that flows. */
function order(
  column: Item[],
  links: readonly SankeyLink[],
  byId: ReadonlyMap<string, Item>,
  scale: number,
): void {
  const weight = new Map<string, number>();
  for (const item of column) {
    let sum = 0;
    let amount = 0;
    for (const { fromId, toId, amountInCents } of links) {
      const from = byId.get(fromId);
      if (toId !== item.id || !from) continue;
      sum += (from.y + (from.amount * scale) / 2) * amountInCents;
      amount += amountInCents;
    }
    weight.set(item.id, item.place === "NONE" ? Number.MAX_VALUE : amount === 0 ? -1 : sum / amount);
  }
  column.sort((a, b) => (weight.get(a.id) ?? 0) - (weight.get(b.id) ?? 0));
}

/** Stacked, with the column vertically centered. */
function stack(column: readonly Item[], height: number, scale: number): void {
  let y = (height - spaceOf(column, scale)) / 2;
  for (const item of column) {
    const room = roomOf(item, scale);
    const own = Math.max(SMALLEST_DRAWN, item.amount * scale);
    item.y = item.place === "ABOVE" ? y + TWO_LINES : y + (room - own) / 2;
    y += room + GAP;
  }
}

/** The left edge of each column's bars. */
function columnPlaces(nodes: readonly SankeyNode[], count: number): (column: number) => number {
  const left = nodes.some((node) => node.kind === "SOURCE") ? LEFT_LABELS : 0;
  const right = WIDTH - BAR_WIDTH - (nodes.some((node) => node.kind === "DESTINATION") ? RIGHT_LABELS : 0);
  return (column) => (count < 2 ? left : left + ((right - left) * column) / (count - 1));
}

function placeNode(
  node: SankeyNode,
  byId: ReadonlyMap<string, Item>,
  xOf: (column: number) => number,
  scale: number,
  isNarrow: boolean,
): PlacedNode {
  const item = byId.get(node.id);
  if (!item || item.place === "NONE") throw new Error(`The node ${node.id} was not laid out`);
  const x = xOf(node.column);
  const height = Math.max(SMALLEST_DRAWN, item.amount * scale);
  const middle = item.y + height / 2;
  const labels = {
    LEFT: { x: 0, y: middle - 3 },
    RIGHT: { x: x + BAR_WIDTH + 11, y: middle - 3 },
    ABOVE: { x: node.column === 0 ? x : x + BAR_WIDTH, y: item.y - 23 },
    INSIDE: { x: x - 10, y: isNarrow ? middle - 3 : middle + 4.5 },
  };
  return { id: node.id, x, y: item.y, height, label: { place: item.place, ...labels[item.place] } };
}

/** Ribbons leave a node in the order of their ends, to avoid crossings beside it. */
function placeRibbons(
  nodes: readonly SankeyNode[],
  links: readonly SankeyLink[],
  byId: ReadonlyMap<string, Item>,
  xOf: (column: number) => number,
  scale: number,
): { ribbons: Ribbon[]; waits: Omit<PlacedWait, "labelY">[] } {
  const yOf = (id: string) => byId.get(id)?.y ?? 0;
  const columnOf = (id: string) => byId.get(id)?.column ?? 0;
  const leaving = new Map(nodes.map((node) => [node.id, yOf(node.id)]));
  const arriving = new Map(leaving);
  const take = (places: Map<string, number>, id: string, amount: number): number => {
    const y = places.get(id) ?? 0;
    places.set(id, y + amount * scale);
    return y;
  };
  const starts = new Map<SankeyLink, number>();
  for (const link of [...links].sort((a, b) => yOf(a.toId) - yOf(b.toId))) {
    starts.set(link, take(leaving, link.fromId, link.amountInCents));
  }
  const ends = new Map<SankeyLink, number>();
  for (const link of [...links].sort((a, b) => yOf(a.fromId) - yOf(b.fromId))) {
    ends.set(link, take(arriving, link.toId, link.amountInCents));
  }
  const ribbons = links.map((link) => ({
    fromId: link.fromId,
    toId: link.toId,
    x0: xOf(columnOf(link.fromId)) + BAR_WIDTH,
    y0: starts.get(link) ?? 0,
    x1: xOf(columnOf(link.toId)),
    y1: ends.get(link) ?? 0,
    width: link.amountInCents * scale,
  }));
  const waits = nodes
    .filter((node) => node.waitingInCents > 0)
    .map((node) => {
      const x = xOf(node.column) + BAR_WIDTH;
      return {
        nodeId: node.id,
        x,
        y: take(leaving, node.id, node.waitingInCents),
        width: node.waitingInCents * scale,
        gateX: x + TO_GATE,
      };
    });
  return { ribbons, waits };
}

/** Beside its channel, or as close as the names between the columns allow. */
function freeLabelY({ x, y, width }: Omit<PlacedWait, "labelY">, placed: readonly PlacedNode[]): number {
  const wanted = y + width / 2 - 3;
  const names = placed.filter(({ label }) => label.place === "INSIDE" && label.x > x);
  const next = Math.min(...names.map(({ label }) => label.x));
  const taken = names.filter(({ label }) => label.x === next).map(({ label }) => label.y);
  const offsets = [0, 12, -12, 24, -24, 36, -36, 48, -48];
  const free = offsets.find((offset) =>
    taken.every((other) => Math.abs(other - wanted - offset) >= TWO_LINES - 4),
  );
  return wanted + (free ?? 0);
}

/** The area between the two banks of a ribbon. */
export function ribbonArea({ x0, y0, x1, y1, width }: Ribbon): string {
  const drawn = Math.max(SMALLEST_DRAWN, width);
  const middle = round((x0 + x1) / 2);
  return (
    `M${round(x0)} ${round(y0)}C${middle} ${round(y0)} ${middle} ${round(y1)} ${round(x1)} ${round(y1)}` +
    `V${round(y1 + drawn)}C${middle} ${round(y1 + drawn)} ${middle} ${round(y0 + drawn)} ${round(x0)} ${round(y0 + drawn)}Z`
  );
}

/** Its two banks. */
export function ribbonBanks({ x0, y0, x1, y1, width }: Ribbon): string {
  const drawn = Math.max(SMALLEST_DRAWN, width);
  const middle = round((x0 + x1) / 2);
  return [0, drawn]
    .map(
      (offset) =>
        `M${round(x0)} ${round(y0 + offset)}C${middle} ${round(y0 + offset)} ${middle} ${round(y1 + offset)} ${round(x1)} ${round(y1 + offset)}`,
    )
    .join("");
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
