import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/contract/error";
import type { MoveDraft } from "@/lib/contract/move";
import { moveMoney } from "@/lib/core/approvals/move-money";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { cancelTransfer } from "@/lib/core/transfers/cancel-transfer";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { newId } from "@/lib/platform/ids";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";
import { previewMove } from "@/lib/views/transfers/read-move-page";

const database = useTestDatabase();

const DAY_MS = 86_400_000;
const FLOOR = 20_000;

const route = {
  from: fc.nat(4),
  to: fc.nat(4),
  // Amounts ending in .01 to .09 make the sandbox bank refuse, return, go silent or repeat itself.
  amountInCents: fc.oneof(
    fc.integer({ min: 100, max: 60_000 }),
    fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 9 })).map(([d, c]) => d * 100 + c),
  ),
};

const step = fc.oneof(
  {
    weight: 8,
    // What happens between viewing and confirming, and how many confirmations are sent at once.
    arbitrary: fc.record({
      kind: fc.constant("MOVE" as const),
      ...route,
      meanwhile: fc.option(fc.record(route), { freq: 3 }),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("KEY" as const), ...route }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("PROPOSE" as const), ...route }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("WORK" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("DAYS" as const), days: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("CANCEL" as const), which: fc.nat(1_000) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Route = { from: number; to: number; amountInCents: number };

async function arrange() {
  const { services, clock } = createTestServices(database);
  const bank = createSandboxBank(database.pool);
  const organization = await createTestOrganization(database, services);
  const add = organization.addAccount;
  const accounts = [
    await add({ name: "Operating", type: "POD", balanceInCents: 120_000, floorInCents: FLOOR }),
    await add({ name: "Taxes", type: "POD", balanceInCents: 30_000, floorInCents: FLOOR }),
    await add({ name: "Client payments", type: "INCOME_SOURCE" }),
    await add({ name: "Checking", type: "EXTERNAL_ACCOUNT", balanceInCents: 200_000 }),
    await add({ name: "Visa", type: "EXTERNAL_ACCOUNT", externalAccountType: "LIABILITY" }),
  ];
  const key = await organization.addKey([moveAnything(false)], "acts");
  const asking = await organization.addKey([moveAnything(true)], "asks");
  const moved = new Set<string>();
  const outcomes = new Set<string>();
  const account = (index: number) => accounts[index] ?? "";
  const at = () => ({
    ...organization.owner,
    now: clock.now(),
    actor: { ...organization.owner.actor, authenticatedAt: clock.now() },
  });

  async function ask(caller: typeof key, { from, to, amountInCents }: Route): Promise<void> {
    const body = { sourceAccountId: account(from), destinationAccountId: account(to), amountInCents };
    // Routes that every transfer is refused on.
    await askTransfer(services, caller.context, body).catch(expectRefusal);
  }

  /** Nothing without approval takes an account below its floor. */
  async function act(asked: Route): Promise<void> {
    const before = await available(account(asked.from));
    await ask(key, asked);
    const after = await available(account(asked.from));
    if (asked.from < 2 && after < before) expect(after).toBeGreaterThanOrEqual(FLOOR);
  }

  async function available(id: string): Promise<number> {
    const { rows } = await database.pool.query<{ available: number }>(
      `select credits_in_cents - debits_in_cents - held_in_cents as available from ledgers
        where organization_id = $1 and id = $2`,
      [organization.organizationId, id],
    );
    return rows[0]?.available ?? 0;
  }

  async function move(one: Extract<Step, { kind: "MOVE" }>): Promise<void> {
    const draft: MoveDraft = {
      draftId: newId(clock.now()),
      sourceAccountId: account(one.from),
      destinationAccountId: account(one.to),
      amountInCents: one.amountInCents,
      achLabel: null,
      note: null,
    };
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const seen = await previewMove({ services, context: at(), time }, draft).catch(expectRefusal);
    if (one.meanwhile && one.meanwhile.from !== one.meanwhile.to) await act(one.meanwhile);
    if (!seen) return;
    const input = { ...draft, digest: seen.digest, confirmation: { kind: "NONE" as const } };
    const results = await Promise.all(
      Array.from({ length: one.times }, () => moveMoney(services, at(), input).catch(expectRefusal)),
    );
    for (const result of results) {
      outcomes.add(result?.kind ?? "REFUSED");
      if (result?.kind === "MOVED") moved.add(result.href);
    }
  }

  async function work(): Promise<void> {
    await bookDueTransfers(services, 64);
    await submitDueTransfers(services, bank, 64);
    await collectBankNotices(services, bank, 64);
  }

  async function cancel(which: number): Promise<void> {
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from transfers where organization_id = $1 order by id",
      [organization.organizationId],
    );
    const id = rows[which % Math.max(1, rows.length)]?.id;
    if (id) await cancelTransfer(services, at(), id);
  }

  async function take(one: Step): Promise<void> {
    if (one.kind === "MOVE") return move(one);
    if (one.kind === "KEY" && one.from !== one.to) return act(one);
    if (one.kind === "PROPOSE" && one.from !== one.to) return ask(asking, one);
    if (one.kind === "WORK") return work();
    if (one.kind === "DAYS") clock.advance(one.days * DAY_MS);
    if (one.kind === "CANCEL") return cancel(one.which);
  }

  async function settle(): Promise<void> {
    for (let day = 0; day < 20; day++) {
      await work();
      clock.advance(DAY_MS);
    }
    await work();
  }

  return {
    organizationId: organization.organizationId,
    ownerId: organization.owner.actor.id,
    moved,
    outcomes,
    take,
    settle,
  };
}

function expectRefusal(error: unknown): null {
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: "INVALID_PARAMETERS" });
  return null;
}

