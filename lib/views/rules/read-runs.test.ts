import { beforeEach, describe, expect, it } from "vitest";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { storeRule, storeRun } from "@/lib/testing/rules/rule-runs";
import { createTestServices } from "@/lib/testing/services";
import {
  RUNS_PER_PAGE,
  type RunsLook,
  readRuns,
  readRunsLook,
  runsLookHref,
} from "@/lib/views/rules/read-runs";

const TIME = { nowAt: "2026-01-15T12:00:00.000Z", timeZone: "America/New_York", locale: "en-US" };
const EVERYTHING: RunsLook = { status: null, mode: null, page: 1 };

const database = useTestDatabase();
let arranged: Awaited<ReturnType<typeof arrange>>;
beforeEach(async () => {
  arranged = await arrange();
});

/** A rule with a live run of each status and some dry runs. */
async function arrange() {
  const { services } = createTestServices(database);
  const { owner, addAccount, addMember } = await createTestOrganization(database, services);
  const [from, to] = [
    await addAccount({ name: "Operating", type: "POD" }),
    await addAccount({ name: "Taxes", type: "POD" }),
  ];
  const rule = await storeRule(database, owner, {
    trigger: { type: "MANUAL", accountId: from },
    steps: [
      {
        actions: [
          { type: "FIXED", sourceAccountId: from, destinationAccountId: to, group: 0, amountInCents: 100 },
        ],
      },
    ],
  });
  const store = (run: Omit<Parameters<typeof storeRun>[2], "ruleId">) =>
    storeRun(database, owner, { ruleId: rule.id, ...run });
  const ids = {
    failed: await store({ status: "FAILED" }),
    dryFailed: await store({ status: "FAILED", mode: "SIMULATION" }),
    dry: await store({ mode: "SIMULATION" }),
    settled: await store({}),
  };
  return { services, owner, addMember, rule, ids, store, from, to };
}

const read = (look: Partial<RunsLook>, context = arranged.owner) =>
  readRuns({ services: arranged.services, context, time: TIME }, arranged.rule.id, {
    ...EVERYTHING,
    ...look,
  });
const idsOf = async (look: Partial<RunsLook>) => (await read(look))?.rows.map(({ id }) => id);

describe("the runs of a rule", () => {
  it("are listed newest first, filtered by status and mode", async () => {
    const { failed, dryFailed, dry, settled } = arranged.ids;
    expect(await idsOf({})).toEqual([settled, dry, dryFailed, failed]);
    expect(await idsOf({ mode: "LIVE" })).toEqual([settled, failed]);
    expect(await idsOf({ mode: "SIMULATION" })).toEqual([dry, dryFailed]);
    expect(await idsOf({ status: "FAILED" })).toEqual([dryFailed, failed]);
    expect(await idsOf({ status: "FAILED", mode: "LIVE" })).toEqual([failed]);
    expect(await idsOf({ status: "PARTIAL" })).toEqual([]);
  });

  it("are paged, none twice and none left out", async () => {
    for (let count = 0; count < RUNS_PER_PAGE; count++) await arranged.store({});
    const [first, second] = [await read({}), await read({ page: 2 })];
    const ids = [...(first?.rows ?? []), ...(second?.rows ?? [])].map(({ id }) => id);
    expect(ids).toHaveLength(RUNS_PER_PAGE + 4);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    expect([first?.nextHref, first?.previousHref, second?.nextHref]).toEqual([
      runsLookHref(arranged.rule.id, { ...EVERYTHING, page: 2 }),
      null,
      null,
    ]);
  });

  it("are not visible to another organization", async () => {
    const stranger = (await arrange()).owner;
    expect(await read({}, stranger)).toBeNull();
  });

  it("offer a manual run only to members who may, while the rule can run", async () => {
    const reader = await arranged.addMember("ACCOUNTANT", "Robin");
    expect([(await read({}))?.canRunNow, (await read({}, reader))?.canRunNow]).toEqual([true, false]);
  });
});

describe("the URL of a list of runs", () => {
  it("contains its filters and page, and parses back to them", () => {
    for (const status of [null, "APPROVAL_PENDING", "EXECUTED"] as const) {
      for (const mode of [null, "LIVE", "SIMULATION"] as const) {
        for (const page of [1, 3]) {
          const { searchParams } = new URL(runsLookHref("r", { status, mode, page }), "http://localhost");
          const query = Object.fromEntries(searchParams);
          expect(readRunsLook({ ...query, page: Number(query.page ?? 1) })).toEqual({ status, mode, page });
        }
      }
    }
  });

  it("ignores unknown filters", () => {
    expect(readRunsLook({ status: "'; drop table rules", runs: "wet" })).toEqual(EVERYTHING);
  });

  it("say why nothing moved, and name the account", async () => {
    const { store, from, to } = arranged;
    const full = await store({
      plan: {
        stepIndexMatched: 0,
        steps: [{ outcome: "RAN", comparisons: [] }],
        actionsNotReached: 0,
        moves: [
          {
            actionIndex: 0,
            type: "TOP_UP",
            group: 0,
            sourceAccountId: from,
            destinationAccountId: to,
            description: null,
            baseInCents: 50_000,
            wantedInCents: 0,
            caps: [],
            amountInCents: 0,
            outcome: "SKIPPED",
            errorCode: null,
          },
        ],
      },
    });
    const row = (await read({}))?.rows.find(({ id }) => id === full);
    expect(row?.skipped).toEqual({ reason: "FULL", sourceName: "Operating", destinationName: "Taxes" });
    expect((await read({}))?.rows.find(({ id }) => id === arranged.ids.failed)?.skipped).toBeNull();
  });
});
