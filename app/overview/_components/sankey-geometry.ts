/** The drawing in its own units, for a wide and for a medium page; it scales to its box. */
export const MAP_SIZES = {
  WIDE: { width: 1_112, left: 148, right: 164, zone: 134 },
  MEDIUM: { width: 860, left: 128, right: 146, zone: 114 },
} as const;
export type MapSize = keyof typeof MAP_SIZES;

export const BAR_WIDTH = 5;
const HEIGHT = 380;
const TOP = 8;
const GAP = 16;
/** Between channels that pass a column. */
const CLOSE_GAP = 8;
/** Height of a name with its amount. */
export const TWO_LINES = 40;
const SMALLEST_DRAWN = 2;
/** Distance from a node to the gate of its pending money. */
const TO_GATE = 26;
export const GATE_WIDTH = 16;
/** How far a gate's posts stand out of its channel. */
export const GATE_POST = 4;
/** Minimum height of the tallest column's bars, however many names it has. */
const LEAST_WATER = 150;

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
  /** First line of its name. */
  label: { x: number; y: number };
}

/** Straight inside the zone of each column, where the names are, and bent only between zones. */
export interface Ribbon {
  fromId: string;
  toId: string;
  /** Its straight runs from left to right; `y` is the upper bank. The last one is where it arrives. */
  runs: { x0: number; x1: number; y: number }[];
  width: number;
}

/** Pending money: leaves its node and stops at a gate; behind the gate the channel is dry. */
export interface PlacedWait {
  nodeId: string;
  x: number;
  y: number;
  width: number;
  gateX: number;
  dryTo: number;
  /** First line of its text, below the gate. */
  labelY: number;
}

export interface SankeyGeometry {
  width: number;
  height: number;
  nodes: PlacedNode[];
  ribbons: Ribbon[];
  waits: PlacedWait[];
  /** Units of height per cent. */
  scale: number;
}

/** Takes up room in a column: a node with its names, or a channel that passes. */
interface Item {
  id: string;
  column: number;
  amount: number;
  kind: SankeyNode["kind"] | "PASSING";
  isWaiting: boolean;
  /** Top of its bar. */
  y: number;
}

/** A link and the items along it, from its source to its destination. */
interface Route {
  link: SankeyLink;
  stops: Item[];
}

/**
 * The layout of a money map. Pure. Every width is its amount times one scale, so the larger of a node's inflow and
 * outflow (pending money included) is exactly as high as the node. Channels that pass a column get room of their own
 * there, so they never run behind a name or through a gate.
 */
export function sankeyGeometry(
  nodes: readonly SankeyNode[],
  links: readonly SankeyLink[],
  size: MapSize,
): SankeyGeometry {
  const { columns, routes } = layItems(nodes, links);
  const least = Math.max(0, ...columns.map((column) => spaceOf(column, 0)));
  const height = Math.max(HEIGHT, least + LEAST_WATER) + 2 * TOP;
  const scale = scaleOf(columns, height - 2 * TOP);
  sortColumns(columns, routes);
  for (const column of columns) spread(column, height, scale);
  relax(columns, routes, height, scale);
  const place = columnPlaces(nodes, columns.length, size);
  const items = new Map(columns.flat().map((item) => [item.id, item]));
  return {
    width: MAP_SIZES[size].width,
    height,
    nodes: nodes.map((node) => placeNode(itemOf(items, node.id), place, scale, size)),
    ...placeChannels(nodes, items, routes, place, scale),
    scale,
  };
}

function itemOf(items: ReadonlyMap<string, Item>, id: string): Item {
  const item = items.get(id);
  if (!item) throw new Error(`The node ${id} was not laid out`);
  return item;
}

function layItems(nodes: readonly SankeyNode[], links: readonly SankeyLink[]) {
  const items = new Map<string, Item>();
  for (const { id, column, kind, waitingInCents } of nodes) {
    const amount = throughOf(id, waitingInCents, links);
    items.set(id, { id, column, amount, kind, isWaiting: waitingInCents > 0, y: 0 });
  }
  const passing: Item[] = [];
  const routes = links.map((link): Route => {
    const [from, to] = [itemOf(items, link.fromId), itemOf(items, link.toId)];
    const between = Array.from({ length: Math.max(0, to.column - from.column - 1) }, (_, index): Item => {
      const column = from.column + 1 + index;
      const id = `${link.fromId} ${link.toId} at ${column}`;
      return { id, column, amount: link.amountInCents, kind: "PASSING", isWaiting: false, y: 0 };
    });
    passing.push(...between);
    return { link, stops: [from, ...between, to] };
  });
  const all = [...items.values(), ...passing];
  const count = Math.max(0, ...all.map(({ column }) => column + 1));
  const columns = Array.from({ length: count }, (_, index) => all.filter(({ column }) => column === index));
  return { columns, routes };
}

