import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/contract/error";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { getTransfer } from "@/lib/core/transfers/read-transfers";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";

/**
 * Goal: a simulated transfer reports the outcome of the live one. Method: in each state, request it simulated, then live
 * and drive that to its end; outcomes must agree, and the simulation must leave nothing but itself behind.
 */

const database = useTestDatabase();

interface State {
  source: "POD" | "OUTSIDE";
  /** Null for an outside account whose provider never reported a balance. */
  balanceInCents: number | null;
  floorInCents: number;
  /** Accepted earlier and still pending. */
  takenInCents: number;
  capInCents: number | null;
  approvalRequired: boolean;
  areGatesClosed: boolean;
}

async function arrange(state: State) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const pod = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: state.source === "POD" ? (state.balanceInCents ?? 0) : 1_000,
    floorInCents: state.floorInCents,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    ...(state.balanceInCents !== null && { balanceInCents: state.balanceInCents }),
  });
  const route =
    state.source === "POD"
      ? { sourceAccountId: pod, destinationAccountId: taxes }
      : { sourceAccountId: checking, destinationAccountId: pod };
  const key = await organization.addKey(
    [moveAnything(state.approvalRequired), ...readEverything],
    "claude-ops",
    state.capInCents,
  );
  const other = await organization.addKey([moveAnything(false)], "other");
  if (state.takenInCents > 0) {
    const taken = { ...route, amountInCents: state.takenInCents };
    await askTransfer(
      services,
      other.context,
      state.source === "POD" ? { ...taken, destinationAccountId: checking } : taken,
    );
  }
  const now = () => ({ ...owner, now: clock.now(), actor: { ...owner.actor, authenticatedAt: clock.now() } });
  if (state.areGatesClosed) await closeGates(services, now());
  const approve = async (proposalId: string) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const view = await getApproval({ services, context: now(), time }, proposalId);
    const decision = { proposalId, decision: "APPROVE" as const, digest: view?.digest ?? "", note: null };
    return decideProposal(services, now(), { ...decision, confirmation: { kind: "NONE" } });
  };
  const ask = (amountInCents: number, simulation: boolean) =>
    askTransfer(services, key.context, { ...route, amountInCents, simulation });
  /** The outcome of the live transfer, in terms of a simulated one. */
  const live = async (amountInCents: number): Promise<string | null> => {
    const asked = await ask(amountInCents, false).catch((error: unknown) => {
      if (error instanceof AppError && error.message.includes("gates")) return "GATES_CLOSED" as const;
      throw error;
    });
    if (asked === "GATES_CLOSED") return asked;
    if (asked.status === "APPROVAL_PENDING") expect(await approve(asked.id)).toEqual({ kind: "DECIDED" });
    await bookDueTransfers(services, 64);
    const { status, errorCode } = await getTransfer(services, key.context, asked.id);
    expect(["COMPLETE", "PROCESSING", "FAILED"]).toContain(status);
    const waited = asked.status === "APPROVAL_PENDING" && !state.approvalRequired;
    return errorCode ?? (waited ? "ABOVE_DAILY_CAP" : null);
  };
  /** Everything that a transfer could leave behind, except simulated transfers and the audit log. */
  const traces = async () => {
    const { rows } = await database.ownerPool.query(
      `select (select json_agg(l order by l.id) from ledgers l where l.organization_id = $1) as ledgers,
          (select count(*) from transfers t where t.organization_id = $1 and t.execution_mode = 'LIVE') as transfers,
          (select count(*) from entries e where e.organization_id = $1) as entries,
          (select count(*) from proposals p where p.organization_id = $1) as proposals,
          (select count(*) from notices n where n.organization_id = $1) as notices,
          (select json_agg(d) from key_charges d where d.organization_id = $1) as days,
          (select count(*) from key_alerts a where a.organization_id = $1) as alerts`,
      [organizationId],
    );
    return rows[0];
  };
  return { services, clock, organization, organizationId, key, route, ask, live, traces, now };
}

const cents = fc.integer({ min: 0, max: 3_000 });
const stateArbitrary: fc.Arbitrary<State> = fc
  .record({
    source: fc.constantFrom("POD", "OUTSIDE"),
    balanceInCents: fc.oneof({ weight: 5, arbitrary: cents }, { weight: 1, arbitrary: fc.constant(null) }),
    floorInCents: fc.oneof(fc.constant(0), cents),
    takenInCents: fc.oneof(fc.constant(0), fc.integer({ min: 100, max: 1_500 })),
    capInCents: fc.oneof(fc.constant(null), cents),
    approvalRequired: fc.boolean(),
    areGatesClosed: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
  })
  // A key that requires approval has no cap.
  .map((state) => ({ ...state, capInCents: state.approvalRequired ? null : state.capInCents }));

