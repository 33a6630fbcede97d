import fc from "fast-check";
import { expect, test } from "vitest";
import {
  BAR_WIDTH,
  GATE_POST,
  MAP_SIZES,
  type MapSize,
  type SankeyGeometry,
  type SankeyLink,
  type SankeyNode,
  sankeyGeometry,
  TWO_LINES,
} from "@/app/overview/_components/sankey-geometry";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

/** Maps with a column of sources, up to three of accounts, and one of destinations. */
const map = fc
  .record({
    sources: fc.integer({ min: 0, max: 6 }),
    accounts: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 9 }),
    destinations: fc.integer({ min: 0, max: 7 }),
    amounts: fc.infiniteStream(fc.integer({ min: 1, max: 10_000_000_000 })),
    picks: fc.infiniteStream(fc.nat(1_000)),
  })
  .map(({ sources, accounts, destinations, amounts, picks }) => {
    const amount = () => amounts.next().value ?? 1;
    const pick = (count: number) => (picks.next().value ?? 0) % count;
    const used = [...new Set(accounts)].sort();
    const offset = sources > 0 ? 1 : 0;
    const nodes: SankeyNode[] = accounts.map((level, index) => ({
      id: `account ${index}`,
      kind: "ACCOUNT",
      column: used.indexOf(level) + offset,
      waitingInCents: pick(3) === 0 ? amount() : 0,
    }));
    const links = new Map<string, SankeyLink>();
    const link = (fromId: string, toId: string) =>
      links.set(`${fromId} ${toId}`, { fromId, toId, amountInCents: amount() });
    for (let index = 0; index < sources; index++) {
      nodes.push({ id: `source ${index}`, kind: "SOURCE", column: 0, waitingInCents: 0 });
      link(`source ${index}`, `account ${pick(accounts.length)}`);
    }
    for (let index = 0; index < destinations; index++) {
      const column = used.length + offset;
      nodes.push({ id: `destination ${index}`, kind: "DESTINATION", column, waitingInCents: 0 });
      link(`account ${pick(accounts.length)}`, `destination ${index}`);
    }
    accounts.forEach((level, index) => {
      const later = accounts.flatMap((other, to) => (other > level ? [to] : []));
      if (later.length > 0) link(`account ${index}`, `account ${later[pick(later.length)]}`);
    });
    return { nodes, links: [...links.values()] };
  });

type Holds = (nodes: SankeyNode[], links: SankeyLink[], geometry: SankeyGeometry, size: MapSize) => void;

const check = (holds: Holds) =>
  fc.assert(
    fc.property(map, fc.constantFrom("WIDE" as const, "MEDIUM" as const), ({ nodes, links }, size) =>
      holds(nodes, links, sankeyGeometry(nodes, links, size), size),
    ),
    { numRuns: proofSize(80, 5_000), seed: proofSeed },
  );

test("all channels are proportional to their amounts, on one scale", () => {
  check((_nodes, links, { ribbons, scale }) => {
    expect(scale).toBeGreaterThan(0);
    expect(ribbons).toHaveLength(links.length);
    for (const [index, ribbon] of ribbons.entries()) {
      expect(ribbon.width).toBeCloseTo((links[index]?.amountInCents ?? 0) * scale, 6);
    }
  });
});

test("a node is exactly as high as the larger of its inflow and its outflow", () => {
  check((nodes, links, geometry) => {
    for (const placed of geometry.nodes) {
      const waits = nodes.find(({ id }) => id === placed.id)?.waitingInCents ?? 0;
      const sum = (side: "fromId" | "toId") =>
        links
          .filter((link) => link[side] === placed.id)
          .reduce((cents, link) => cents + link.amountInCents, 0);
      const largest = Math.max(sum("toId"), sum("fromId") + waits);
      expect(placed.height).toBeCloseTo(Math.max(2, largest * geometry.scale), 6);
    }
  });
});

test("the channels on one side of a node do not overlap or leave it", () => {
  check((_nodes, _links, geometry) => {
    for (const { id, y, height } of geometry.nodes) {
      const leaving = geometry.ribbons
        .filter((ribbon) => ribbon.fromId === id)
        .map(({ runs, width }) => ({ y: runs[0]?.y ?? 0, width }));
      const waiting = geometry.waits.filter((wait) => wait.nodeId === id);
      const arriving = geometry.ribbons
        .filter((ribbon) => ribbon.toId === id)
        .map(({ runs, width }) => ({ y: runs.at(-1)?.y ?? 0, width }));
      for (const side of [[...leaving, ...waiting], arriving]) {
        let end = y;
        for (const channel of side.sort((a, b) => a.y - b.y || a.width - b.width)) {
          expect(channel.y).toBeGreaterThanOrEqual(end - 1e-6);
          end = channel.y + channel.width;
        }
        expect(end).toBeLessThanOrEqual(y + height + 1e-6);
      }
    }
  });
});

