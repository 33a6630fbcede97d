import { describe, expect, it } from "vitest";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, askRun, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";

const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const pod = (name: string, balanceInCents = 0) =>
    organization.addAccount({ name, type: "POD", balanceInCents });
  const operating = await pod("Operating", 1_842_055);
  const taxes = await pod("Taxes", 931_000);
  const savings = await pod("Savings");
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 620_418,
  });
  const key = await organization.addKey([...anythingWithRules(true), moveAnything(true)], "claude");
  const onArrival = async (
    accountId: string,
    action: { [field: string]: unknown },
    more: { conditions?: unknown; minimumAmountInCents?: number | null } = {},
  ) => {
    const { conditions = null, minimumAmountInCents = null } = more;
    const ruleId = await writeRule(services, key.context, {
      name: `On ${accountId.slice(-4)}`,
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId, minimumAmountInCents },
      steps: [{ conditions, actions: [{ sourceAccountId: accountId, group: 0, ...action }] }],
    });
    await makeActive(database, ruleId);
    return ruleId;
  };
  const owner = () => ({
    ...organization.owner,
    now: clock.now(),
    actor: { ...organization.owner.actor, authenticatedAt: clock.now() },
  });
  const look = async (id: string) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const view = await getApproval({ services, context: owner(), time }, id);
    if (!view) throw new Error("no such proposal");
    return view;
  };
  const propose = async (sourceAccountId: string, destinationAccountId: string, amountInCents: number) =>
    (await askTransfer(services, key.context, { sourceAccountId, destinationAccountId, amountInCents })).id;
  const approve = async (id: string) => {
    const { digest } = await look(id);
    return decideProposal(services, owner(), {
      proposalId: id,
      decision: "APPROVE",
      digest,
      note: null,
      confirmation: { kind: "NONE" },
    });
  };
  const balance = async (accountId: string) => {
    const { rows } = await database.ownerPool.query<{ cents: number }>(
      "select credits_in_cents - debits_in_cents as cents from ledgers where id = $1",
      [accountId],
    );
    return rows[0]?.cents;
  };
  return {
    services,
    organization,
    operating,
    taxes,
    savings,
    checking,
    key,
    onArrival,
    look,
    propose,
    approve,
    balance,
  };
}

const quarterlyTax = (taxes: string, checking: string) =>
  [
    { type: "FIXED", destinationAccountId: checking, amountInCents: 1_200_000 },
    {
      conditions: {
        all: [{ fact: "BALANCE", accountId: taxes, operator: "GREATER_THAN_OR_EQUAL", value: 1_200_000 }],
      },
    },
  ] as const;

describe("an approval screen forecasts the rules that follow", () => {
  it("from the balances after the transfer, with amounts in the table but outside the digest", async () => {
    const world = await arrange();
    const id = await world.propose(world.operating, world.taxes, 425_000);
    const before = await world.look(id);
    expect(before.knockOn).toEqual({ runs: [], followsInCents: 0, isCut: false });
    await world.onArrival(world.taxes, ...quarterlyTax(world.taxes, world.checking));
    const after = await world.look(id);
    expect(after.knockOn).toMatchObject({
      followsInCents: 1_200_000,
      runs: [
        {
          outcome: "RUNS",
          movedInCents: 1_200_000,
          leavesSluice: true,
          isLater: false,
          because:
            "It runs when money reaches Taxes: $4,250.00 arrives and brings its balance to $13,560.00.",
          flows: [{ fromName: "Taxes", toName: "Checking" }],
        },
      ],
    });
    expect(after.balances.map(({ name, afterInCents }) => [name, afterInCents])).toEqual([
      ["Operating", 1_417_055],
      ["Taxes", 156_000],
      ["Checking", 1_820_418],
    ]);
    expect(after.together).toMatchObject({ changeInCents: 0, followsInCents: 0 });
    expect(after.digest).toBe(before.digest);
    expect(after.version).not.toBe(before.version);
  });

  it("including those that would skip, with the reason", async () => {
    const world = await arrange();
    await world.onArrival(world.taxes, ...quarterlyTax(world.taxes, world.checking));
    const view = await world.look(await world.propose(world.operating, world.taxes, 90_000));
    expect(view.knockOn?.runs).toMatchObject([{ outcome: "SKIPS", movedInCents: 0, flows: [] }]);
    expect(view.knockOn?.runs[0]?.because).toBe(
      "It runs only if the balance of Taxes is $12,000.00 or more. The balance of Taxes is $10,210.00, so the condition is not met.",
    );
  });

  it("as running after the bank's settlement over ACH, without paused ones", async () => {
    const world = await arrange();
    const ruleId = await world.onArrival(world.savings, {
      type: "PERCENTAGE",
      percentage: 50,
      of: "INCOMING_AMOUNT",
      destinationAccountId: world.taxes,
    });
    const id = await world.propose(world.checking, world.savings, 10_000);
    expect((await world.look(id)).knockOn?.runs).toMatchObject([{ isLater: true, movedInCents: 5_000 }]);
    await database.ownerPool.query(
      "update rules set paused_at = now(), paused_by_transfer_id = gen_random_uuid() where id = $1",
      [ruleId],
    );
    expect((await world.look(id)).knockOn?.runs).toEqual([]);
  });

  it("for a run too, along the chain, and the outcome matches the forecast", async () => {
    const world = await arrange();
    await world.onArrival(world.taxes, {
      type: "PERCENTAGE",
      percentage: 10,
      of: "INCOMING_AMOUNT",
      destinationAccountId: world.savings,
    });
    await world.onArrival(world.savings, {
      type: "TOP_UP",
      destinationAccountId: world.operating,
      amountInCents: 100,
    });
    const ruleId = await writeRule(world.services, world.key.context, {
      trigger: { type: "MANUAL", accountId: world.operating },
      steps: [
        {
          actions: [
            {
              type: "FIXED",
              sourceAccountId: world.operating,
              destinationAccountId: world.taxes,
              group: 0,
              amountInCents: 50_000,
            },
          ],
        },
      ],
    });
    await makeActive(database, ruleId);
    const id = await askRun(world.services, world.key.context, ruleId);
    const seen = await world.look(id);
    expect(seen.knockOn).toMatchObject({
      followsInCents: 5_000,
      runs: [
        { outcome: "RUNS", movedInCents: 5_000 },
        { outcome: "SKIPS", because: expect.stringContaining("Operating") },
      ],
    });
    expect(await world.approve(id)).toEqual({ kind: "DECIDED" });
    await bookDueTransfers(world.services, 10);
    await runAllRules(world.services);
    for (const { accountId, afterInCents } of seen.balances) {
      expect(await world.balance(accountId ?? "")).toBe(afterInCents);
    }
    const afterwards = await world.look(id);
    expect(afterwards.knockOn).toBeNull();
    // The page lists what the triggered rule moved, but not the rule that skipped.
    expect(afterwards.followUps).toMatchObject([
      { sourceName: "Taxes", destinationName: "Savings", amountInCents: 5_000, status: "SETTLED" },
    ]);
  });
});