async function expectBalanced(organizationId: string): Promise<void> {
  const report = await auditBooks(database, organizationId);
  expect(report).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [], unbookedCauses: [] });
  expect(report.managedInCents).toBe(report.cameInInCents - report.wentOutInCents);
}

/** Nothing that needs approval moved without it, and a member's move has that member's approval. */
async function expectApproved(organizationId: string, ownerId: string): Promise<number> {
  const { rows } = await database.pool.query<{
    origin: string;
    state: string | null;
    decidedBy: string | null;
  }>(
    `select t.origin, p.state, p.decided_by as "decidedBy"
       from transfers t left join proposals p on p.organization_id = t.organization_id and p.id = t.id
      where t.organization_id = $1 and (t.origin = 'USER' or p.id is not null) and t.status <> 'APPROVAL_PENDING'`,
    [organizationId],
  );
  for (const row of rows) expect(row).toEqual({ origin: "USER", state: "APPROVED", decidedBy: ownerId });
  return rows.length;
}

describe("random moves of a member among transfers of keys", () => {
  it("create and lose no cent, move once per draft, need approval, and only people go below floors", {
    timeout: 600_000,
  }, async () => {
    const outcomes = new Set<string>();
    let moveCount = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 50 }), async (steps) => {
        const scene = await arrange();
        for (const one of steps) {
          await scene.take(one);
          await expectBalanced(scene.organizationId);
        }
        expect(await expectApproved(scene.organizationId, scene.ownerId)).toBe(scene.moved.size);
        await scene.settle();
        await expectBalanced(scene.organizationId);
        const { rows } = await database.pool.query(
          "select from transfers where organization_id = $1 and status = 'PROCESSING'",
          [scene.organizationId],
        );
        expect(rows).toEqual([]);
        for (const outcome of scene.outcomes) outcomes.add(outcome);
        moveCount += scene.moved.size;
      }),
      { seed: proofSeed, numRuns: proofSize(4, 60), endOnFailure: true },
    );
    // Some moves succeeded, and changes in between stopped others.
    expect(moveCount).toBeGreaterThanOrEqual(proofSize(10, 200));
    expect([...outcomes].sort()).toEqual(["CHANGED", "MOVED", "REFUSED"]);
  });
});