/** Amounts at and next to every bound of the state, and random ones. */
function amounts(state: State): fc.Arbitrary<number> {
  const left = (state.balanceInCents ?? 0) - state.takenInCents;
  const bounds = [left, left - state.floorInCents, state.balanceInCents ?? 0, state.capInCents ?? 0];
  const beside = bounds.flatMap((bound) => [bound - 1, bound, bound + 1]);
  return fc
    .oneof(fc.constantFrom(...beside), fc.integer({ min: 100, max: 4_000 }), fc.constant(99_999_999_900))
    .map((amount) => Math.max(100, amount));
}

describe("a simulated transfer", () => {
  it("reports the outcome of the live one in any state, and leaves nothing behind", {
    timeout: 300_000,
  }, async () => {
    const seen = new Map<string | null, number>();
    const asked = stateArbitrary.chain((state) =>
      fc.record({ state: fc.constant(state), amountInCents: amounts(state) }),
    );
    await fc.assert(
      fc.asyncProperty(asked, async ({ state, amountInCents }) => {
        const { ask, live, traces, organizationId } = await arrange(state);
        const before = await traces();
        const simulated = await ask(amountInCents, true);
        expect(await traces()).toEqual(before);
        expect(simulated).toMatchObject({ status: "COMPLETE", executionMode: "SIMULATION" });
        expect(simulated.errorMessage === null).toBe(simulated.errorCode === null);
        const outcome = await live(amountInCents);
        expect(simulated.errorCode).toBe(outcome);
        expect(await auditBooks(database, organizationId)).toMatchObject({ wrongHolds: [], negative: [] });
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      }),
      { numRuns: proofSize(80, 1_000), seed: proofSeed },
    );
    // Every outcome occurred; otherwise agreement on it would prove nothing.
    expect([...seen.keys()].sort()).toEqual(
      [
        null,
        "ABOVE_DAILY_CAP",
        "BALANCE_UNAVAILABLE",
        "BELOW_FLOOR",
        "GATES_CLOSED",
        "INSUFFICIENT_FUNDS",
      ].sort(),
    );
  });

  const plain: State = {
    source: "POD",
    balanceInCents: 200_000,
    floorInCents: 150_000,
    takenInCents: 0,
    capInCents: null,
    approvalRequired: false,
    areGatesClosed: false,
  };

  it("can be read later with its outcome", async () => {
    const { services, key, ask } = await arrange(plain);
    const simulated = await ask(150_000, true);
    expect(simulated).toMatchObject({
      errorCode: "BELOW_FLOOR",
      errorMessage: expect.stringContaining("floor"),
    });
    // The checks are of the moment of the request.
    expect(await getTransfer(services, key.context, simulated.id)).toEqual({ ...simulated, checks: null });
  });

  it("names the cap that would make a live one wait for approval", async () => {
    const { ask } = await arrange({ ...plain, floorInCents: 0, capInCents: 50_000 });
    await ask(20_000, false);
    expect((await ask(30_000, true)).errorCode).toBeNull();
    expect(await ask(30_001, true)).toMatchObject({
      errorCode: "ABOVE_DAILY_CAP",
      errorMessage: expect.stringMatching(/\$500\.00 within 24 hours.*\$200\.00 of it/),
    });
  });

  it("reports when the maximum number of proposals is waiting", async () => {
    const { ask, organizationId, now } = await arrange({ ...plain, approvalRequired: true });
    await ask(1_000, false);
    await database.ownerPool.query(
      `insert into proposals (organization_id, id, kind, state, api_key_id, created_at, expires_at, remind_at)
         select organization_id, new_id($2), kind, state, api_key_id, created_at, expires_at, remind_at
           from proposals cross join generate_series(1, 99) where organization_id = $1`,
      [organizationId, now().now],
    );
    expect(await ask(1_000, true)).toMatchObject({ status: "COMPLETE", errorCode: "RATE_LIMIT_EXCEEDED" });
    await expect(ask(1_000, false)).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
  });
});