/** The larger of inflow and outflow, including pending money. */
function throughOf(id: string, waitingInCents: number, links: readonly SankeyLink[]): number {
  let amountIn = 0;
  let amountOut = waitingInCents;
  for (const { fromId, toId, amountInCents } of links) {
    if (toId === id) amountIn += amountInCents;
    if (fromId === id) amountOut += amountInCents;
  }
  return Math.max(amountIn, amountOut);
}

const heightOf = ({ amount }: Item, scale: number) => Math.max(SMALLEST_DRAWN, amount * scale);

/** Room above an item's bar, for its name. */
function roomAbove(item: Item, scale: number): number {
  if (item.kind === "ACCOUNT") return TWO_LINES;
  if (item.kind === "PASSING") return 0;
  // Names beside a bar are centered on it.
  return Math.max(0, (TWO_LINES - heightOf(item, scale)) / 2);
}

/** Room below an item's bar: the text of its gate, or the rest of its name. */
function roomBelow(item: Item, scale: number): number {
  if (item.kind === "ACCOUNT") return item.isWaiting ? TWO_LINES + GATE_POST : 0;
  return roomAbove(item, scale);
}

function gapBetween(one: Item, other: Item): number {
  return one.kind === "PASSING" || other.kind === "PASSING" ? CLOSE_GAP : GAP;
}

function spaceOf(column: readonly Item[], scale: number): number {
  return column.reduce((sum, item, index) => {
    const before = column[index - 1];
    const gap = before ? Math.max(GAP, gapBetween(before, item)) : 0;
    return sum + gap + roomAbove(item, scale) + heightOf(item, scale) + roomBelow(item, scale);
  }, 0);
}

/** The largest scale at which every column fits, in any order. */
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

const SORTING_ROUNDS = 8;

/** Orders each column by its neighbors, in both directions, and keeps the order with the least crossing. */
function sortColumns(columns: Item[][], routes: readonly Route[]): void {
  let best = columns.map((column) => [...column]);
  let least = crossings(columns, routes);
  for (let round = 0; round < SORTING_ROUNDS && least > 0; round++) {
    const isForward = round % 2 === 0;
    const order = isForward ? columns : [...columns].reverse();
    for (const column of order) sortByNeighbors(column, columns, routes, isForward);
    const crossed = crossings(columns, routes);
    if (crossed >= least) continue;
    least = crossed;
    best = columns.map((column) => [...column]);
  }
  for (const [index, column] of best.entries()) columns[index] = column;
}

function sortByNeighbors(
  column: Item[],
  columns: readonly Item[][],
  routes: readonly Route[],
  isForward: boolean,
): void {
  const places = placesOf(columns);
  const wanted = new Map<Item, number>();
  for (const item of column) {
    let sum = 0;
    let weight = 0;
    for (const { link, stops } of routes) {
      const neighbor = stops[stops.indexOf(item) + (isForward ? -1 : 1)];
      if (!stops.includes(item) || !neighbor) continue;
      sum += (places.get(neighbor) ?? 0) * link.amountInCents;
      weight += link.amountInCents;
    }
    // Without neighbors on this side it stays where it is.
    wanted.set(item, weight === 0 ? (places.get(item) ?? 0) : sum / weight);
  }
  column.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
}

/** The place of each item in its column, from 0 to 1, so that columns of different lengths compare. */
function placesOf(columns: readonly Item[][]): Map<Item, number> {
  return new Map(
    columns.flatMap((column) =>
      column.map((item, index): [Item, number] => [item, (index + 0.5) / column.length]),
    ),
  );
}

