import { describe, expect, it } from "vitest";
import type { CheckView } from "@/lib/contract/approvals/approval";
import { approvalPlaceSchema, approvalSearchSchema } from "@/lib/contract/search/search-schemas";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, askRun, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { listProposals } from "@/lib/views/approvals/list-proposals";

const database = useTestDatabase();

const HOUR_MS = 3_600_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const addPod = (name: string) =>
    organization.addAccount({ name, type: "POD", balanceInCents: 100_000_000 });
  const operating = await addPod("Operating");
  const payroll = await addPod("Payroll");
  const taxes = await addPod("Taxes");
  const profit = await addPod("Profit");
  const trusted = await organization.addKey([...readEverything, moveAnything(false)], "trusted");
  const asking = await organization.addKey([...anythingWithRules(true), moveAnything(true)], "asking");
  const send = (sourceAccountId: string, destinationAccountId: string, amountInCents: number, key = asking) =>
    askTransfer(services, key.context, { sourceAccountId, destinationAccountId, amountInCents }).then(
      ({ id }) => id,
    );
  const member = () => ({ ...organization.owner, now: clock.now() });
  const time = () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" });
  async function check<Kind extends CheckView["kind"]>(id: string, kind: Kind) {
    const view = await getApproval({ services, context: member(), time: time() }, id);
    const found = view?.checks.find((shown) => shown.kind === kind);
    if (!found) throw new Error(`No check ${kind}`);
    return found as Extract<CheckView, { kind: Kind }>;
  }
  /** Completed transfers from Operating to Taxes, a day apart. */
  async function moveDaily(amounts: number[]) {
    for (const amountInCents of amounts) {
      await send(operating, taxes, amountInCents, trusted);
      await bookDueTransfers(services, 10);
      clock.advance(24 * HOUR_MS);
    }
  }
  async function marked(): Promise<string[]> {
    const search = approvalSearchSchema.parse({});
    const { waiting } = await listProposals(
      { services, context: member(), time: time() },
      search,
      approvalPlaceSchema.parse({}),
    );
    return waiting.filter((row) => row.isPossibleDuplicate).map((row) => row.id);
  }
  const accounts = { operating, payroll, taxes, profit };
  return { services, clock, organization, trusted, asking, send, check, moveDaily, marked, ...accounts };
}

describe("the usual amount", () => {
  it("is clear only inside the range that it states, and flags larger and smaller amounts", async () => {
    const { moveDaily, send, check, operating, taxes } = await arrange();
    await moveDaily([171_355, 180_000, 190_000, 205_000, 214_075]);
    const outcomeOf = async (amountInCents: number) =>
      (await check(await send(operating, taxes, amountInCents), "USUAL_AMOUNT")).outcome;
    expect(await check(await send(operating, taxes, 231_840), "USUAL_AMOUNT")).toMatchObject({
      outcome: "LOOK",
      usualLowInCents: 171_355,
      usualHighInCents: 214_075,
    });
    expect(await outcomeOf(171_354)).toBe("LOOK");
    expect(await outcomeOf(171_355)).toBe("CLEAR");
    expect(await outcomeOf(214_075)).toBe("CLEAR");
  });

  it("of ten or more transfers leaves out the outermost ones", async () => {
    const { moveDaily, send, check, operating, taxes } = await arrange();
    const usual = Array.from({ length: 10 }, (_, index) => 200_000 + index * 1_000);
    await moveDaily([100, ...usual, 9_000_000]);
    expect(await check(await send(operating, taxes, 9_000_000), "USUAL_AMOUNT")).toMatchObject({
      outcome: "LOOK",
      usualLowInCents: 200_000,
      usualHighInCents: 209_000,
    });
  });
});

describe("exact amounts", () => {
  it("of all that is there are enough, and a cent more is not", async () => {
    const { send, check, operating, taxes } = await arrange();
    const outcomeOf = async (cents: number) =>
      (await check(await send(operating, taxes, cents), "ENOUGH_MONEY")).outcome;
    expect(await outcomeOf(100_000_000)).toBe("CLEAR");
    expect(await outcomeOf(100_000_001)).toBe("BLOCKS");
  });

  it("of a key's limit are within it", async () => {
    const { organization, send, check, operating, taxes } = await arrange();
    const entries = [{ source: "ANY", target: "ANY", max_amount: 5_000 }];
    const limited = await organization.addKey(
      [{ type: "MANUAL_TRANSFER", entries, approval: { required: true } }],
      "limited",
    );
    expect(await check(await send(operating, taxes, 5_000, limited), "KEY_LIMIT")).toMatchObject({
      outcome: "CLEAR",
      limitInCents: 5_000,
    });
  });

  it("down to the floor stay above it, of transfers and of runs", async () => {
    const { services, clock, organization, asking, send, check, taxes } = await arrange();
    const reserve = await organization.addAccount({
      name: "Reserve",
      type: "POD",
      balanceInCents: 100_000,
      floorInCents: 20_000,
    });
    const run = async (amountInCents: number) => {
      const action = { type: "FIXED", sourceAccountId: reserve, destinationAccountId: taxes, group: 0 };
      const ruleId = await writeRule(services, asking.context, {
        trigger: { type: "MANUAL", accountId: reserve },
        steps: [{ actions: [{ ...action, amountInCents }] }],
      });
      await makeActive(database, ruleId);
      return askRun(services, { ...asking.context, now: clock.now() }, ruleId, {});
    };
    expect((await check(await send(reserve, taxes, 80_000), "FLOOR")).outcome).toBe("CLEAR");
    expect((await check(await send(reserve, taxes, 80_001), "FLOOR")).outcome).toBe("LOOK");
    expect((await check(await run(80_000), "RUN_FLOORS")).outcome).toBe("CLEAR");
    expect((await check(await run(80_001), "RUN_FLOORS")).outcome).toBe("LOOK");
  });
});

