import fc from "fast-check";
import { expect, test } from "vitest";
import {
  BAR_WIDTH,
  type SankeyGeometry,
  type SankeyLink,
  type SankeyNode,
  sankeyGeometry,
  WIDTH,
} from "@/components/overview/sankey-geometry";
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

const check = (holds: (nodes: SankeyNode[], links: SankeyLink[], geometry: SankeyGeometry) => void) =>
  fc.assert(
    fc.property(map, ({ nodes, links }) => holds(nodes, links, sankeyGeometry(nodes, links))),
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
        .map(({ y0, width }) => ({ y: y0, width }));
      const waiting = geometry.waits.filter((wait) => wait.nodeId === id);
      const arriving = geometry.ribbons
        .filter((ribbon) => ribbon.toId === id)
        .map(({ y1, width }) => ({ y: y1, width }));
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
      expect(placed.x + BAR_WIDTH).toBeLessThanOrEqual(WIDTH);
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