/** The amount that crosses between columns: the smaller of two amounts for each crossing. */
function crossings(columns: readonly Item[][], routes: readonly Route[]): number {
  const places = placesOf(columns);
  const steps = routes.flatMap(({ link, stops }) =>
    stops.slice(1).map((to, index) => {
      const from = stops[index] ?? to;
      return {
        column: from.column,
        from: places.get(from) ?? 0,
        to: places.get(to) ?? 0,
        amount: link.amountInCents,
      };
    }),
  );
  let sum = 0;
  for (const [index, one] of steps.entries()) {
    for (const other of steps.slice(index + 1)) {
      if (one.column !== other.column) continue;
      if ((one.from - other.from) * (one.to - other.to) < 0) sum += Math.min(one.amount, other.amount);
    }
  }
  return sum;
}

/** Stacked, with the column vertically centered. */
function spread(column: readonly Item[], height: number, scale: number): void {
  let y = (height - spaceOf(column, scale)) / 2;
  for (const [index, item] of column.entries()) {
    const before = column[index - 1];
    if (before) y += gapBetween(before, item);
    item.y = y + roomAbove(item, scale);
    y = item.y + heightOf(item, scale) + roomBelow(item, scale);
  }
}

const RELAXING_ROUNDS = 12;

/** Moves items toward their neighbors, so that channels bend less. Keeps the order. */
function relax(columns: readonly Item[][], routes: readonly Route[], height: number, scale: number): void {
  for (let round = 0; round < RELAXING_ROUNDS; round++) {
    for (const column of round % 2 === 0 ? columns : [...columns].reverse()) {
      for (const item of column) item.y += (wantedY(item, routes, scale) - item.y) * 0.7;
      separate(column, height, scale);
    }
  }
}

function wantedY(item: Item, routes: readonly Route[], scale: number): number {
  let sum = 0;
  let weight = 0;
  for (const { link, stops } of routes) {
    const place = stops.indexOf(item);
    if (place < 0) continue;
    for (const neighbor of [stops[place - 1], stops[place + 1]]) {
      if (!neighbor) continue;
      sum += (neighbor.y + heightOf(neighbor, scale) / 2) * link.amountInCents;
      weight += link.amountInCents;
    }
  }
  return weight === 0 ? item.y : sum / weight - heightOf(item, scale) / 2;
}

/** Pushes overlapping items apart, down first, then up from the lower edge. */
function separate(column: readonly Item[], height: number, scale: number): void {
  let free = TOP;
  for (const [index, item] of column.entries()) {
    const next = column[index + 1];
    item.y = Math.max(item.y, free + roomAbove(item, scale));
    free = item.y + heightOf(item, scale) + roomBelow(item, scale) + (next ? gapBetween(item, next) : 0);
  }
  let limit = height - TOP;
  for (let index = column.length - 1; index >= 0; index--) {
    const item = column[index];
    const above = column[index - 1];
    if (!item) continue;
    item.y = Math.min(item.y, limit - roomBelow(item, scale) - heightOf(item, scale));
    limit = item.y - roomAbove(item, scale) - (above ? gapBetween(above, item) : 0);
  }
}

interface ColumnPlaces {
  /** Left edge of a column's bars. */
  x: (column: number) => number;
  /** End of its zone, in which channels run straight. */
  zoneEnd: (column: number) => number;
}

