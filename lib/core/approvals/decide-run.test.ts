import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DecideInput } from "@/lib/contract/confirmation/decision";
import {
  accountsSearchSchema,
  approvalPlaceSchema,
  approvalSearchSchema,
} from "@/lib/contract/search/search-schemas";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { readClosingBlockers } from "@/lib/core/ledger/close-account";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { RACING, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import {
  anythingWithRules,
  askRun,
  makeActive,
  readRun,
  runAllRules,
  writeRule,
} from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { listWaitingMovements } from "@/lib/views/accounts/list-movements";
import { readAccountsPage } from "@/lib/views/accounts/read-accounts-page";
import { getApproval, type RunApprovalView } from "@/lib/views/approvals/get-approval";
import { listProposals } from "@/lib/views/approvals/list-proposals";
import { previewRevocation } from "@/lib/views/keys/preview-revocation";

const database = useTestDatabase(RACING);

type Action = { [field: string]: unknown };

interface World {
  balanceInCents?: number;
  floorInCents?: number;
  /** Of the rule's only step; `income`, `taxes` and `profit` are the accounts. */
  actions?: (accounts: { income: string; taxes: string; profit: string }) => Action[];
  conditions?: unknown;
}

const split: NonNullable<World["actions"]> = ({ income, taxes, profit }) =>
  [
    [taxes, 25],
    [profit, 75],
  ].map(([destinationAccountId, percentage]) => ({
    type: "PERCENTAGE",
    sourceAccountId: income,
    destinationAccountId,
    group: 0,
    percentage,
    of: "SOURCE_BALANCE",
  }));

async function arrange({
  balanceInCents = 360_000,
  floorInCents,
  actions = split,
  conditions = null,
}: World = {}) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const income = await organization.addAccount({
    name: "Client payments",
    type: "INCOME_SOURCE",
    balanceInCents,
    ...(floorInCents !== undefined && { floorInCents }),
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const profit = await organization.addAccount({ name: "Profit", type: "POD" });
  const key = await organization.addKey([...anythingWithRules(true), moveAnything(true)], "zapier");
  const ruleId = await writeRule(services, key.context, {
    name: "Split client payments",
    trigger: { type: "MANUAL", accountId: income },
    steps: [{ conditions, actions: actions({ income, taxes, profit }) }],
  });
  await makeActive(database, ruleId);
  const now = (member: Context<MemberActor>) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const time = () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" });
  const ask = () =>
    askRun(services, { ...key.context, now: clock.now() }, ruleId, { reasonForApproval: "Invoice 322" });
  const look = async (id: string): Promise<RunApprovalView> => {
    const view = await getApproval({ services, context: now(organization.owner), time: time() }, id);
    if (view?.kind !== "RULE_RUN") throw new Error("no such run");
    return view;
  };
  const decide = (
    proposalId: string,
    decision: DecideInput["decision"],
    digest: string,
    member = organization.owner,
  ) =>
    decideProposal(services, now(member), {
      proposalId,
      decision,
      digest,
      note: null,
      confirmation: { kind: "NONE" },
    });
  const inbox = (query: Record<string, unknown> = {}) =>
    listProposals(
      { services, context: now(organization.owner), time: time() },
      approvalSearchSchema.parse(query),
      approvalPlaceSchema.parse({}),
    );
  const read = (id: string) => readRun(services, key.context, ruleId, id);
  const transfers = async (id: string) => {
    const { rows } = await database.ownerPool.query<{
      name: string;
      amount: number;
      status: string;
      origin: string;
    }>(
      `select a.name, t.amount_in_cents as amount, t.status, t.origin from transfers t
         join accounts a on a.id = t.destination_account_id where t.rule_execution_id = $1 order by t.id`,
      [id],
    );
    return rows;
  };
  const audit = () => auditBooks(database, organization.organizationId);
  return {
    services,
    clock,
    organization,
    income,
    taxes,
    profit,
    key,
    ruleId,
    ask,
    look,
    decide,
    inbox,
    read,
    transfers,
    audit,
  };
}

describe("approving a run", () => {
  it("accepts the transfers that were shown and never computes them again", async () => {
    const world = await arrange();
    const id = await world.ask();
    const seen = await world.look(id);
    expect(seen).toMatchObject({
      status: "WAITING",
      amountInCents: 360_000,
      reason: "Invoice 322",
      rule: { name: "Split client payments", version: 1 },
      together: { changeInCents: 0 },
    });
    expect(await world.decide(id, "APPROVE", seen.digest)).toEqual({ kind: "DECIDED" });
    expect(await world.transfers(id)).toEqual([
      { name: "Taxes", amount: 90_000, status: "PROCESSING", origin: "RULE" },
      { name: "Profit", amount: 270_000, status: "PROCESSING", origin: "RULE" },
    ]);
    expect((await world.look(id)).status).toBe("ON_ITS_WAY");
    // A later deposit does not change what was approved.
    await world.organization.deposit(world.income, 100_000);
    await runAllRules(world.services);
    await bookDueTransfers(world.services, 10);
    await bookDueTransfers(world.services, 10);
    expect(await world.transfers(id)).toMatchObject([
      { amount: 90_000, status: "COMPLETE" },
      { amount: 270_000, status: "COMPLETE" },
    ]);
    expect(await world.read(id)).toMatchObject({
      status: "EXECUTED",
      stepIndexMatched: 0,
      transfersAttempted: 2,
      transfersCompleted: 2,
    });
    expect(await world.look(id)).toMatchObject({
      status: "SETTLED",
      moves: [{ status: "SETTLED" }, { status: "SETTLED" }],
    });
    expect(await world.audit()).toMatchObject({ wrongLedgers: [], wrongHolds: [], negative: [] });
  });

  it("decides nothing if an amount has changed, and says which", async () => {
    const world = await arrange();
    const id = await world.ask();
    const seen = await world.look(id);
    await world.organization.deposit(world.income, 40_000);
    expect(await world.decide(id, "APPROVE", seen.digest)).toEqual({
      kind: "CHANGED",
      changes: ["Taxes would get $1,000.00, not $900.00.", "Profit would get $3,000.00, not $2,700.00."],
    });
    expect(await world.transfers(id)).toEqual([]);
    expect(await world.read(id)).toMatchObject({ status: "APPROVAL_PENDING" });
    expect(await world.decide(id, "APPROVE", (await world.look(id)).digest)).toEqual({ kind: "DECIDED" });
  });

  it("succeeds if a balance changed that no amount depends on", async () => {
    const world = await arrange();
    const id = await world.ask();
    const seen = await world.look(id);
    await world.organization.deposit(world.taxes, 40_000);
    expect((await world.look(id)).version).not.toBe(seen.version);
    expect(await world.decide(id, "APPROVE", seen.digest)).toEqual({ kind: "DECIDED" });
  });

  it.each([
    [
      "deactivated",
      "active_version = null, active_trigger_type = null, active_trigger_account_id = null",
      "DEACTIVATED",
    ],
    ["paused", "paused_at = now(), paused_by_transfer_id = gen_random_uuid()", "PAUSED"],
  ])("is refused once the rule was %s, even if the page showed that", async (_, change, problem) => {
    const world = await arrange();
    const id = await world.ask();
    const seen = await world.look(id);
    await database.ownerPool.query(`update rules set ${change} where id = $1`, [world.ruleId]);
    expect(await world.decide(id, "APPROVE", seen.digest)).toEqual({
      kind: "CHANGED",
      changes: ["The rule no longer runs in this version."],
    });
    const now = await world.look(id);
    expect(now.checks).toContainEqual(
      expect.objectContaining({ kind: "RULE_RUNS", outcome: "BLOCKS", problem }),
    );
    expect(await world.decide(id, "APPROVE", now.digest)).toMatchObject({ kind: "WOULD_FAIL" });
    expect(await world.decide(id, "DENY", "")).toEqual({ kind: "DECIDED" });
    expect(await world.read(id)).toMatchObject({ status: "APPROVAL_DENIED" });
  });

  it("is refused as a whole if a transfer would fail or a balance is unknown", async () => {
    const fixed =
      (amountInCents: number): World["actions"] =>
      ({ income, taxes }) => [
        { type: "FIXED", sourceAccountId: income, destinationAccountId: taxes, group: 0, amountInCents },
      ];
    const poor = await arrange({ actions: fixed(360_001) });
    const id = await poor.ask();
    const seen = await poor.look(id);
    expect(seen.checks).toContainEqual(
      expect.objectContaining({
        kind: "RUN_MONEY",
        outcome: "BLOCKS",
        problem: expect.objectContaining({ kind: "FAILS" }),
      }),
    );
    expect(await poor.decide(id, "APPROVE", seen.digest)).toMatchObject({ kind: "WOULD_FAIL" });
    expect(await poor.transfers(id)).toEqual([]);
    expect(await poor.read(id)).toMatchObject({ status: "APPROVAL_PENDING" });

    const unknown = await arrange();
    const other = await unknown.organization.addAccount({
      name: "Card",
      type: "EXTERNAL_ACCOUNT",
      externalAccountType: "LIABILITY",
    });
    const ruleId = await writeRule(unknown.services, unknown.key.context, {
      trigger: { type: "MANUAL", accountId: unknown.income },
      steps: [
        {
          actions: [
            {
              type: "TOTAL_AMOUNT_DUE",
              sourceAccountId: unknown.income,
              destinationAccountId: other,
              group: 0,
            },
          ],
        },
      ],
    });
    await makeActive(database, ruleId);
    const run = await askRun(unknown.services, unknown.key.context, ruleId);
    const view = await unknown.look(run);
    expect(view).toMatchObject({ amountInCents: null, moves: [] });
    expect(view.checks).toContainEqual(
      expect.objectContaining({ problem: { kind: "UNKNOWN", fact: "BALANCE", accountName: "Card" } }),
    );
    expect(await unknown.decide(run, "APPROVE", view.digest)).toMatchObject({ kind: "WOULD_FAIL" });
  });

  it("may go below a floor, which the person sees and decides", async () => {
    const world = await arrange({ floorInCents: 100_000 });
    const id = await world.ask();
    const seen = await world.look(id);
    expect(seen.checks).toContainEqual(expect.objectContaining({ kind: "RUN_FLOORS", outcome: "LOOK" }));
    expect(await world.decide(id, "APPROVE", seen.digest)).toEqual({ kind: "DECIDED" });
    await bookDueTransfers(world.services, 10);
    expect(await world.read(id)).toMatchObject({ status: "EXECUTED", transfersCompleted: 2 });
  });

  it("that moves nothing completes it at once", async () => {
    const world = await arrange({ balanceInCents: 50 });
    const id = await world.ask();
    const seen = await world.look(id);
    expect(seen).toMatchObject({ amountInCents: 0, nothingBecause: expect.stringContaining("Taxes") });
    expect(await world.decide(id, "APPROVE", seen.digest)).toEqual({ kind: "DECIDED" });
    expect(await world.read(id)).toMatchObject({
      status: "EXECUTED",
      transfersAttempted: 2,
      transferIds: [],
    });

    const idle = await arrange({
      conditions: { all: [{ fact: "DAY_OF_WEEK", operator: "GREATER_THAN", value: 7 }] },
    });
    const run = await idle.ask();
    const { digest, nothingBecause } = await idle.look(run);
    expect(nothingBecause).toContain("the condition is not met");
    expect(await idle.decide(run, "APPROVE", digest)).toEqual({ kind: "DECIDED" });
    expect(await idle.read(run)).toMatchObject({ status: "EXECUTED", conditionsNotMet: true });
  });

  it("that needs the same money as another fails as changed once the other is approved", async () => {
    const world = await arrange({
      actions: ({ income, taxes }) => [
        {
          type: "FIXED",
          sourceAccountId: income,
          destinationAccountId: taxes,
          group: 0,
          amountInCents: 200_000,
        },
      ],
    });
    const [one, other] = [await world.ask(), await world.ask()];
    const digests = [(await world.look(one)).digest, (await world.look(other)).digest];
    const results = await Promise.all([
      world.decide(one, "APPROVE", digests[0] ?? ""),
      world.decide(other, "APPROVE", digests[1] ?? ""),
    ]);
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["CHANGED", "DECIDED"]);
    const lost = results[0]?.kind === "DECIDED" ? other : one;
    expect((await world.look(lost)).checks).toContainEqual(
      expect.objectContaining({ kind: "RUN_MONEY", outcome: "BLOCKS" }),
    );
    await bookDueTransfers(world.services, 10);
    expect(await world.audit()).toMatchObject({ wrongHolds: [], negative: [] });
  });

  it("moves exactly what was shown", { timeout: 240_000 }, async () => {
    const cents = fc.integer({ min: 100, max: 400_000 });
    await fc.assert(
      fc.asyncProperty(
        cents,
        cents,
        fc.boolean(),
        fc.constantFrom("none", "in", "out"),
        async (balance, amount, upTo, between) => {
          const world = await arrange({
            balanceInCents: balance,
            actions: ({ income, taxes, profit }) => [
              {
                type: "FIXED",
                sourceAccountId: income,
                destinationAccountId: taxes,
                group: 0,
                amountInCents: amount,
                upTo,
              },
              { type: "REMAINDER", sourceAccountId: income, destinationAccountId: profit, group: 1 },
            ],
          });
          const id = await world.ask();
          const seen = await world.look(id);
          if (between === "in") await world.organization.deposit(world.income, amount);
          if (between === "out") {
            const rival = await world.ask();
            await world.decide(rival, "APPROVE", (await world.look(rival)).digest);
          }
          const result = await world.decide(id, "APPROVE", seen.digest);
          const shown = seen.moves.filter((move) => move.outcome === "MOVE");
          const moved = await world.transfers(id);
          expect(moved.map(({ name, amount: cents }) => [name, cents])).toEqual(
            result.kind === "DECIDED" ? shown.map((move) => [move.destinationName, move.amountInCents]) : [],
          );
          await bookDueTransfers(world.services, 10);
          expect(await world.audit()).toMatchObject({ wrongLedgers: [], wrongHolds: [], negative: [] });
        },
      ),
      { seed: proofSeed, numRuns: proofSize(12, 300) },
    );
  });
});

describe("a run without a decision", () => {
  it("expires after 24 hours, shown as denied in the API and expired to members", async () => {
    const world = await arrange();
    const id = await world.ask();
    world.clock.advance(24 * 3_600_000);
    expect(await world.decide(id, "DENY", "")).toEqual({ kind: "EXPIRED" });
    await expireProposals(world.services, 1_000);
    expect(await world.read(id)).toMatchObject({
      status: "APPROVAL_DENIED",
      approvalUrl: null,
      transferIds: [],
    });
    expect(await world.look(id)).toMatchObject({ status: "EXPIRED", amountInCents: null });
  });

  it("ends with its key: after a preview, waiting runs are denied and unsent transfers canceled", async () => {
    const world = await arrange();
    const [waiting, accepted] = [await world.ask(), await world.ask()];
    await world.decide(accepted, "APPROVE", (await world.look(accepted)).digest);
    const now = world.clock.now();
    const { organizationId, owner } = world.organization;
    expect(await previewRevocation(world.services.pool, organizationId, world.key.id, now)).toMatchObject({
      denied: { count: 1, listed: [{ subject: { kind: "RULE_RUN", ruleName: "Split client payments" } }] },
      stopped: { count: 2, totalInCents: 360_000 },
    });
    expect(await revokeApiKey(world.services, { ...owner, now }, world.key.id)).toEqual({
      deniedProposals: 1,
      stoppedTransfers: 2,
    });
    expect(await world.look(waiting)).toMatchObject({ status: "REVOKED" });
    expect(await world.look(accepted)).toMatchObject({ status: "FAILED" });
    expect((await world.transfers(accepted)).map(({ status }) => status)).toEqual(["CANCELLED", "CANCELLED"]);
    expect(await world.audit()).toMatchObject({ wrongHolds: [], negative: [] });
  });

  it("is in the inbox with what it would move now, and in the decided list with what it moved", async () => {
    const world = await arrange();
    const [denied, approved] = [await world.ask(), await world.ask()];
    expect((await world.inbox()).waiting).toMatchObject([
      {
        requesterName: "zapier",
        reason: "Invoice 322",
        subject: {
          kind: "RULE_RUN",
          sourceName: "Client payments",
          destinations: { count: 2, firstName: "Taxes", arePods: true },
          amountInCents: 360_000,
        },
      },
      {},
    ]);
    await world.decide(denied, "DENY", "");
    await world.decide(approved, "APPROVE", (await world.look(approved)).digest);
    const { decided } = await world.inbox({ by: world.key.id });
    expect(decided.sum).toEqual({ summedCount: 1, sumInCents: 360_000 });
    expect(decided.rows).toMatchObject([
      { status: "ON_ITS_WAY", subject: { amountInCents: 360_000 } },
      { status: "DENIED", subject: { amountInCents: null } },
    ]);
  });
});

describe("a run that waits", () => {
  it("keeps every account of its rule open, and their pages show what it would change", async () => {
    const world = await arrange();
    const { organizationId, owner } = world.organization;
    const { pool } = world.services;
    const blockers = (id: string) => readClosingBlockers(pool, organizationId, id);
    const movements = (id: string) =>
      listWaitingMovements(pool, { organizationId, now: world.clock.now() }, id);
    const id = await world.ask();
    expect(await blockers(world.taxes)).toContainEqual({ kind: "WAITING", count: 1 });
    expect(await movements(world.taxes)).toMatchObject([
      { id, changeInCents: 90_000, subject: { ruleName: "Split client payments" } },
    ]);
    expect(await movements(world.income)).toMatchObject([{ changeInCents: -360_000 }]);
    const time = { nowAt: world.clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const search = accountsSearchSchema.parse({});
    const page = await readAccountsPage(
      { services: world.services, context: { ...owner, now: world.clock.now() }, time },
      search,
    );
    expect(page.incomeSources[0]?.waitingOut).toEqual({ count: 1, amountInCents: 360_000 });
    await world.decide(id, "DENY", "");
    expect(await blockers(world.taxes)).not.toContainEqual({ kind: "WAITING", count: 1 });
    expect(await movements(world.taxes)).toEqual([]);
  });

  it("is announced by email with its rule, and by SMS with amount, deadline and link only", async () => {
    const world = await arrange();
    const { organizationId, owner } = world.organization;
    await database.ownerPool.query(
      "update users set phone = '+15550100', phone_verified_at = now() where id = $1",
      [owner.actor.id],
    );
    const id = await world.ask();
    await sendNotices(world.services, { isSandboxBank: true }, 1_000);
    const { rows } = await database.ownerPool.query<{ channel: string; subject: string; bodyText: string }>(
      `select channel, subject, body_text as "bodyText" from messages where organization_id = $1 order by channel`,
      [organizationId],
    );
    const [email, sms] = rows;
    expect(email?.subject).toContain("Split client payments");
    expect(email?.subject).toContain("$3,600.00");
    expect(sms?.bodyText).toContain("$3,600.00");
    expect(sms?.bodyText).toContain(`approvalTransferId=${id}`);
    expect(sms?.bodyText).not.toMatch(/Split|Invoice|zapier/);
  });
});

describe("racing decisions of one run", () => {
  it("end in exactly one: transfers exactly once if approved, never if denied, expired or revoked", {
    timeout: 300_000,
  }, async () => {
    const rounds = proofSize(3, 12);
    const rivals = proofSize(40, 200);
    for (let round = 0; round < rounds; round++) {
      const world = await arrange();
      const id = await world.ask();
      const { digest } = await world.look(id);
      const members = [world.organization.owner, await world.organization.addMember("CO_OWNER", "Jonas")];
      const decisions = Array.from({ length: rivals }, (_, index) =>
        world.decide(id, (index + round) % 2 === 0 ? "APPROVE" : "DENY", digest, members[index % 2]),
      );
      // In every third round its key is revoked or it expires at the same time.
      const rival = round % 3;
      if (rival === 1) world.clock.advance(24 * 3_600_000);
      const ending =
        rival === 2
          ? revokeApiKey(
              world.services,
              { ...world.organization.owner, now: world.clock.now() },
              world.key.id,
            )
          : rival === 1
            ? expireProposals(world.services, 1_000)
            : null;
      const results = await Promise.all(decisions);
      await ending;
      const winners = results.filter(({ kind }) => kind === "DECIDED");
      const { status } = await world.read(id);
      if (ending === null) expect(winners).toHaveLength(1);
      expect(winners.length).toBeLessThanOrEqual(1);
      await bookDueTransfers(world.services, 10);
      await bookDueTransfers(world.services, 10);
      const moved = await world.transfers(id);
      expect(moved).toHaveLength(status === "APPROVAL_DENIED" ? 0 : 2);
      const { rows } = await database.ownerPool.query<{ count: number }>(
        `select count(*)::int as count from entries e join transfers t on t.id = e.transfer_id
          where t.rule_execution_id = $1`,
        [id],
      );
      expect(rows[0]?.count).toBe(moved.filter((transfer) => transfer.status === "COMPLETE").length);
      expect(await world.audit()).toMatchObject({ wrongLedgers: [], wrongHolds: [], negative: [] });
    }
  });
});
