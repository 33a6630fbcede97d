import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/contract/error";
import { createRequestBudget } from "@/lib/core/sign-in/request-budget";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { PLANNED_AS_SERVED, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { readLive } from "@/lib/views/read-live";

const database = useTestDatabase(PLANNED_AS_SERVED);

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const from = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 1_000_000 });
  const to = await organization.addAccount({ name: "Taxes", type: "POD" });
  const read = () => readLive({ services, context: { ...organization.owner, now: clock.now() } });
  const propose = async () => {
    const { context } = await organization.addKey([
      { type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: "ANY" }] },
    ]);
    return askTransfer(services, context, {
      sourceAccountId: from,
      destinationAccountId: to,
      amountInCents: 425_000,
    });
  };
  return { services, clock, organization, to, read, propose };
}

describe("what open pages ask every few seconds", () => {
  it("stays the same as long as nothing happens, whatever the time", async () => {
    const { read, clock } = await arrange();
    const before = await read();
    clock.advance(60_000);
    expect(await read()).toEqual(before);
  });

  it("counts a new proposal, and drops it at its deadline", async () => {
    const { read, propose, clock } = await arrange();
    const before = await read();
    await propose();
    const asked = await read();
    expect(asked.waitingCount).toBe(1);
    expect(asked.stamps.waiting).not.toBe(before.stamps.waiting);
    expect(asked.stamps.webhooks).toBe(before.stamps.webhooks);
    clock.advance(25 * 3_600_000);
    expect((await read()).waitingCount).toBe(0);
  });

  it("changes when money moves", async () => {
    const { read, organization, to } = await arrange();
    const before = await read();
    await organization.deposit(to, 100);
    const after = await read();
    expect(after.stamps.money).not.toBe(before.stamps.money);
    expect(after.stamps.waiting).toBe(before.stamps.waiting);
  });

  it("changes when an order is submitted to the bank, after which it cannot be canceled", async () => {
    const { services, clock, read, organization } = await arrange();
    const route = {
      sourceAccountId: await organization.addAccount({ name: "Pod", type: "POD", balanceInCents: 10_000 }),
      destinationAccountId: await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" }),
    };
    const { context } = await organization.addKey([moveAnything(false)]);
    await askTransfer(services, context, { ...route, amountInCents: 5_000 });
    const before = await read();
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, createSandboxBank(database.pool), 10);
    expect((await read()).stamps.money).not.toBe(before.stamps.money);
  });

  it("is unaffected by another organization", async () => {
    const here = await arrange();
    const there = await arrange();
    const before = await here.read();
    await there.propose();
    await there.organization.deposit(there.to, 100);
    expect(await here.read()).toEqual(before);
  });

  it("is one query that scans no list of transfers, decided proposals or card transactions", async () => {
    const { services, organization } = await arrange();
    const sent: { text: string; values: unknown[] }[] = [];
    const pool = new Proxy(services.pool, {
      get: (target, name) =>
        name === "query"
          ? (query: { text: string; values: unknown[] }) => {
              sent.push(query);
              return target.query(query);
            }
          : Reflect.get(target, name),
    });
    await readLive({ services: { pool }, context: organization.owner });
    expect(sent).toHaveLength(1);
    const [query] = sent;
    const client = await services.pool.connect();
    try {
      // Test tables are so small that a scan is cheapest; with scans off, the plan must use indexes.
      await client.query("begin; set local enable_seqscan = off");
      const { rows } = await client.query(`explain (format text) ${query?.text}`, query?.values);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).not.toMatch(/Seq Scan on (transfers|proposals|card_transactions|rule_executions)/);
      expect(plan).toContain("Index");
    } finally {
      await client.query("rollback");
      client.release();
    }
  });
});

describe("a session's budget", () => {
  it("refuses requests above the limit per minute in that session only, and resets with the minute", async () => {
    const { services, clock, organization } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Tomas");
    const budget = createRequestBudget(3);
    const take = (as = organization.owner) => budget.take(services, as);
    for (let count = 0; count < 3; count += 1) take();
    expect(take).toThrow(AppError);
    expect(() => take(viewer)).not.toThrow();
    clock.advance(60_000);
    expect(take).not.toThrow();
  });
});