function columnPlaces(nodes: readonly SankeyNode[], count: number, size: MapSize): ColumnPlaces {
  const { width, left, right, zone } = MAP_SIZES[size];
  const hasSources = nodes.some(({ kind }) => kind === "SOURCE");
  const hasDestinations = nodes.some(({ kind }) => kind === "DESTINATION");
  const first = hasSources ? left : 0;
  const last = width - BAR_WIDTH - (hasDestinations ? right : zone);
  const zones = Array.from({ length: count }, (_, column) =>
    (column === 0 && hasSources) || (column === count - 1 && hasDestinations) ? BAR_WIDTH : zone,
  );
  const bend = count < 2 ? 0 : (last - first - sum(zones.slice(0, -1))) / (count - 1);
  const x = (column: number) => first + sum(zones.slice(0, column)) + bend * column;
  return { x, zoneEnd: (column) => x(column) + (zones[column] ?? BAR_WIDTH) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function placeNode(item: Item, place: ColumnPlaces, scale: number, size: MapSize): PlacedNode {
  const x = place.x(item.column);
  const height = heightOf(item, scale);
  const beside = item.y + height / 2 - 4;
  const labels = {
    SOURCE: { x: 0, y: beside },
    DESTINATION: { x: MAP_SIZES[size].width - MAP_SIZES[size].right + 11, y: beside },
    ACCOUNT: { x, y: item.y - TWO_LINES + 13 },
    PASSING: { x, y: item.y },
  };
  return { id: item.id, x, y: item.y, height, label: labels[item.kind] };
}

/** Channels leave and reach a node in the order of where they go and come from; pending money is below them. */
function placeChannels(
  nodes: readonly SankeyNode[],
  items: ReadonlyMap<string, Item>,
  routes: readonly Route[],
  place: ColumnPlaces,
  scale: number,
): { ribbons: Ribbon[]; waits: PlacedWait[] } {
  const stopAt = ({ stops }: Route, index: number): Item => {
    const stop = stops.at(index);
    if (!stop) throw new Error("A channel has no end");
    return stop;
  };
  const starts = stackChannels(routes, (route) => [stopAt(route, 0), stopAt(route, 1)], scale);
  const ends = stackChannels(routes, (route) => [stopAt(route, -1), stopAt(route, -2)], scale);
  const ribbons = routes.map((route): Ribbon => {
    const { link, stops } = route;
    return {
      fromId: link.fromId,
      toId: link.toId,
      width: link.amountInCents * scale,
      runs: stops.map((stop, index) => {
        const x = place.x(stop.column);
        if (index === 0)
          return { x0: x + BAR_WIDTH, x1: place.zoneEnd(stop.column), y: starts.get(route) ?? 0 };
        if (index === stops.length - 1) return { x0: x, x1: x, y: ends.get(route) ?? 0 };
        return { x0: x, x1: place.zoneEnd(stop.column), y: stop.y };
      }),
    };
  });
  const waits = nodes
    .filter(({ waitingInCents }) => waitingInCents > 0)
    .map(({ id, waitingInCents }): PlacedWait => {
      const item = itemOf(items, id);
      const leaving = routes.filter(({ link }) => link.fromId === id);
      const x = place.x(item.column) + BAR_WIDTH;
      const y = item.y + sum(leaving.map(({ link }) => link.amountInCents)) * scale;
      const width = waitingInCents * scale;
      return {
        nodeId: id,
        x,
        y,
        width,
        gateX: x + TO_GATE,
        dryTo: Math.max(x + TO_GATE + GATE_WIDTH, place.zoneEnd(item.column)),
        labelY: y + Math.max(SMALLEST_DRAWN, width) + GATE_POST + 16,
      };
    });
  return { ribbons, waits };
}

/** The upper bank of each channel at one of its ends, stacked on the node from its top. */
function stackChannels(
  routes: readonly Route[],
  endOf: (route: Route) => [Item, Item],
  scale: number,
): Map<Route, number> {
  const free = new Map<Item, number>();
  const banks = new Map<Route, number>();
  for (const route of [...routes].sort((a, b) => endOf(a)[1].y - endOf(b)[1].y)) {
    const [item] = endOf(route);
    const y = free.get(item) ?? item.y;
    banks.set(route, y);
    free.set(item, y + route.link.amountInCents * scale);
  }
  return banks;
}

/** The area between the two banks of a ribbon. */
export function ribbonArea(ribbon: Ribbon): string {
  const drawn = Math.max(SMALLEST_DRAWN, ribbon.width);
  return `${bank(ribbon, 0)}${bank({ ...ribbon, runs: turned(ribbon.runs) }, drawn).replace("M", "L")}Z`;
}

/** Its two banks. */
export function ribbonBanks(ribbon: Ribbon): string {
  return `${bank(ribbon, 0)}${bank(ribbon, Math.max(SMALLEST_DRAWN, ribbon.width))}`;
}

function turned(runs: Ribbon["runs"]): Ribbon["runs"] {
  return runs.map(({ x0, x1, y }) => ({ x0: x1, x1: x0, y })).reverse();
}

function bank({ runs }: Ribbon, offset: number): string {
  return runs
    .map(({ x0, x1, y }, index) => {
      const [from, to, level] = [round(x0), round(x1), round(y + offset)];
      const before = runs[index - 1];
      if (!before) return `M${from} ${level}H${to}`;
      const middle = round((before.x1 + x0) / 2);
      return `C${middle} ${round(before.y + offset)} ${middle} ${level} ${from} ${level}H${to}`;
    })
    .join("");
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
