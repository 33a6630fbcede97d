import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import {
  buildMoneyMap,
  MAXIMUM_ACCOUNT_COLUMNS,
  MAXIMUM_NODES,
  type MoneyMapInput,
} from "@/lib/views/overview/build-money-map";
import type { Flow } from "@/lib/views/overview/read-flows";

const CLEARING = "clearing";
const accounts: MoneyMapInput["accounts"] = new Map([
  ["income", { name: "income", isManaged: true }],
  ["operating", { name: "operating", isManaged: true }],
  ["taxes", { name: "taxes", isManaged: true }],
  ["profit", { name: "profit", isManaged: true }],
  ["checking", { name: "First Harbor Checking", isManaged: false }],
]);

const flow = (debit: string, credit: string, amountInCents: number, party = ""): Flow => ({
  debit,
  credit,
  party,
  amountInCents,
});
const cameIn = (account: string, amountInCents: number, party = "name:Halden Health") =>
  flow(CLEARING, account, amountInCents, party);
const wentOut = (account: string, amountInCents: number, party = "card") =>
  flow(account, CLEARING, amountInCents, party);

function draw(flows: Flow[], waitingMoves: MoneyMapInput["waitingMoves"] = []) {
  return buildMoneyMap(
    { clearingLedgerId: CLEARING, flows, border: borderOf(flows), waitingMoves, accounts },
    30,
  );
}

/** What the database adds up beside the flows (`border_flows`). */
function borderOf(flows: readonly Flow[]): MoneyMapInput["border"] {
  const sumOf = (matches: (flow: Flow) => boolean) =>
    flows.filter(matches).reduce((sum, { amountInCents }) => sum + Math.abs(amountInCents), 0);
  const comesIn = (flow: Flow) => (flow.debit === CLEARING) === flow.amountInCents > 0;
  const crosses = ({ debit, credit }: Flow) => debit === CLEARING || credit === CLEARING;
  const isOwn = ({ party }: Flow) => party.startsWith("account:");
  return {
    inInCents: sumOf((flow) => crosses(flow) && comesIn(flow)),
    inFromOwnInCents: sumOf((flow) => crosses(flow) && comesIn(flow) && isOwn(flow)),
    outInCents: sumOf((flow) => crosses(flow) && !comesIn(flow)),
    outToOwnInCents: sumOf((flow) => crosses(flow) && !comesIn(flow) && isOwn(flow)),
  };
}
const named = (map: ReturnType<typeof draw>) =>
  map.links.map(({ fromId, toId, amountInCents }) => {
    const name = (id: string) => map.nodes.find((node) => node.id === id)?.name;
    return `${name(fromId)} > ${name(toId)}: ${amountInCents}`;
  });

describe("the money map", () => {
  it("leads from payers through accounts to destinations, each in its column", () => {
    const map = draw([cameIn("income", 1_000), flow("income", "operating", 600), wentOut("operating", 200)]);
    expect(named(map)).toEqual([
      "Halden Health > income: 1000",
      "operating > Card purchases: 200",
      "income > operating: 600",
    ]);
    expect(map.nodes.map(({ name, column, keptInCents }) => [name, column, keptInCents])).toEqual([
      ["Halden Health", 0, null],
      ["income", 1, 400],
      ["operating", 2, 400],
      ["Card purchases", 3, null],
    ]);
    expect(map.sums).toMatchObject({ inInCents: 1_000, outInCents: 200, keptInCents: 800 });
  });

  it("draws only the net of money that went back and forth", () => {
    const map = draw([flow("operating", "taxes", 500), flow("taxes", "operating", 180)]);
    expect(named(map)).toEqual(["operating > taxes: 320"]);
  });

  it("reports circular flows instead of drawing them, and keeps every account's net change", () => {
    const map = draw([
      flow("income", "operating", 300),
      flow("operating", "taxes", 200),
      flow("taxes", "income", 100),
    ]);
    expect(named(map)).toEqual(["income > operating: 300", "operating > taxes: 200"]);
    expect(map.notDrawn).toEqual([{ fromName: "taxes", toName: "income", amountInCents: 100 }]);
    expect(map.nodes.map(({ keptInCents }) => keptInCents)).toEqual([-200, 100, 100]);
  });

  it("draws a return of an older transfer in the opposite direction", () => {
    const map = draw([cameIn("income", -700)]);
    expect(named(map)).toEqual(["income > Halden Health: 700"]);
  });

  it("separates moves to and from own outside accounts from payments by and to others", () => {
    const map = draw([
      cameIn("income", 1_000),
      cameIn("operating", 400, "account:checking"),
      wentOut("operating", 150, "account:checking"),
    ]);
    expect(map.sums).toEqual({
      inInCents: 1_400,
      inFromOwnInCents: 400,
      outInCents: 150,
      outToOwnInCents: 150,
      keptInCents: 1_250,
      atGateInCents: 0,
    });
    expect(
      map.nodes.find(({ kind, name }) => kind === "SOURCE" && name === "First Harbor Checking")?.href,
    ).toBe("/accounts/checking");
  });

  it("shows waiting money at the account that would pay it, even without other flows", () => {
    const map = draw(
      [],
      [
        { sourceAccountId: "profit", amountInCents: 250 },
        { sourceAccountId: "checking", amountInCents: 50 },
      ],
    );
    expect(map.nodes.map(({ kind, name, waitingInCents }) => [kind, name, waitingInCents])).toEqual([
      ["SOURCE", "First Harbor Checking", 50],
      ["ACCOUNT", "profit", 250],
    ]);
    expect(map.sums.atGateInCents).toBe(300);
  });

  it("names the largest payers and combines the rest", () => {
    const map = draw(
      Array.from({ length: 40 }, (_, index) => cameIn("income", 100 + index, `name:Payer ${index}`)),
    );
    const sources = map.nodes.filter(({ kind }) => kind === "SOURCE");
    expect(sources).toHaveLength(MAXIMUM_NODES.SOURCE);
    expect(sources.at(0)?.name).toBe("Payer 39");
    expect(sources.at(-1)?.name).toBe("Others");
    expect(map.sums.inInCents).toBe(40 * 100 + (39 * 40) / 2);
  });
});

