import { beforeEach, describe, expect, it } from "vitest";
import { proposeMoveBack, proposeReversals } from "@/lib/core/approvals/propose-move-back";
import { runDueRules } from "@/lib/core/rules/run-due-rules";
import { newId } from "@/lib/platform/ids";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { storeRule } from "@/lib/testing/rules/rule-runs";
import { createTestServices } from "@/lib/testing/services";
import { readPausedPage } from "@/lib/views/rules/read-paused-page";
import { readRun } from "@/lib/views/rules/read-run";

const TIME = { nowAt: "2026-01-15T12:00:00.000Z", timeZone: "America/New_York", locale: "en-US" };

const database = useTestDatabase();
let arranged: Awaited<ReturnType<typeof arrange>>;
beforeEach(async () => {
  arranged = await arrange();
});

/**
 * $1,000.00 arrived, one rule moved $600.00 on to a pod, whose rule moved $200.00 further; then the bank returned the
 * deposit, which paused the first rule.
 */
async function arrange() {
  const { services, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const pod = (name: string) => organization.addAccount({ name, type: "POD" });
  const [income, taxes, savings] = [await pod("Workshop income"), await pod("Taxes"), await pod("Savings")];
  const ruleOn = (name: string, from: string, to: string, amountInCents: number) =>
    storeRule(database, owner, {
      name,
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: from, minimumAmountInCents: null },
      steps: [
        {
          actions: [
            { type: "FIXED", sourceAccountId: from, destinationAccountId: to, group: 0, amountInCents },
          ],
        },
      ],
    });
  const first = await ruleOn("Split workshop income", income, taxes, 60_000);
  const second = await ruleOn("Set aside", taxes, savings, 20_000);
  await organization.deposit(income, 100_000);
  while ((await runDueRules(services, 20)) > 0);
  const deposit = await onlyTransfer(organizationId, "origin = 'DIRECT_DEPOSIT'");
  const toTaxes = await onlyTransfer(organizationId, "amount_in_cents = 60000");
  const toSavings = await onlyTransfer(organizationId, "amount_in_cents = 20000");
  await database.pool.query("select apply_bank_notice($1, 'back', $2, 'RETURNED', 'R01', $3, $4, $3)", [
    organizationId,
    deposit.transferId,
    services.clock.now(),
    newId(services.clock.now()),
  ]);
  return { services, woken, organization, owner, first, second, toTaxes, toSavings, savings };
}

async function onlyTransfer(organizationId: string, which: string) {
  const { rows } = await database.pool.query<{ transferId: string; executionId: string }>(
    `select id as "transferId", rule_execution_id as "executionId" from transfers
      where organization_id = $1 and ${which}`,
    [organizationId],
  );
  if (!rows[0] || rows.length > 1) throw new Error(`${rows.length} transfers with ${which}`);
  return rows[0];
}

const read = () =>
  readPausedPage({ services: arranged.services, context: arranged.owner, time: TIME }, arranged.first.id);
const proposeAll = () => proposeReversals(arranged.services, arranged.owner, arranged.first.id);

async function proposalsWaiting(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    "select count(*)::int as count from proposals where organization_id = $1 and state = 'WAITING'",
    [arranged.organization.organizationId],
  );
  return rows[0]?.count ?? 0;
}

describe("a pause", () => {
  it("names the returned money and everything that rules did with it, chains included, latest first", async () => {
    const pause = await read();
    expect(pause?.returned).toMatchObject({
      amountInCents: 100_000,
      fromName: "Halden Health",
      accountName: "Workshop income",
      code: "R01",
    });
    expect(pause?.balanceInCents).toBe(-60_000);
    expect(
      pause?.transfers.map(({ id, depth, ruleName, amountInCents, reversal }) => ({
        id,
        depth,
        ruleName,
        amountInCents,
        reversal,
      })),
    ).toEqual([
      {
        id: arranged.toSavings.transferId,
        depth: 1,
        ruleName: "Set aside",
        amountInCents: 20_000,
        reversal: { state: "NOT_PROPOSED", href: null },
      },
      {
        id: arranged.toTaxes.transferId,
        depth: 0,
        ruleName: "Split workshop income",
        amountInCents: 60_000,
        reversal: { state: "NOT_PROPOSED", href: null },
      },
    ]);
  });

  it("is null for a rule that runs, and for another organization", async () => {
    expect(
      await readPausedPage(
        { services: arranged.services, context: arranged.owner, time: TIME },
        arranged.second.id,
      ),
    ).toBeNull();
    const stranger = (await arrange()).owner;
    expect(
      await readPausedPage({ services: arranged.services, context: stranger, time: TIME }, arranged.first.id),
    ).toBeNull();
  });

  it("counts pending transfers without listing them", async () => {
    await database.ownerPool.query(
      "update transfers set status = 'PROCESSING', completed_at = null where organization_id = $1 and id = $2",
      [arranged.organization.organizationId, arranged.toSavings.transferId],
    );
    const pause = await read();
    expect(pause?.transfers.map(({ id }) => id)).toEqual([arranged.toTaxes.transferId]);
    expect(pause?.onTheirWayCount).toBe(1);
  });
});