test("the nodes of a column never touch, and all are inside the drawing", () => {
  check((nodes, _links, geometry) => {
    const columns = new Map<number, SankeyGeometry["nodes"]>();
    for (const placed of geometry.nodes) {
      const column = nodes.find(({ id }) => id === placed.id)?.column ?? 0;
      columns.set(column, [...(columns.get(column) ?? []), placed]);
      expect(placed.x).toBeGreaterThanOrEqual(0);
      expect(placed.x + BAR_WIDTH).toBeLessThanOrEqual(geometry.width);
      expect(placed.y).toBeGreaterThanOrEqual(0);
      expect(placed.y + placed.height).toBeLessThanOrEqual(geometry.height);
    }
    for (const column of columns.values()) {
      const sorted = column.sort((a, b) => a.y - b.y);
      for (const [index, node] of sorted.entries()) {
        const next = sorted[index + 1];
        if (next) expect(next.y).toBeGreaterThan(node.y + node.height);
      }
    }
  });
});

interface Box {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}
/** Edges may touch. */
const overlap = (one: Box, other: Box) =>
  one.x0 < other.x1 - 1e-6 &&
  other.x0 < one.x1 - 1e-6 &&
  one.y0 < other.y1 - 1e-6 &&
  other.y0 < one.y1 - 1e-6;

/** The names of accounts and the text below their gates, each with the room that it has. */
function textsOf(
  nodes: readonly SankeyNode[],
  { nodes: placed, waits }: SankeyGeometry,
  size: MapSize,
): Box[] {
  const { zone } = MAP_SIZES[size];
  const names = placed
    .filter(({ id }) => nodes.find((node) => node.id === id)?.kind === "ACCOUNT")
    .map(({ x, y }): Box => ({ x0: x, x1: x + zone, y0: y - TWO_LINES, y1: y }));
  const gates = waits.map(
    ({ x, labelY }): Box => ({ x0: x, x1: x - BAR_WIDTH + zone, y0: labelY - 12, y1: labelY + 21 }),
  );
  return [...names, ...gates];
}

test("no channel runs behind a name or through a gate, however many columns it passes", () => {
  check((nodes, _links, geometry, size) => {
    const texts = textsOf(nodes, geometry, size);
    for (const { runs, width } of geometry.ribbons) {
      for (const [index, { x0, x1, y }] of runs.entries()) {
        const straight = { x0, x1: Math.max(x1, x0 + 1e-3), y0: y, y1: y + Math.max(2, width) };
        expect(texts.filter((text) => overlap(text, straight))).toEqual([]);
        // Bends are only between zones.
        const next = runs[index + 1];
        if (!next) continue;
        expect(next.x0).toBeGreaterThan(x1);
        const bend = { x0: x1, x1: next.x0, y0: 0, y1: geometry.height };
        expect(texts.filter((text) => overlap(text, bend))).toEqual([]);
      }
    }
    for (const wait of geometry.waits) {
      const y1 = wait.y + Math.max(2, wait.width) + GATE_POST;
      const gate = { x0: wait.x, x1: wait.dryTo, y0: wait.y, y1 };
      expect(texts.filter((text) => overlap(text, gate))).toEqual([]);
    }
  });
});

test("no two texts overlap, and none leaves the drawing", () => {
  check((nodes, _links, geometry, size) => {
    const texts = textsOf(nodes, geometry, size);
    for (const [index, text] of texts.entries()) {
      expect(texts.slice(index + 1).filter((other) => overlap(text, other))).toEqual([]);
      expect(text.y0).toBeGreaterThanOrEqual(0);
      expect(text.y1).toBeLessThanOrEqual(geometry.height);
      expect(text.x1).toBeLessThanOrEqual(geometry.width + 1e-6);
    }
  });
});

test("channels that could run side by side do not cross", () => {
  const node = (id: string, column: number, kind: SankeyNode["kind"]): SankeyNode => ({
    id,
    column,
    kind,
    waitingInCents: 0,
  });
  // Named so that the order of the input crosses everything.
  const nodes = [
    node("payer", 0, "SOURCE"),
    node("income", 1, "ACCOUNT"),
    node("taxes", 2, "ACCOUNT"),
    node("operating", 2, "ACCOUNT"),
    node("staff", 3, "DESTINATION"),
    node("state", 3, "DESTINATION"),
  ];
  const link = (fromId: string, toId: string, amountInCents: number) => ({ fromId, toId, amountInCents });
  const { ribbons } = sankeyGeometry(
    nodes,
    [
      link("payer", "income", 900),
      link("income", "taxes", 300),
      link("income", "operating", 600),
      link("taxes", "state", 250),
      link("operating", "staff", 500),
    ],
    "WIDE",
  );
  const ends = (toId: string) => {
    const { runs } = ribbons.find((ribbon) => ribbon.toId === toId) ?? { runs: [] };
    return [runs[0]?.y ?? 0, runs.at(-1)?.y ?? 0] as const;
  };
  const [taxes, operating, state, staff] = ["taxes", "operating", "state", "staff"].map(ends);
  expect(
    ((taxes?.[0] ?? 0) - (operating?.[0] ?? 0)) * ((taxes?.[1] ?? 0) - (operating?.[1] ?? 0)),
  ).toBeGreaterThan(0);
  expect(((state?.[0] ?? 0) - (staff?.[0] ?? 0)) * ((state?.[1] ?? 0) - (staff?.[1] ?? 0))).toBeGreaterThan(
    0,
  );
});