describe("a limit that the key does not have", () => {
  it("is not shown as a check that it passed", async () => {
    const { send, check, operating, taxes } = await arrange();
    expect(await check(await send(operating, taxes, 425_000), "KEY_LIMIT")).toMatchObject({
      outcome: "UNCHECKED",
      limitInCents: null,
    });
  });
});

describe("a possible duplicate", () => {
  it("is found from another source, links to its twin, and the inbox marks both", async () => {
    const { clock, send, check, marked, operating, payroll, taxes, profit } = await arrange();
    const first = await send(payroll, taxes, 231_840);
    const unrelated = await send(operating, profit, 231_841);
    clock.advance(4 * 60_000);
    const second = await send(operating, taxes, 231_840);
    expect(await check(second, "SIMILAR_LATELY")).toMatchObject({
      outcome: "LOOK",
      sameAmountCount: 1,
      closest: { href: `/?approvalTransferId=${first}`, isWaiting: true, sourceName: "Payroll" },
    });
    expect(await check(first, "SIMILAR_LATELY")).toMatchObject({
      closest: { href: `/?approvalTransferId=${second}`, sourceName: "Operating" },
    });
    expect(await check(unrelated, "SIMILAR_LATELY")).toMatchObject({ outcome: "CLEAR", closest: null });
    expect(new Set(await marked())).toEqual(new Set([first, second]));
  });

  it("links to a transfer that has settled, and is over after 24 hours", async () => {
    const { services, clock, send, check, marked, trusted, operating, taxes } = await arrange();
    const settled = await send(operating, taxes, 50_000, trusted);
    await bookDueTransfers(services, 10);
    clock.advance(20 * HOUR_MS);
    const waiting = await send(operating, taxes, 50_000);
    expect(await check(waiting, "SIMILAR_LATELY")).toMatchObject({
      closest: { href: `/transfers/${settled}`, isWaiting: false },
    });
    expect(await marked()).toEqual([waiting]);
    clock.advance(4 * HOUR_MS);
    expect(await check(waiting, "SIMILAR_LATELY")).toMatchObject({ outcome: "CLEAR", closest: null });
    expect(await marked()).toEqual([]);
  });

  it("prefers the same amount to a later transfer on the route, which alone does not make a duplicate", async () => {
    const { clock, send, check, marked, operating, payroll, taxes } = await arrange();
    const other = await send(operating, taxes, 10_000);
    clock.advance(60_000);
    const later = await send(operating, taxes, 20_000);
    expect(await check(later, "SIMILAR_LATELY")).toMatchObject({
      outcome: "LOOK",
      transferCount: 1,
      sameAmountCount: 0,
      closest: { href: `/?approvalTransferId=${other}` },
    });
    expect(await marked()).toEqual([]);
    const twin = await send(payroll, taxes, 10_000);
    expect(await check(other, "SIMILAR_LATELY")).toMatchObject({
      transferCount: 2,
      sameAmountCount: 1,
      closest: { href: `/?approvalTransferId=${twin}` },
    });
  });

  it("of a rule's run links to the other run, and the inbox marks both", async () => {
    const { services, clock, check, marked, asking, operating, taxes } = await arrange();
    const ruleId = await writeRule(services, asking.context, {
      name: "Set taxes aside",
      trigger: { type: "MANUAL", accountId: operating },
      steps: [
        {
          conditions: null,
          actions: [
            {
              type: "FIXED",
              sourceAccountId: operating,
              destinationAccountId: taxes,
              group: 0,
              amountInCents: 10_000,
            },
          ],
        },
      ],
    });
    await makeActive(database, ruleId);
    const ask = () => askRun(services, { ...asking.context, now: clock.now() }, ruleId, {});
    const first = await ask();
    expect(await marked()).toEqual([]);
    clock.advance(60_000);
    const second = await ask();
    expect(await check(first, "NOT_RUN_TWICE")).toMatchObject({
      outcome: "LOOK",
      latest: { href: `/?approvalTransferId=${second}`, isWaiting: true },
    });
    expect(new Set(await marked())).toEqual(new Set([first, second]));
  });
});