describe("the reversals of a pause", () => {
  it("are proposals that wait for approval, and proposing them again creates no second ones", async () => {
    expect(await proposeAll()).toEqual({ proposedCount: 2, refusals: [] });
    expect(await proposalsWaiting()).toBe(2);
    expect(await proposeAll()).toEqual({ proposedCount: 0, refusals: [] });
    expect(await proposalsWaiting()).toBe(2);
    expect((await read())?.transfers.map(({ reversal }) => reversal.state)).toEqual(["WAITING", "WAITING"]);
  });

  it("are proposed once even if several people do it at once", async () => {
    await Promise.all([proposeAll(), proposeAll(), proposeAll()]);
    expect(await proposalsWaiting()).toBe(2);
  });

  it("include one that someone proposed by hand only once", async () => {
    const { services, owner, toTaxes } = arranged;
    const input = { transferId: toTaxes.transferId, reason: "" };
    const id = await proposeMoveBack(services, owner, input);
    expect(await proposeMoveBack(services, owner, input)).toBe(id);
    expect(await proposeAll()).toMatchObject({ proposedCount: 1 });
    expect(await proposalsWaiting()).toBe(2);
  });

  it("can be proposed again by hand after a denial, but not in bulk", async () => {
    const { services, owner, toTaxes, organization } = arranged;
    const input = { transferId: toTaxes.transferId, reason: "" };
    const id = await proposeMoveBack(services, owner, input);
    await database.ownerPool.query(
      "update transfers set status = 'APPROVAL_DENIED' where organization_id = $1 and id = $2",
      [organization.organizationId, id],
    );
    expect(await proposeAll()).toMatchObject({ proposedCount: 1 });
    expect((await read())?.transfers.map(({ reversal }) => reversal.state)).toEqual(["WAITING", "DENIED"]);
    expect(await proposeMoveBack(services, owner, input)).not.toBe(id);
  });

  it("continue after one that cannot be proposed", async () => {
    const { organization, savings } = arranged;
    await database.ownerPool.query(
      "update accounts set deleted_at = now() where organization_id = $1 and id = $2",
      [organization.organizationId, savings],
    );
    const result = await proposeAll();
    expect(result.proposedCount).toBe(1);
    expect(result.refusals).toEqual([expect.stringContaining("Savings to Taxes")]);
  });

  it("cannot be proposed by a member who may not decide", async () => {
    const reader = await arranged.organization.addMember("ACCOUNTANT", "Robin");
    await expect(proposeReversals(arranged.services, reader, arranged.first.id)).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
  });
});

describe("the page of a run", () => {
  const readOne = (executionId: string, ruleId: string) =>
    readRun({ services: arranged.services, context: arranged.owner, time: TIME }, { ruleId, executionId });

  it("names the deposit that triggered it and the run that it triggered", async () => {
    const { first, second, toTaxes, toSavings } = arranged;
    const run = await readOne(toTaxes.executionId, first.id);
    expect(run?.startedBy).toMatchObject({
      kind: "TRANSFER",
      isDeposit: true,
      fromName: "Halden Health",
      amountInCents: 100_000,
      setOffBy: null,
      wasReturned: true,
    });
    expect(run?.setOff).toEqual([
      { ruleName: "Set aside", href: `/rules/${second.id}/runs/${toSavings.executionId}` },
    ]);
    expect(run?.transfers).toMatchObject([
      { fromName: "Workshop income", toName: "Taxes", status: "COMPLETE" },
    ]);
  });

  it("names the run before it in its chain", async () => {
    const { first, second, toTaxes, toSavings } = arranged;
    const run = await readOne(toSavings.executionId, second.id);
    expect(run?.startedBy).toMatchObject({
      setOffBy: { ruleName: "Split workshop income", href: `/rules/${first.id}/runs/${toTaxes.executionId}` },
    });
  });

  it("exists for a run without stored facts or plan", async () => {
    const { first, toTaxes } = arranged;
    await database.ownerPool.query("update rule_executions set facts = null, plan = null where id = $1", [
      toTaxes.executionId,
    ]);
    expect(await readOne(toTaxes.executionId, first.id)).toMatchObject({ facts: null, plan: null });
  });

  it("does not exist under another rule or for another organization", async () => {
    const { services, second, toTaxes, first } = arranged;
    expect(await readOne(toTaxes.executionId, second.id)).toBeNull();
    const stranger = (await arrange()).owner;
    expect(
      await readRun(
        { services, context: stranger, time: TIME },
        { ruleId: first.id, executionId: toTaxes.executionId },
      ),
    ).toBeNull();
  });
});