const ids = Array.from({ length: 14 }, (_, index) => `account ${index}`);
const many = new Map(ids.map((id) => [id, { name: id, isManaged: true }]));
const cents = fc.integer({ min: -1_000_000, max: 10_000_000 });
const anyFlows = fc.uniqueArray(
  fc.oneof(
    fc
      .tuple(fc.constantFrom(...ids), fc.constantFrom(...ids), cents)
      .map(([from, to, sum]) => flow(from, to, sum)),
    fc
      .tuple(fc.constantFrom(...ids), fc.nat(12), cents)
      .map(([to, payer, sum]) => cameIn(to, sum, `name:${payer}`)),
    fc
      .tuple(fc.constantFrom(...ids), fc.nat(12), cents)
      .map(([from, payee, sum]) => wentOut(from, sum, `name:${payee}`)),
  ),
  { selector: ({ debit, credit, party }) => `${debit} ${credit} ${party}`, maxLength: 80 },
);

test("any map is bounded, leads only forward, and accounts for every cent", () => {
  fc.assert(
    fc.property(anyFlows, (all) => {
      const flows = all.filter(({ debit, credit }) => debit !== credit);
      const map = buildMoneyMap(
        {
          clearingLedgerId: CLEARING,
          flows,
          border: borderOf(flows),
          waitingMoves: [],
          accounts: many,
        },
        90,
      );
      for (const kind of ["SOURCE", "ACCOUNT", "DESTINATION"] as const) {
        expect(map.nodes.filter((node) => node.kind === kind).length).toBeLessThanOrEqual(
          MAXIMUM_NODES[kind],
        );
      }
      const columnOf = new Map(map.nodes.map(({ id, column }) => [id, column]));
      for (const { fromId, toId, amountInCents } of map.links) {
        expect(columnOf.get(fromId) ?? 99).toBeLessThan(columnOf.get(toId) ?? -1);
        expect(amountInCents).toBeGreaterThan(0);
      }
      expect(new Set(map.nodes.map(({ column }) => column)).size).toBeLessThanOrEqual(
        MAXIMUM_ACCOUNT_COLUMNS + 2,
      );
      const kept = map.nodes.reduce((sum, { keptInCents }) => sum + (keptInCents ?? 0), 0);
      const turned = (name: string) =>
        map.notDrawn.reduce(
          (sum, { fromName, toName, amountInCents }) =>
            sum + (toName === name ? amountInCents : 0) - (fromName === name ? amountInCents : 0),
          0,
        );
      for (const node of map.nodes) {
        if (node.keptInCents === null) continue;
        expect(node.inInCents - node.outInCents + turned(node.name)).toBe(node.keptInCents);
      }
      expect(map.sums.inInCents - map.sums.outInCents).toBe(map.sums.keptInCents);
      const drawnAll = new Set(map.nodes.map(({ name }) => name));
      const isWhole = map.notDrawn.every(
        ({ fromName, toName }) => drawnAll.has(fromName) && drawnAll.has(toName),
      );
      if (isWhole) expect(kept).toBe(map.sums.keptInCents);
    }),
    { numRuns: proofSize(300, 10_000), seed: proofSeed },
  );
});
